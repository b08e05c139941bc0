"""MOVING-AVG: your average recently, the same for all cards.

A log-odds x is nudged after every review: up by 0.3 (1 - p) when it was recalled, down by 0.3 p when not, p =
sigmoid(x).

Reference: open-spaced-repetition/srs-benchmark, MOVING-AVG (2025).
"""

from __future__ import annotations

import math
from typing import Sequence

import numpy as np
import numpy.typing as npt

from ..data.folds import Fold
from ..data.reviews import Reviews
from .algorithm import Baseline

START = 1.2
STEP = 0.3


class MovingAverage(Baseline):
    """Predicts from all earlier outcomes of all cards, those of the same fold included: it needs no training."""

    def predict(self, reviews: Reviews, folds: Sequence[Fold]) -> npt.NDArray[np.float64]:
        x = START
        predicted = []
        for recalled in reviews.recalled.tolist():
            p = 1 / (1 + math.exp(-x))
            predicted.append(p)
            x += STEP * (recalled - p)
        return np.array(predicted[folds[0].test_start :])


ALGORITHMS = (
    MovingAverage("MOVING-AVG", "Your recent average, whatever the card; may match FSRS in log loss, but not in AUC"),
)

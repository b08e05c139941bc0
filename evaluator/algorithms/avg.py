"""AVG and MOVING-AVG: the share of recalled reviews so far, or recently, the same for all cards."""

from __future__ import annotations

import math
from typing import Sequence

import numpy as np
import numpy.typing as npt

from ..data.folds import Fold
from ..data.reviews import Reviews
from ..report import AVERAGE
from .algorithm import Baseline

START = 1.2
STEP = 0.3


class Average(Baseline):
    """Predicts the share of recalled reviews before the fold for every review of the fold."""

    def predict(self, reviews: Reviews, folds: Sequence[Fold]) -> npt.NDArray[np.float64]:
        return np.concatenate(
            [np.full(fold.test_stop - fold.test_start, reviews.recalled[: fold.test_start].mean()) for fold in folds]
        )


class MovingAverage(Baseline):
    """Predicts from all earlier outcomes of all cards, also those of the same fold. It needs no training."""

    def predict(self, reviews: Reviews, folds: Sequence[Fold]) -> npt.NDArray[np.float64]:
        x = START
        predicted = []
        for recalled in reviews.recalled.tolist():
            p = 1 / (1 + math.exp(-x))
            predicted.append(p)
            x += STEP * (recalled - p)
        return np.array(predicted[folds[0].test_start :])


ALGORITHMS = (
    Average(AVERAGE, "Predicts your average so far, the same for all reviews of a fold"),
    MovingAverage("MOVING-AVG", "Your recent average, whatever the card; may match FSRS in log loss, but not in AUC"),
)

"""AVG and MOVING-AVG, which predict the same for all cards from the outcomes of earlier reviews."""

from __future__ import annotations

import math
from typing import Sequence

import numpy as np

from ..data.folds import Fold
from ..data.reviews import Reviews
from ..derivatives import Floats
from ..report import AVERAGE
from .algorithm import Baseline

#: Initial log odds of MOVING-AVG.
START = 1.2
#: Change of the log odds of MOVING-AVG per unit of error.
STEP = 0.3


class Average(Baseline):
    """AVG, which predicts for each review of a fold the share of recalled reviews before the fold."""

    def predict(self, reviews: Reviews, folds: Sequence[Fold]) -> Floats:
        return np.concatenate(
            [np.full(fold.test_stop - fold.test_start, reviews.recalled[: fold.test_start].mean()) for fold in folds]
        )


class MovingAverage(Baseline):
    """MOVING-AVG, which follows the outcomes of all cards, also within a fold. It needs no training."""

    def predict(self, reviews: Reviews, folds: Sequence[Fold]) -> Floats:
        log_odds = START
        predicted = []
        for recalled in reviews.recalled.tolist():
            p = 1 / (1 + math.exp(-log_odds))
            predicted.append(p)
            log_odds += STEP * (recalled - p)
        return np.array(predicted[folds[0].test_start :])


ALGORITHMS = (
    Average(AVERAGE, "Predicts your average so far, the same for all reviews of a fold"),
    MovingAverage("MOVING-AVG", "Your recent average, whatever the card; may match FSRS in log loss, but not in AUC"),
)

"""AVG: always the average of the past."""

from __future__ import annotations

from typing import Sequence

import numpy as np
import numpy.typing as npt

from ..data.folds import Fold
from ..data.reviews import Reviews
from ..report import AVERAGE
from .algorithm import Baseline


class Average(Baseline):
    """Predicts, for every review of a fold, the share of recalled reviews before the fold."""

    def predict(self, reviews: Reviews, folds: Sequence[Fold]) -> npt.NDArray[np.float64]:
        return np.concatenate(
            [np.full(fold.test_stop - fold.test_start, reviews.recalled[: fold.test_start].mean()) for fold in folds]
        )


ALGORITHMS = (Average(AVERAGE, "Predicts your average so far, the same for all reviews of a fold"),)

"""Predictions of other models, scored like an algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence

import numpy as np
import numpy.typing as npt

from ..data.folds import Fold
from ..data.reviews import Reviews
from ..data.revlog import Ints
from ..errors import ReviewsUncovered
from .algorithm import Baseline

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ExternalPredictions(Baseline):
    """Predictions from a file: ``review_id`` (n,), rising, and the probability of recall ``predicted`` (n,)."""

    name: str = ""
    description: str = "Predictions from a file, made by a model that is not ours"
    review_id: Optional[Ints] = None
    predicted: Optional[Floats] = None

    family = "External"
    uses = ("unknown",)
    note = "external"

    def of(self, review_id: Ints) -> Floats:
        """Return the predictions of these reviews, or NaN for those without one."""
        result = np.full(len(review_id), np.nan)
        if self.review_id is None or self.predicted is None or not len(self.review_id):
            return result
        index = np.minimum(np.searchsorted(self.review_id, review_id), len(self.review_id) - 1)
        covered = self.review_id[index] == review_id
        result[covered] = self.predicted[index[covered]]
        return result

    def predict(self, reviews: Reviews, folds: Sequence[Fold]) -> Floats:
        """Return the predictions of the tested reviews.

        Raises:
            ReviewsUncovered: the file lacks some tested reviews.
        """
        tested = reviews.review_id[folds[0].test_start :]
        predicted = self.of(tested)
        uncovered = np.isnan(predicted)
        if uncovered.any():
            raise ReviewsUncovered(reviews=len(tested), uncovered=int(uncovered.sum()), first=int(tested[uncovered][0]))
        return predicted


@dataclass(frozen=True, eq=False)
class RecordedPredictions(ExternalPredictions):
    """Predictions that the review log contains, made before each review, such as those of SuperMemo."""

    note = "recorded"

"""Predictions of other models, which are scored like those of an algorithm."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Sequence

import numpy as np

from ..data.folds import Fold
from ..data.reviews import Reviews
from ..data.revlog import Ints
from ..derivatives import Floats
from ..errors import ReviewsUncovered
from .algorithm import Baseline


@dataclass(frozen=True, eq=False)
class ExternalPredictions(Baseline):
    """Predictions from a file, as the probability of recall of each review.

    ``review_id`` (n,) is in ascending order and belongs to ``predicted`` (n,).
    """

    description: str = "Predictions from a file, made by a model that is not ours"
    review_id: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    predicted: Floats = field(default_factory=lambda: np.zeros(0))

    family = "External"
    uses = ("unknown",)
    note = "external"

    def predict(self, reviews: Reviews, folds: Sequence[Fold]) -> Floats:
        """Return the predictions of the tested reviews.

        Raises:
            ReviewsUncovered: if the file lacks some tested reviews.
        """
        tested_ids = reviews.review_id[folds[0].test_start :]
        uncovered_ids = tested_ids[~np.isin(tested_ids, self.review_id)]
        if len(uncovered_ids):
            raise ReviewsUncovered(reviews=len(tested_ids), uncovered=len(uncovered_ids), first=int(uncovered_ids[0]))
        return self.predicted[np.searchsorted(self.review_id, tested_ids)]


class RecordedPredictions(ExternalPredictions):
    """Predictions that the review log itself contains, such as those of SuperMemo. Each was made before its review."""

    note = "recorded"

"""Reviews in the order of their predictions, those with equal predictions put together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..revlog import Ints
from .scores import AUC_DIGITS, Floats, Outcomes, Ties, in_last_digits, runs


@dataclass(frozen=True)
class Ordered:
    """Reviews in the order of their predictions, with ties put together into m groups."""

    order: Ints  #: (n,), the reviews from low to high predictions
    predicted: Floats  #: (n,), their predictions in that order
    start: Ints  #: (m,), where each group of ties begins in that order
    reviews: Ints  #: (m,), how many reviews are in it, at least 1
    value: Floats  #: (m,), its mean prediction

    @classmethod
    def of(cls, predicted: Floats) -> Ordered:
        """Sort predictions (n,) and group those that agree to 10 digits. Raises ValueError where n = 0."""
        if not len(predicted):
            raise ValueError("no reviews")
        bits = len(predicted).bit_length()
        both = np.sort(in_last_digits(predicted) << bits | np.arange(len(predicted)))  # quicker than their order
        order, rounded = both & ((1 << bits) - 1), both >> bits
        start, reviews = runs(rounded)
        predicted = predicted[order]
        return cls(order, predicted, start, reviews, np.add.reduceat(predicted, start) / reviews)

    def ties(self, recalled: Outcomes) -> Ties:
        """The groups of ties with their outcomes; ``recalled`` (n,) is in the order in which the reviews were given."""
        value = in_last_digits(self.predicted[self.start]) / 10.0**AUC_DIGITS
        return Ties(value, self.reviews, np.add.reduceat(recalled[self.order], self.start, dtype=np.int64))

    def coarser(self, most: int) -> Ordered:
        """Put neighbouring groups together until there are at most ``most``, an even number; ties are never parted.

        Half of their limits are even steps of the prediction, 2 / ``most`` apart, half even steps of the reviews.
        """
        if len(self.start) <= most:
            return self
        half = most // 2
        step = np.arange(half)
        by_value = np.searchsorted(np.floor(self.value * half), step)
        by_reviews = np.searchsorted(self.start, -(-step * len(self.order) // half))
        first = np.union1d(by_value, by_reviews)
        start = self.start[first[first < len(self.start)]]
        reviews = np.diff(start, append=len(self.order))
        return Ordered(self.order, self.predicted, start, reviews, np.add.reduceat(self.predicted, start) / reviews)

    @property
    def group(self) -> Ints:
        """(n,): the group of each review, in the order in which the reviews were given."""
        group = np.empty(len(self.order), dtype=np.int32)
        group[self.order] = np.repeat(np.arange(len(self.start), dtype=np.int32), self.reviews)
        return group

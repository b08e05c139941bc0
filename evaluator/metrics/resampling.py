"""Draws of what the outcomes could have been, were every prediction the true probability, and their isotonic fits.

For a score only reviews with equal predictions are put together. Coarser groups would be quicker and wrong: the steps
of a fit follow the outcomes review by review, and groups as narrow as 0.01 in logits already make the miscalibration of
a perfect model come out a fifth too small at 100,000 reviews. A band, which is read at single points, bears more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator

import numpy as np

from ..revlog import Ints
from .isotonic import corners, cumulative
from .scores import AUC_DIGITS, CLIP, Floats, Outcomes, Ties, in_last_digits, runs

#: The seed of the draws, which every result that rests on them names.
SEED = 2021

#: Outcomes that are drawn at a time: small enough for the processor's cache, and not too small for whole arrays.
AT_ONCE = 100_000


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


@dataclass(frozen=True)
class Fits:
    """The isotonic fits of r resamples in m groups: the k steps of all of them, one resample after the other."""

    total: Floats  #: (k,), the sum of the outcomes of each step
    reviews: Floats  #: (k,), how many reviews each step holds
    resample: Ints  #: (k,), the resample that each step belongs to
    start: Ints  #: (k,), the first group of each step, counted on through the resamples: resample * (m + 1) + group

    def at(self, groups: Ints, resamples: int, m: int) -> Floats:
        """(r, g): the fitted values of some of the groups (g,) in each resample."""
        group = np.arange(resamples)[:, None] * (m + 1) + groups
        fitted: Floats = (self.total / self.reviews)[np.searchsorted(self.start, group, "right") - 1]
        return fitted


def logit(p: Floats) -> Floats:
    """ln(p / (1 - p)), with p clipped to [CLIP, 1 - CLIP] as for the log loss: between -36.04 and 36.04."""
    p = np.clip(p, CLIP, 1 - CLIP)
    x: Floats = np.log(p) - np.log1p(-p)
    return x


def chunks(resamples: int, reviews: int) -> Iterator[int]:
    """Split ``resamples`` of so many reviews into numbers that are drawn at a time."""
    at_once = max(1, AT_ONCE // reviews)
    for first in range(0, resamples, at_once):
        yield min(at_once, resamples - first)


def draw_outcomes(ordered: Ordered, *, resamples: int, seed: int) -> Iterator[Floats]:
    """Draw y ~ Bernoulli(p), and yield the :func:`cumulative` recalled reviews of each group of ties, (r, m + 1).

    They come for some resamples at a time. The predictions stay as they are. No dependence between reviews is needed or
    made: where p_i is the probability given all that happened before, what is left, y_i - p_i, is uncorrelated,
    whatever cards and days have in common.
    """
    random = np.random.default_rng(seed)
    n = len(ordered.order)
    ends = np.append(ordered.start, n)
    for r in chunks(resamples, n):
        recalled = np.zeros((r, n + 1), dtype=np.int32)
        np.cumsum(random.random((r, n)) < ordered.predicted, axis=1, dtype=np.int32, out=recalled[:, 1:])
        yield recalled.take(ends, axis=1).astype(np.float64)


def fits(total: Floats, reviews: Ints) -> Fits:
    """The isotonic fits of r resamples: of :func:`cumulative` outcomes (r, m + 1) of groups of ``reviews`` (m,)."""
    weight = cumulative(reviews.astype(np.float64))
    corner = corners(weight, total)
    resample = corner // len(weight)
    step = resample[1:] == resample[:-1]  # not what lies between two fits
    return Fits(
        total=np.diff(total.ravel()[corner])[step],
        reviews=np.diff(weight[corner - resample * len(weight)])[step],
        resample=resample[1:][step],
        start=corner[:-1][step],
    )

"""Predicted and observed recall in slices of the reviews, with the band that chance alone explains.

The number of lapses among a slice's n reviews is binomial at their mean prediction p, if all predictions are true. The
band is between its quantiles, as shares remembered. It leaves out at most (1 - 0.95^(1/S)) / 2 at each end, S being the
number of shown slices, so that a perfect forecaster has all of them inside with a probability of 95% (Sidak 1967, J.
Am. Stat. Assoc. 62:626). If predictions within a slice differ, the number of lapses varies less than that (Hoeffding
1956, Ann. Math. Stat. 27:713).

A slice outside its band was mispredicted on just these reviews. Drift is not noise here: it is an error of the
forecast.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import List, Optional, Sequence, Tuple

import numpy as np

from ..data.revlog import Ints
from ..derivatives import Floats
from ..interval import CONFIDENCE
from ..metrics.calibration_bins import LOG_SPACED_EDGES, log_spaced_bin

#: Names of the benchmark's 20 groups of predictions, which are their limits in percent.
BIN_NAMES = tuple(f"{100 * a:.1f}-{100 * b:.1f}" for a, b in zip(LOG_SPACED_EDGES, LOG_SPACED_EDGES[1:]))

#: Expected number of lapses, or of passes, from which the binomial distribution counts as normal.
NORMAL_FROM = 50


@dataclass(frozen=True)
class RecallSlice:
    """Predicted and observed recall of reviews that have something in common.

    If there are too few reviews, only the name and the count are known.
    """

    name: str  #: e.g. "3-4" (days), "Good", "2024-05"
    reviews: int
    predicted: Optional[float]  #: mean predicted probability of recall
    recalled: Optional[float]  #: share that was recalled
    #: Lowest share recalled that chance alone explains, if the predictions are true, for all slices of the graph at
    #: once. It is never above ``predicted``.
    low: Optional[float]
    high: Optional[float]  #: the highest such share, never below ``predicted``
    is_off: bool  #: whether ``recalled`` is outside of these two, and at least 2 points from ``predicted``

    @property
    def difference(self) -> float:
        """Recalled minus predicted. It is 0 if they are not known."""
        return (self.recalled or 0.0) - (self.predicted or 0.0)

    @property
    def is_outside(self) -> bool:
        """Whether more or less was recalled than chance alone explains."""
        return self.recalled is not None and not (self.low or 0.0) <= self.recalled <= (self.high or 0.0)


def slice_recall(
    predicted: Floats, recalled: Ints, label: Ints, names: Sequence[str], *, min_reviews: int, min_off: float
) -> Tuple[RecallSlice, ...]:
    """Return predicted and observed recall in each of the named slices.

    Args:
        predicted: the probabilities of recall (n,).
        recalled: the outcomes, 1 or 0 (n,).
        label: the number of each review's slice, from 0 (n,).
        names: the names of the slices 0, 1, ..., which may be empty.
        min_reviews: minimum number of reviews of a slice that is shown.
        min_off: minimum size of a difference to call a slice off.
    """
    count = np.bincount(label, minlength=len(names)).tolist()
    sum_predicted, sum_recalled = (np.bincount(label, values, len(names)).tolist() for values in (predicted, recalled))
    n_shown = sum(n_reviews >= min_reviews for n_reviews in count)
    tail = (1 - CONFIDENCE ** (1 / max(n_shown, 1))) / 2
    slices: List[RecallSlice] = []
    for name, n_reviews, said, remembered in zip(names, count, sum_predicted, sum_recalled):
        if n_reviews < min_reviews:
            slices.append(RecallSlice(name, n_reviews, None, None, None, None, is_off=False))
            continue
        mean = said / n_reviews
        share = remembered / n_reviews
        low, high = _chance_band(mean, n_reviews, tail)
        is_off = not low <= share <= high and abs(share - mean) >= min_off
        slices.append(RecallSlice(name, n_reviews, mean, share, low, high, is_off))
    return tuple(slices)


def calibration_slices(
    predicted: Floats, recalled: Ints, *, min_reviews: int, min_off: float
) -> Tuple[Ints, Tuple[RecallSlice, ...]]:
    """Return each review's group of similar predictions (n,), and predicted and observed recall in each group.

    The arguments are those of :func:`slice_recall`.
    """
    group = log_spaced_bin(predicted)
    return group, slice_recall(predicted, recalled, group, BIN_NAMES, min_reviews=min_reviews, min_off=min_off)


def _chance_band(p: float, n_reviews: int, tail: float) -> Tuple[float, float]:
    """Return the lowest and the highest share recalled beyond which chance falls with at most this probability each."""
    rarer = min(p, 1 - p)
    if n_reviews * rarer >= NORMAL_FROM:
        reach = NormalDist().inv_cdf(1 - tail) * sqrt(p * (1 - p) / n_reviews)
        return p - reach, p + reach
    # Beyond four times the largest expected number of the rarer outcome, the probability is negligible.
    n_rarer = np.arange(1, min(n_reviews, 4 * NORMAL_FROM) + 1)
    ratios = (n_reviews - n_rarer + 1) / n_rarer * rarer / (1 - rarer)
    cumulative = (1 - rarer) ** n_reviews * np.cumsum(np.cumprod(np.append(1.0, ratios)))
    few, many = np.searchsorted(cumulative, (tail, 1 - tail)).tolist()
    low, high = (few, many) if p < 0.5 else (n_reviews - many, n_reviews - few)
    return min(low / n_reviews, p), max(high / n_reviews, p)

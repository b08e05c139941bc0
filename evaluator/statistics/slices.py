"""Observed minus predicted recall in slices of the reviews, with one band that holds for all slices at once.

The mean of y - p (outcome minus prediction) of each slice gets a pointwise interval, by cards and by time that drifts
as in :mod:`.paired`. Of twenty slices one is outside such an interval by chance alone, so each also gets a simultaneous
one: with the stated confidence *all* slices' true values are in theirs.

The variance of a slice with n reviews is V_card + V_time - V_both, with V_time from the cosine sums over the days on
which the slice has reviews, in their order; V_card and V_both with G groups each are G / (G - 1) * sum over the groups
of (sum of e_i - mean e)^2 / n^2, e = y - p. It is never smaller than V_card, V_time or what chance alone would give a
perfect model, sum of p_i (1 - p_i) / n^2. (The last is for slices in which hardly anything was forgotten: there the
deviations say nothing of how much the next ones may vary. So a rare outcome, which leaves a difference of losses
without an interval, leaves none here.)

A slice that is a stretch of time, such as a month, has the same rule, over its own days. It says less there: what
differs from month to month is what such a graph shows, and no error; only drift within the month counts as such.

The band is as wide as the 95% quantile of the largest |t| over the slices demands, for normals with the slices'
correlation: a bad day moves several slices at once, and so does a hard card. The correlation is that of a multiplier
bootstrap in which every card and every day has a normal multiplier, less what is multiplied twice: V_card + V_day -
V_card,day between slices. Drift makes slices go together even more, so leaving it out of the correlation makes the band
wider, not narrower. The quantile is then carried over to Student's t of each slice, with its degrees of freedom.

References: Cameron, Gelbach & Miller (2011), J. Bus. Econ. Stat. 29:238, doi 10.1198/jbes.2010.07136 (the variance and
its correction for few groups); Chernozhukov, Chetverikov & Kato (2013), Ann. Stat. 41:2786, doi 10.1214/13-AOS1161 (the
multiplier bootstrap of a largest mean).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Iterator, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ..data.reviews import COMPACT_INT, stable_argsort
from ..data.revlog import Ints
from ..interval import CONFIDENCE, MIN_CARDS, MIN_DAYS, NO_REVIEWS, TOO_FEW, ConfidenceInterval
from .paired import Clusters, Floats, cosine_sums, degrees_of_freedom
from .student_t import student_t_quantile

#: A slice with fewer reviews is left blank.
MINIMUM = 100
DRAWS = 10_000
SEED = 2023

#: Entries of a block of sums by group and slice, so that memory stays small.
_BLOCK = 2_000_000


@dataclass(frozen=True)
class Slicing:
    """Assignment of each of n reviews to a slice."""

    key: str  #: stable: "interval", "review_number", "last_rating", "month", "maturity", "stability", ...
    label: Ints  #: (n,), the number of each review's slice, from 0
    names: Tuple[str, ...]  #: names of the slices 0, 1, ...; slices may be empty


@dataclass(frozen=True)
class _ClusterIndex:
    alone: Ints  #: the reviews that are their whole group
    order: Ints  #: the other reviews, group by group
    row: Ints  #: the number of the group of each review in ``order``; rises by 0 or 1

    @classmethod
    def of(cls, group: Ints) -> _ClusterIndex:
        """Sort reviews by their groups, given the number of each review's group (n,)."""
        is_alone = np.bincount(group)[group] == 1
        order = np.flatnonzero(~is_alone)
        order = order[stable_argsort(group[order])]
        row = np.cumsum(np.diff(group[order], prepend=group[order[:1]]) > 0)
        return cls(np.flatnonzero(is_alone), order.astype(COMPACT_INT), row.astype(COMPACT_INT))

    def blocks(self, number: Ints, width: int) -> Iterator[Tuple[Ints, Ints, int]]:
        """Yield blocks of groups: their reviews, each one's entry in a matrix of groups by slices, and its size."""
        rows = max(1, _BLOCK // width)
        for first in range(0, int(self.row[-1]) + 1 if len(self.row) else 0, rows):
            start, stop = np.searchsorted(self.row, (first, first + rows))
            order = self.order[start:stop]
            entry = (self.row[start:stop] - first) * np.int64(width) + number[order]
            yield order, entry, (int(self.row[stop - 1]) + 1 - first) * width


class ClusterIndices:
    """The cards, the days and the pairs of both of n reviews, found once for all slicings of them."""

    def __init__(self, clusters: Clusters) -> None:
        self.card, self.day, self.both = (
            _ClusterIndex.of(group) for group in (clusters.card, clusters.day, clusters.both)
        )
        self.of_day, self.days = clusters.day, clusters.days


@dataclass(frozen=True)
class Slices:
    """One slicing of n reviews with all that does not depend on the predictions. S slices are not blank."""

    key: str
    names: Tuple[str, ...]  #: names of all slices, including empty ones
    groupings: ClusterIndices
    count: Ints  #: how many reviews each of all slices holds
    number: Ints  #: (n,), the number of each review's slice among those that are not blank; S if it is blank
    size: Ints  #: (S,), how many reviews each slice holds that is not blank
    cards: Ints  #: (S,), how many cards
    days: Ints  #: (S,), how many days
    both: Ints  #: (S,), how many pairs of a card and a day
    effective_sizes: Tuple[
        Floats, Floats
    ]  #: (S,) each, how many cards and days of the same size these are worth as much as

    @classmethod
    def of(cls, slicing: Slicing, groupings: ClusterIndices) -> Slices:
        """Count the reviews, cards and days of each slice."""
        count = np.bincount(slicing.label, minlength=len(slicing.names))
        shown = count >= MINIMUM
        number = np.where(shown, np.cumsum(shown) - 1, shown.sum())[slicing.label].astype(COMPACT_INT)
        size = count[shown]
        cards, days, both = (
            _groups(grouping, number, len(size)) for grouping in (groupings.card, groupings.day, groupings.both)
        )
        return cls(
            slicing.key, slicing.names, groupings, count, number, size, cards[0], days[0], both[0], (cards[1], days[1])
        )

    @property
    def banded(self) -> npt.NDArray[np.bool_]:
        """Return which slices have enough cards and days for an interval and a band, (S,)."""
        banded: npt.NDArray[np.bool_] = (self.cards >= MIN_CARDS) & (self.days >= MIN_DAYS)
        return banded

    def total(self, of: Union[Floats, Ints]) -> Floats:
        """Return the sum of a value of each review (n,) in each slice, (S,)."""
        return np.bincount(self.number, of, len(self.size) + 1)[:-1].astype(np.float64, copy=False)


@dataclass(frozen=True)
class RecallSlice:
    """Reviews that have something in common.

    All but the name and the count is not known if there are too few reviews; without an interval and a band are
    those with too few cards or days.
    """

    name: str  #: e.g. "3-4" (days), "Good", "2024-05"
    reviews: int
    predicted: Optional[float]  #: mean predicted probability of recall
    recalled: Optional[float]  #: share that was recalled
    difference: ConfidenceInterval  #: recalled - predicted; its interval is of this slice alone
    band: ConfidenceInterval  #: the same with an interval that holds for all slices of the graph at once

    @property
    def is_miscalibrated(self) -> bool:
        """Return whether the band shows that predictions are too high or too low here."""
        return bool(self.band.compare_with())


@dataclass(frozen=True)
class SliceGraph:
    """Predicted and observed recall in all slices of one kind, in their own order."""

    #: "calibration" (by the prediction, in the benchmark's 20 groups), or
    #: the name of a slicing: "interval", "review_number", "last_rating", "month" and so on.
    key: str
    slices: Tuple[RecallSlice, ...]

    @property
    def banded(self) -> Tuple[RecallSlice, ...]:
        """The slices that have a band."""
        return tuple(slice_ for slice_ in self.slices if slice_.band.low_high is not None)

    @property
    def miscalibrated(self) -> Tuple[RecallSlice, ...]:
        """The slices whose band excludes 0, the largest difference first."""
        found = (slice_ for slice_ in self.slices if slice_.is_miscalibrated)
        return tuple(sorted(found, key=lambda slice_: -abs(slice_.difference.estimate or 0.0)))


def slice_recall(predicted: Floats, recalled: Ints, slicing: Slicing, clusters: Clusters) -> SliceGraph:
    """Return observed minus predicted recall in the slices of ``slicing``; every name has its slice, even an empty one.

    A perfect model's differences are around 0, and in 95 of 100 collections all of them are inside the band.

    Args:
        predicted: probabilities of recall (n,).
        recalled: 1 or 0 (n,).
        slicing: of the same reviews.
        clusters: the reviews' cards and days.

    If all predictions were certain and right, the interval is exactly 0. The interval is conditional on the fitted
    parameters.
    """
    return recall_in_slices(predicted, recalled, Slices.of(slicing, ClusterIndices(clusters)))


def recall_in_slices(predicted: Floats, recalled: Ints, slices: Slices) -> SliceGraph:
    """Observed minus predicted recall as :func:`slice_recall` gives it, in slices that several algorithms share."""
    variance, degrees, correlation = _variance_and_correlation(predicted, recalled, slices)
    varying = np.flatnonzero(slices.banded & (variance > 0))
    reach = largest_t_quantile(correlation[np.ix_(varying, varying)], DRAWS, SEED)
    shown = _rows(predicted, recalled, slices, variance, degrees, reach)
    return SliceGraph(
        slices.key,
        tuple(
            next(shown) if reviews >= MINIMUM else _blank(name, reviews)
            for name, reviews in zip(slices.names, slices.count.tolist())
        ),
    )


def largest_t_quantile(correlation: Floats, draws: int, seed: int) -> float:
    """Return the 95% quantile of the largest |z| of normals with that correlation (S, S), by simulation.

    It lies between the quantile of one |z|, 1.96, and that of S independent ones (Sidak 1967, J. Am. Stat. Assoc.
    62:626), between which the simulated one is kept; 1.96 for none.
    Negative eigenvalues, which the difference of three covariances may have, are set to 0. The draws are made with a
    Cholesky factor, which, other than eigenvectors, is the same on every machine.
    """
    least = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    size = len(correlation)
    if size < 2:
        return least
    values, vectors = np.linalg.eigh(correlation)
    possible = (vectors * np.maximum(values, 0.0)) @ vectors.T + 1e-8 * np.eye(size)
    deviation = np.sqrt(np.diag(possible))
    factor = np.linalg.cholesky(possible / np.outer(deviation, deviation))
    largest = np.abs(factor @ _normals(size, draws, seed)).max(axis=0)
    most = NormalDist().inv_cdf(0.5 + CONFIDENCE ** (1 / size) / 2)
    return min(max(least, float(np.quantile(largest, CONFIDENCE))), most)


@lru_cache(maxsize=16)  # graphs of all algorithms have the same slices
def _normals(size: int, draws: int, seed: int) -> Floats:
    """Return this many draws of independent normals, (size, draws)."""
    return np.random.default_rng(seed).standard_normal((draws, size)).T.copy()


def _groups(grouping: _ClusterIndex, number: Ints, slices: int) -> Tuple[Ints, Floats]:
    """Return the groups with a review in each slice, and the equivalent number of equal groups; (S,)."""
    width = slices + 1
    groups = np.bincount(number[grouping.alone], minlength=width)
    squares = groups.copy()
    for _, entry, entries in grouping.blocks(number, width):
        sizes = np.bincount(entry, minlength=entries).reshape(-1, width)
        groups += (sizes > 0).sum(axis=0)
        squares += (sizes**2).sum(axis=0)
    effective_sizes = np.bincount(number, minlength=width) ** 2 / np.maximum(squares, 1)
    return groups[:-1], effective_sizes[:-1]


def _variance_and_correlation(predicted: Floats, recalled: Ints, slices: Slices) -> Tuple[Floats, Floats, Floats]:
    """Return variances (S,) of the slices' means of y - p, degrees of freedom (S,), and correlations (S, S)."""
    error = recalled - predicted
    mean, item = (np.append(column, 0.0) for column in (slices.total(error) / slices.size, 1 / slices.size))
    influence = (error - mean[slices.number]) * item[slices.number]
    by_card = _covariance(influence, slices, slices.groupings.card, slices.cards)
    by_day = _covariance(influence, slices, slices.groupings.day, slices.days)
    by_both = _covariance(influence, slices, slices.groupings.both, slices.both)
    covariance = by_card + by_day - by_both
    scale = np.sqrt(np.maximum(np.diag(covariance), np.maximum(np.diag(by_card), np.diag(by_day))))
    scale[scale == 0] = 1.0
    correlation = covariance / np.outer(scale, scale)
    np.fill_diagonal(correlation, 1.0)
    card, both = np.diag(by_card), np.diag(by_both)
    time, cosines = _over_time(influence, slices)
    degrees = degrees_of_freedom(card, time, both, *slices.effective_sizes, cosines)
    chance = slices.total(predicted * (1 - predicted)) / slices.size.astype(np.float64) ** 2
    return np.max([card + time - both, card, time, chance], axis=0), degrees, correlation


def _over_time(influence: Floats, slices: Slices) -> Tuple[Floats, Ints]:
    """V_time of each slice (S,), from the days on which it has reviews, in order; and the number of cosines."""
    entry = slices.number * np.int64(slices.groupings.days) + slices.groupings.of_day
    shape = len(slices.size) + 1, slices.groupings.days
    daily, reviews = (np.bincount(entry, of, shape[0] * shape[1]).reshape(shape) for of in (influence, None))
    time, cosines = np.zeros(len(slices.size)), np.ones(len(slices.size), dtype=np.int64)
    for s in np.flatnonzero(slices.banded):
        sums = cosine_sums(daily[s][reviews[s] > 0])
        time[s], cosines[s] = slices.days[s] * float(sums @ sums) / len(sums), len(sums)
    return time, cosines


def _blank(name: str, reviews: int) -> RecallSlice:
    unknown = ConfidenceInterval(None, reason=TOO_FEW if reviews else NO_REVIEWS)
    return RecallSlice(name, reviews, None, None, unknown, unknown)


def _rows(
    predicted: Floats, recalled: Ints, slices: Slices, variance: Floats, degrees: Floats, reach: float
) -> Iterator[RecallSlice]:
    mean_predicted, mean_recalled = (slices.total(of) / slices.size for of in (predicted, recalled.astype(np.float64)))
    shown = np.flatnonzero(slices.count >= MINIMUM)
    for s, label in enumerate(shown.tolist()):
        difference = float(mean_recalled[s] - mean_predicted[s])
        alone = together = ConfidenceInterval(difference, reason=TOO_FEW)
        if slices.banded[s]:
            error, freedom = float(np.sqrt(variance[s])), float(degrees[s])
            item = student_t_quantile(0.5 + CONFIDENCE / 2, freedom) * error
            all_ = max(item, student_t_quantile(NormalDist().cdf(reach), freedom) * error)
            alone, together = (
                ConfidenceInterval(difference, difference - x, difference + x, error) for x in (item, all_)
            )
        shares = float(mean_predicted[s]), float(mean_recalled[s])
        yield RecallSlice(slices.names[label], int(slices.size[s]), *shares, alone, together)


def _covariance(influence: Floats, slices: Slices, grouping: _ClusterIndex, groups: Ints) -> Floats:
    """Return the covariance (S, S) of the slices' means, clustered by cards or days, corrected for few of them (S,)."""
    width = len(groups) + 1
    alone = grouping.alone
    covariance = np.diag(np.bincount(slices.number[alone], influence[alone] ** 2, width).astype(np.float64))
    for mask, entry, entries in grouping.blocks(slices.number, width):
        totals = np.bincount(entry, influence[mask], entries).reshape(-1, width)
        covariance += totals.T @ totals
    few = np.sqrt(groups / np.maximum(groups - 1, 1))
    corrected: Floats = covariance[:-1, :-1] * np.outer(few, few)
    return corrected

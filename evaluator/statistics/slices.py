"""Observed minus predicted recall in slices of the reviews, with one band that holds for all slices at once.

The mean of y - p (outcome minus prediction) of each slice gets a pointwise interval, clustered by card and by day as in
:mod:`.paired`. Of twenty slices one is outside such an interval by chance alone, so each also gets a simultaneous one:
with the stated confidence *all* slices' true values lie in theirs.

The variance of a slice with n reviews, with G_g groups of kind g in it: V_card + V_day - V_card,day with V_g = G_g /
(G_g - 1) * sum over the groups of (sum of e_i - mean e)^2 / n^2, e = y - p, and never smaller than V_card, V_day or
what chance alone would give a perfect model, sum of p_i (1 - p_i) / n^2. (The last is for slices in which hardly
anything was forgotten: there the deviations say nothing of how much the next ones may vary.)

The band is as wide as the 95 % quantile of the largest |t| over the slices demands, which is found by a multiplier
bootstrap: every card and every day gets a normal multiplier, its own for each draw, with which its deviations in all
slices are multiplied. Cards *and* days, since a bad day moves several slices at once, and so does a hard card; what is
multiplied twice thereby is taken off as in the variance above. Given the reviews, such draws are exactly normal with
the covariance V_card + V_day - V_card,day between slices, so they are drawn from that covariance, which is the same and
a thousand times cheaper than to draw the multipliers themselves. The quantile is then carried over to Student's t
of each slice, with one less degree of freedom than it has cards or days.

References: Cameron, Gelbach & Miller (2011), J. Bus. Econ. Stat. 29:238, doi 10.1198/jbes.2010.07136 (the variance and
its correction for few groups); Chernozhukov, Chetverikov & Kato (2013), Ann. Stat. 41:2786, doi 10.1214/13-AOS1161 (the
multiplier bootstrap of a largest mean).
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Iterator, Optional, Tuple, Union

import numpy as np

from ..histories import order_by
from ..interval import CONFIDENCE, NO_REVIEWS, TOO_FEW, Interval
from ..reviews import SMALL
from ..revlog import Ints
from .paired import Clusters, Floats
from .student_t import student_t_quantile

#: A slice with fewer reviews is left blank.
MINIMUM = 100
#: A slice with fewer cards or fewer days has no interval. Fewer than elsewhere, as a month has 31 days at most; the
#: correction G / (G - 1) and the quantiles of Student's t make up for it (held by simulation).
MIN_GROUPS_OF_SLICE = 20
DRAWS = 10_000
SEED = 2023

#: Entries of a block of sums by group and slice, so that memory stays small.
_BLOCK = 2_000_000


@dataclass(frozen=True)
class Slicing:
    """Which slice each of n reviews is in."""

    key: str  #: stable: "interval", "review_number", "lapses", "last_rating", "month", "maturity", "stability", ...
    label: Ints  #: (n,), the number of each review's slice, from 0 on
    names: Tuple[str, ...]  #: of the slices 0, 1, ..., some of which may hold no review


@dataclass(frozen=True)
class _Grouping:
    """The reviews in the order of their groups, which are cards, days, or pairs of both."""

    alone: Ints  #: the reviews that are their whole group
    order: Ints  #: the other reviews, group by group
    row: Ints  #: the number of the group of each review in ``order``; rises by 0 or 1

    @classmethod
    def of(cls, group: Ints) -> _Grouping:
        """Sort reviews by their groups, given the number of each review's group (n,)."""
        is_alone = np.bincount(group)[group] == 1
        order = np.flatnonzero(~is_alone)
        order = order[order_by(group[order])]
        row = np.cumsum(np.diff(group[order], prepend=group[order[:1]]) > 0)
        return cls(np.flatnonzero(is_alone), order.astype(SMALL), row.astype(SMALL))

    def blocks(self, number: Ints, width: int) -> Iterator[Tuple[Ints, Ints, int]]:
        """For some groups at a time their reviews, the entry of each in a matrix of groups and slices, and its size."""
        rows = max(1, _BLOCK // width)
        for first in range(0, int(self.row[-1]) + 1 if len(self.row) else 0, rows):
            start, stop = np.searchsorted(self.row, (first, first + rows))
            here = self.order[start:stop]
            entry = (self.row[start:stop] - first) * np.int64(width) + number[here]
            yield here, entry, (int(self.row[stop - 1]) + 1 - first) * width


class Groupings:
    """The cards, the days and the pairs of both of n reviews, found once for all slicings of them."""

    def __init__(self, clusters: Clusters) -> None:
        self.card, self.day, self.both = (_Grouping.of(group) for group in (clusters.card, clusters.day, clusters.both))


@dataclass(frozen=True)
class Slices:
    """One slicing of n reviews with all that does not depend on the predictions. S slices are not blank."""

    key: str
    names: Tuple[str, ...]  #: of all slices, blank ones too
    groupings: Groupings
    count: Ints  #: how many reviews each of all slices holds
    number: Ints  #: (n,), the number of each review's slice among those that are not blank; S where it is blank
    size: Ints  #: (S,), how many reviews each slice holds that is not blank
    cards: Ints  #: (S,), how many cards
    days: Ints  #: (S,), how many days
    both: Ints  #: (S,), how many pairs of a card and a day

    @classmethod
    def of(cls, slicing: Slicing, groupings: Groupings) -> Slices:
        """Count the reviews, cards and days of each slice."""
        count = np.bincount(slicing.label, minlength=len(slicing.names))
        shown = count >= MINIMUM
        number = np.where(shown, np.cumsum(shown) - 1, shown.sum())[slicing.label].astype(SMALL)
        size = count[shown]
        groups = (_groups(grouping, number, len(size)) for grouping in (groupings.card, groupings.day, groupings.both))
        return cls(slicing.key, slicing.names, groupings, count, number, size, *groups)

    @property
    def degrees(self) -> Ints:
        """Degrees of freedom of each slice (S,): one less than it has cards, or days where these are fewer."""
        degrees: Ints = np.minimum(self.cards, self.days) - 1
        return degrees

    def total(self, of: Union[Floats, Ints]) -> Floats:
        """The sum of a value of each review (n,) in each slice, (S,)."""
        return np.bincount(self.number, of, len(self.size) + 1)[:-1].astype(np.float64, copy=False)


@dataclass(frozen=True)
class RecallSlice:
    """Reviews that have something in common.

    All but the name and the count is not known where there are too few reviews; without an interval and a band are
    those with too few cards or days.
    """

    name: str  #: e.g. "3-4" (days), "Good", "2024-05"
    reviews: int
    predicted: Optional[float]  #: mean predicted probability of recall
    recalled: Optional[float]  #: share that was recalled
    difference: Interval  #: recalled - predicted; its interval is of this slice alone
    band: Interval  #: the same with an interval that holds for all slices of the graph at once

    @property
    def is_wrong(self) -> bool:
        """Whether the band proves that predictions are too high or too low here."""
        return bool(self.band.side())


@dataclass(frozen=True)
class SliceGraph:
    """Predicted and observed recall in all slices of one kind, in their own order."""

    #: "calibration" (by the prediction, in the benchmark's 20 groups), "memory" (stability and difficulty at once), or
    #: what a slicing is called: "interval", "review_number", "last_rating", "month" and so on.
    key: str
    slices: Tuple[RecallSlice, ...]

    @property
    def banded(self) -> Tuple[RecallSlice, ...]:
        """The slices that have a band."""
        return tuple(one for one in self.slices if one.band.ends is not None)

    @property
    def wrong(self) -> Tuple[RecallSlice, ...]:
        """Those that the band proves wrong, the largest difference first."""
        wrong = (one for one in self.slices if one.is_wrong)
        return tuple(sorted(wrong, key=lambda one: -abs(one.difference.estimate or 0.0)))


def slice_recall(predicted: Floats, recalled: Ints, slicing: Slicing, clusters: Clusters) -> SliceGraph:
    """Observed minus predicted recall in the slices of ``slicing``: every name has its slice, be it empty.

    A perfect model's differences lie around 0, and in 95 of 100 collections all of them are inside the band.

    Args:
        predicted: probabilities of recall (n,).
        recalled: 1 or 0 (n,).
        slicing: of the same reviews.
        clusters: the reviews' cards and days.

    Where all was predicted with certainty, and rightly, the interval is exactly 0.
    The interval is conditional on the fitted parameters.
    """
    return recall_in_slices(predicted, recalled, Slices.of(slicing, Groupings(clusters)))


def recall_in_slices(predicted: Floats, recalled: Ints, slices: Slices) -> SliceGraph:
    """Observed minus predicted recall as :func:`slice_recall` gives it, in slices that several algorithms share."""
    variance, correlation = _variance_and_correlation(predicted, recalled, slices)
    banded = slices.degrees >= MIN_GROUPS_OF_SLICE - 1
    varying = np.flatnonzero(banded & (variance > 0))
    reach = largest_t_quantile(correlation[np.ix_(varying, varying)], DRAWS, SEED) if banded.any() else None
    shown = _rows(predicted, recalled, slices, variance, reach)
    return SliceGraph(
        slices.key,
        tuple(
            next(shown) if reviews >= MINIMUM else _blank(name, reviews)
            for name, reviews in zip(slices.names, slices.count.tolist())
        ),
    )


def largest_t_quantile(correlation: Floats, draws: int, seed: int) -> float:
    """The 95 % quantile of the largest |z| of normals with that correlation (S, S), by simulation.

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
    drawn = np.random.default_rng(seed).standard_normal((draws, size)) @ factor.T
    most = NormalDist().inv_cdf(0.5 + CONFIDENCE ** (1 / size) / 2)
    return min(max(least, float(np.quantile(np.abs(drawn).max(axis=1), CONFIDENCE))), most)


def _groups(grouping: _Grouping, number: Ints, slices: int) -> Ints:
    """How many groups have a review in each slice, (S,)."""
    width = slices + 1
    groups = np.bincount(number[grouping.alone], minlength=width)
    for _, entry, entries in grouping.blocks(number, width):
        occurs = np.zeros(entries, dtype=bool)
        occurs[entry] = True
        groups += occurs.reshape(-1, width).sum(axis=0)
    return groups[:-1]


def _variance_and_correlation(predicted: Floats, recalled: Ints, slices: Slices) -> Tuple[Floats, Floats]:
    """The variances (S,) and the correlations (S, S) of the mean of y - p in each slice."""
    error = recalled - predicted
    mean, one = (np.append(column, 0.0) for column in (slices.total(error) / slices.size, 1 / slices.size))
    influence = (error - mean[slices.number]) * one[slices.number]
    by_card = _covariance(influence, slices, slices.groupings.card, slices.cards)
    by_day = _covariance(influence, slices, slices.groupings.day, slices.days)
    by_both = _covariance(influence, slices, slices.groupings.both, slices.both)
    covariance = by_card + by_day - by_both
    chance = slices.total(predicted * (1 - predicted)) / slices.size.astype(np.float64) ** 2
    variance = np.max([*(np.diag(v) for v in (covariance, by_card, by_day)), chance], axis=0)
    scale = np.sqrt(np.where(variance > 0, variance, 1.0))
    correlation = covariance / np.outer(scale, scale)
    np.fill_diagonal(correlation, 1.0)
    return variance, correlation


def _blank(name: str, reviews: int) -> RecallSlice:
    unknown = Interval(None, reason=TOO_FEW if reviews else NO_REVIEWS)
    return RecallSlice(name, reviews, None, None, unknown, unknown)


def _rows(
    predicted: Floats, recalled: Ints, slices: Slices, variance: Floats, reach: Optional[float]
) -> Iterator[RecallSlice]:
    """The results of the slices that are not blank, in the order of the slices."""
    mean_predicted, mean_recalled = (slices.total(of) / slices.size for of in (predicted, recalled.astype(np.float64)))
    shown = np.flatnonzero(slices.count >= MINIMUM)
    for s, (label, degrees) in enumerate(zip(shown.tolist(), slices.degrees.tolist())):
        difference = float(mean_recalled[s] - mean_predicted[s])
        alone = together = Interval(difference, reason=TOO_FEW)
        if reach is not None and degrees >= MIN_GROUPS_OF_SLICE - 1:
            error = float(np.sqrt(variance[s]))
            one = student_t_quantile(0.5 + CONFIDENCE / 2, degrees) * error
            all_ = max(one, student_t_quantile(NormalDist().cdf(reach), degrees) * error)
            alone, together = (Interval(difference, difference - x, difference + x, error) for x in (one, all_))
        shares = float(mean_predicted[s]), float(mean_recalled[s])
        yield RecallSlice(slices.names[label], int(slices.size[s]), *shares, alone, together)


def _covariance(influence: Floats, slices: Slices, grouping: _Grouping, groups: Ints) -> Floats:
    """The covariance of the slices' means (S, S), clustered by one kind of groups, corrected for few of them (S,)."""
    width = len(groups) + 1
    alone = grouping.alone
    covariance = np.diag(np.bincount(slices.number[alone], influence[alone] ** 2, width).astype(np.float64))
    for here, entry, entries in grouping.blocks(slices.number, width):
        totals = np.bincount(entry, influence[here], entries).reshape(-1, width)
        covariance += totals.T @ totals
    few = np.sqrt(groups / np.maximum(groups - 1, 1))
    corrected: Floats = covariance[:-1, :-1] * np.outer(few, few)
    return corrected

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

from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Iterator, List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..revlog import Ints
from .paired import CONFIDENCE, Clusters, Floats
from .quantiles import student_t_quantile

#: A slice with fewer reviews is blank.
MINIMUM = 100
#: A slice with fewer cards or fewer days has no interval. Fewer than elsewhere, as a month has 31 days at most; the
#: correction G / (G - 1) and the quantiles of Student's t make up for it (held by simulation).
MIN_GROUPS_OF_SLICE = 20
DRAWS = 10_000
SEED = 2023

#: Entries of a block of cluster sums, so that memory stays small.
_BLOCK = 2_000_000


@dataclass(frozen=True)
class Slice:
    """One slice. Below the minimum of reviews all but ``label`` and ``reviews`` is None."""

    label: int
    reviews: int
    cards: Optional[int] = None
    days: Optional[int] = None
    predicted: Optional[float] = None  #: mean predicted probability of recall
    recalled: Optional[float] = None  #: share that was recalled
    difference: Optional[float] = None  #: recalled - predicted: above 0 where memory was better than predicted
    standard_error: Optional[float] = None  #: None too, with all that follow, where there are too few cards or days
    low: Optional[float] = None  #: the pointwise interval
    high: Optional[float] = None
    simultaneous_low: Optional[float] = None  #: the interval that holds together with those of all other slices
    simultaneous_high: Optional[float] = None


@dataclass(frozen=True)
class SlicedRecall:
    """All slices, by label, and what their simultaneous band rests on."""

    slices: Tuple[Slice, ...]
    confidence: float
    banded: int  #: how many slices the simultaneous band is for (of all slicings that share it)
    reach: Optional[float]  #: half the band's width in standard errors, were the groups many; None without a band
    draws: int
    seed: int


@dataclass(frozen=True)
class _Members:
    """Which review is in which slice, (m,); a review is in one slice of each slicing."""

    review: Ints
    slice: Ints
    slices: int

    def total(self, of: Floats) -> Floats:
        """The sum of a value of each review (n,) in each slice, (S,)."""
        return np.bincount(self.slice, of[self.review], self.slices).astype(np.float64)

    def part(self, shown: npt.NDArray[np.bool_]) -> _Members:
        """Of the slices (S,) that are shown alone, numbered anew."""
        number = np.cumsum(shown) - 1
        kept = shown[self.slice]
        return _Members(self.review[kept], number[self.slice[kept]], int(shown.sum()))


@dataclass(frozen=True)
class _Estimate:
    """Of S slices: the variance of the mean of y - p, (S,), its correlations, (S, S), and how many groups there are."""

    variance: Floats
    correlation: Floats
    cards: Ints
    days: Ints

    @property
    def degrees(self) -> Ints:
        """Of freedom, (S,)."""
        degrees: Ints = np.minimum(self.cards, self.days) - 1
        return degrees


def slice_recall(
    predicted: Floats,
    recalled: Ints,
    label: Ints,
    clusters: Clusters,
    *,
    minimum: int = MINIMUM,
    draws: int = DRAWS,
    seed: int = SEED,
) -> SlicedRecall:
    """Observed minus predicted recall in the slices that ``label`` makes.

    A perfect model's differences lie around 0, and in 95 of 100 collections all of them are inside the band.

    Args:
        predicted: probabilities of recall (n,).
        recalled: 1 or 0 (n,).
        label: any whole number per review (n,): reviews with the same one are a slice.
        clusters: the reviews' cards and days.
        minimum: a slice with fewer reviews is blank, and no part of the band.
        draws: of the bootstrap.
        seed: of the bootstrap.

    Without reviews there are no slices. Where all was predicted with certainty, and rightly, the interval is exactly 0.
    The interval is conditional on the fitted parameters.

    Raises:
        ValueError: the arrays differ in length, or minimum or draws is below 1.
    """
    return slice_recall_jointly(predicted, recalled, [label], clusters, minimum=minimum, draws=draws, seed=seed)[0]


def slice_recall_jointly(
    predicted: Floats,
    recalled: Ints,
    labels: Sequence[Ints],
    clusters: Clusters,
    *,
    minimum: int = MINIMUM,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Tuple[SlicedRecall, ...]:
    """As :func:`slice_recall` for several slicings of the same reviews that are shown together: one band for all."""
    lengths = [len(column) for column in (predicted, recalled, clusters.card, *labels)]
    if min(lengths) != max(lengths):
        raise ValueError(f"arrays of different lengths: {lengths}")
    if minimum < 1 or draws < 1:
        raise ValueError(f"minimum {minimum} and draws {draws}: both must be at least 1")
    names, members = _members(labels, len(predicted))
    count = np.bincount(members.slice, minlength=members.slices)
    shown = members.part(count >= minimum)
    found = _estimate(predicted, recalled, clusters, shown)
    banded = found.degrees >= MIN_GROUPS_OF_SLICE - 1
    varying = np.flatnonzero(banded & (found.variance > 0))
    reach = largest_t_quantile(found.correlation[np.ix_(varying, varying)], draws, seed) if banded.any() else None
    rows = iter(_rows(predicted, recalled, shown, found, reach))
    slices = [
        tuple(replace(next(rows), label=int(v)) if n >= minimum else Slice(int(v), int(n)) for v, n in zip(*part))
        for part in _parted(names, count)
    ]
    return tuple(SlicedRecall(part, CONFIDENCE, int(banded.sum()), reach, draws, seed) for part in slices)


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


def _members(labels: Sequence[Ints], reviews: int) -> Tuple[List[Ints], _Members]:
    """The labels of each slicing, ascending, and its slices numbered after those of the slicings before."""
    names: List[Ints] = []
    numbers: List[Ints] = []
    slices = 0
    for label in labels:
        values, number = np.unique(label, return_inverse=True)
        names.append(values)
        numbers.append(number.reshape(-1) + slices)
        slices += len(values)
    numbered = np.concatenate([np.zeros(0, dtype=np.int64), *numbers])
    return names, _Members(np.tile(np.arange(reviews), len(labels)), numbered, slices)


def _parted(names: Sequence[Ints], count: Ints) -> Iterator[Tuple[Ints, Ints]]:
    """The labels and counts of one slicing after the other."""
    start = 0
    for values in names:
        yield values, count[start : start + len(values)]
        start += len(values)


def _estimate(predicted: Floats, recalled: Ints, clusters: Clusters, members: _Members) -> _Estimate:
    """The covariance of the slices' means."""
    size = np.bincount(members.slice, minlength=members.slices)
    error = recalled - predicted
    influence = (error[members.review] - (members.total(error) / size)[members.slice]) / size[members.slice]
    by_card, cards = _covariance(influence, members, clusters.card)
    by_day, days = _covariance(influence, members, clusters.day)
    by_both, _ = _covariance(influence, members, clusters.both)
    covariance = by_card + by_day - by_both
    chance = members.total(predicted * (1 - predicted)) / size.astype(np.float64) ** 2
    variance = np.max([*(np.diag(v) for v in (covariance, by_card, by_day)), chance], axis=0)
    scale = np.sqrt(np.where(variance > 0, variance, 1.0))
    correlation = covariance / np.outer(scale, scale)
    np.fill_diagonal(correlation, 1.0)
    return _Estimate(variance, correlation, cards, days)


def _covariance(influence: Floats, members: _Members, cluster: Ints) -> Tuple[Floats, Ints]:
    """The one-way clustered covariance (S, S), corrected for few clusters, and how many each slice has (S,)."""
    slices = members.slices
    covariance = np.zeros((slices, slices))
    if not slices:
        return covariance, np.zeros(0, dtype=np.int64)
    pair, which = np.unique(cluster[members.review] * slices + members.slice, return_inverse=True)
    of_cluster, of_slice = pair // slices, pair % slices
    groups = np.bincount(of_slice, minlength=slices)
    total = np.bincount(which.reshape(-1), influence) * np.sqrt(groups / np.maximum(groups - 1, 1))[of_slice]
    alone = np.bincount(of_cluster)[of_cluster] == 1  # a cluster within one slice, as all are of card and day
    covariance += np.diag(np.bincount(of_slice[alone], total[alone] ** 2, slices))
    _add_products(covariance, of_cluster[~alone], of_slice[~alone], total[~alone])
    return covariance, groups


def _add_products(covariance: Floats, of_cluster: Ints, of_slice: Ints, total: Floats) -> None:
    """Add T' T to ``covariance`` (S, S), T being the totals by cluster (ascending) and slice, block by block."""
    slices = len(covariance)
    row = np.cumsum(np.diff(of_cluster, prepend=-1) > 0) - 1  # the clusters without gaps
    rows = max(1, _BLOCK // slices)
    for first in range(0, int(row.max(initial=-1)) + 1, rows):
        start, stop = np.searchsorted(row, (first, first + rows))
        key = (row[start:stop] - first) * slices + of_slice[start:stop]
        block = np.bincount(key, total[start:stop], (int(row[stop - 1]) + 1 - first) * slices).reshape(-1, slices)
        covariance += block.T @ block


def _rows(
    predicted: Floats, recalled: Ints, members: _Members, found: _Estimate, reach: Optional[float]
) -> Iterator[Slice]:
    """The slices that are not blank, in order; their labels are still to be filled in."""
    size = np.bincount(members.slice, minlength=members.slices)
    mean_predicted, mean_recalled = members.total(predicted) / size, members.total(recalled.astype(float)) / size
    for s in range(members.slices):
        difference, degrees = float(mean_recalled[s] - mean_predicted[s]), int(found.degrees[s])
        row = Slice(
            label=0,
            reviews=int(size[s]),
            cards=int(found.cards[s]),
            days=int(found.days[s]),
            predicted=float(mean_predicted[s]),
            recalled=float(mean_recalled[s]),
            difference=difference,
        )
        if reach is not None and degrees >= MIN_GROUPS_OF_SLICE - 1:
            error = float(np.sqrt(found.variance[s]))
            one = student_t_quantile(0.5 + CONFIDENCE / 2, degrees) * error
            all_ = max(one, student_t_quantile(NormalDist().cdf(reach), degrees) * error)
            low, high = difference - one, difference + one
            row = replace(
                row,
                standard_error=error,
                low=low,
                high=high,
                simultaneous_low=difference - all_,
                simultaneous_high=difference + all_,
            )
        yield row

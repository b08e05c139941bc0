"""Observed minus predicted recall in slices of the reviews, with one band that holds for all slices at once.

The mean of y - p (outcome minus prediction) of each slice gets a pointwise interval, clustered by cards and by serially
correlated time as in :mod:`.paired`. Of twenty slices one is outside such an interval by chance alone, so each also
gets a simultaneous one. With the stated confidence *all* slices' true values are in theirs.

The variance of a slice with n reviews is V_card + V_time - V_both, with V_time from the cosine sums over the days on
which the slice has reviews, in their order; V_card and V_both with G groups each are G / (G - 1) * sum over the groups
of (sum of e_i - mean e)^2 / n^2, e = y - p. It is at least V_card, V_time and the variance that a perfect model has by
chance, sum of p_i (1 - p_i) / n^2. The last limit is for slices in which hardly anything was forgotten, whose
deviations do not show how much further ones may vary. Thanks to it a rare outcome does not cause a missing interval
here, as it is for a difference of losses.

The same rule holds for a slice that is a stretch of time, such as a month, over its own days. Only drift within the
month counts as error there. What differs from month to month is what the graph shows.

The band is as wide as the 95% quantile of the largest |t| over the slices demands, for normals with the slices'
correlation: a bad day moves several slices at once, and so does a hard card. The correlation is that of a multiplier
bootstrap in which every card and every day has a normal multiplier, with pairs of both subtracted: V_card + V_day -
V_card,day between slices. Drift would make the correlation larger, so the band is wider without it. The quantile is
then transferred to Student's t of each slice, with its degrees of freedom.

References: Cameron, Gelbach & Miller (2011), J. Bus. Econ. Stat. 29:238, doi 10.1198/jbes.2010.07136 (the variance and
its correction for few groups); Chernozhukov, Chetverikov & Kato (2013), Ann. Stat. 41:2786, doi 10.1214/13-AOS1161 (the
multiplier bootstrap of a largest mean).
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..data.reviews import COMPACT_INT
from ..data.revlog import Ints
from ..interval import CONFIDENCE, MIN_CARDS, MIN_DAYS, NO_REVIEWS, TOO_FEW, ConfidenceInterval
from .paired import Clusters, Floats, SortedGroups, cosine_sums, degrees_of_freedom
from .student_t import student_t_quantile

#: Minimum number of reviews of a slice. Others are left blank.
MINIMUM = 100
#: Number and seed of the draws of the largest |z|.
DRAWS = 10_000
SEED = 2023

#: Maximum number of sums by group and slice that are computed at once, to save memory.
_BLOCK = 2_000_000


@dataclass(frozen=True)
class RecallSlice:
    """Predicted and observed recall of reviews that have something in common.

    If there are too few reviews, only the name and the count are known. If there are too few cards or days, there is
    neither an interval nor a band.
    """

    name: str  #: e.g. "3-4" (days), "Good", "2024-05"
    reviews: int
    predicted: Optional[float]  #: mean predicted probability of recall
    recalled: Optional[float]  #: share that was recalled
    difference: ConfidenceInterval  #: recalled - predicted, with an interval for this slice alone
    band: ConfidenceInterval  #: the same with an interval that holds for all slices of the graph at once

    @property
    def is_miscalibrated(self) -> bool:
        """Whether the band shows that predictions are too high or too low in this slice."""
        return bool(self.band.compare_with())


def slice_recall(
    predicted: Floats, recalled: Ints, label: Ints, names: Sequence[str], clusters: Clusters
) -> Tuple[RecallSlice, ...]:
    """Return observed minus predicted recall in each of the named slices.

    For a perfect model all bands include 0 in 95 of 100 collections. If all predictions were certain and right, the
    interval is exactly 0. The interval is conditional on the fitted parameters.

    Args:
        predicted: The probabilities of recall (n,).
        recalled: The outcomes, 1 or 0 (n,).
        label: The number of each review's slice, from 0 (n,).
        names: The names of the slices 0, 1, ..., which may be empty.
        clusters: The reviews' cards and days.
    """
    count = np.bincount(label, minlength=len(names))
    shown_slices = np.flatnonzero(count >= MINIMUM)
    size = count[shown_slices]
    # Blank slices share the number after the last shown one.
    number_of_slice = np.full(len(names), len(shown_slices), dtype=COMPACT_INT)
    number_of_slice[shown_slices] = np.arange(len(shown_slices))
    number = number_of_slice[label]

    mean_predicted, mean_recalled = (_sums(values, number, size) / size for values in (predicted, recalled))
    has_band, variance, degrees, correlation = _variance_and_correlation(predicted, recalled, number, size, clusters)
    varying_slices = np.flatnonzero(has_band & (variance > 0))
    largest_z = largest_z_quantile(correlation[np.ix_(varying_slices, varying_slices)], DRAWS, SEED)
    slices: List[RecallSlice] = []
    for name, reviews, s in zip(names, count.tolist(), number_of_slice.tolist()):
        if reviews < MINIMUM:
            unknown = ConfidenceInterval(None, reason=TOO_FEW if reviews else NO_REVIEWS)
            slices.append(RecallSlice(name, reviews, None, None, unknown, unknown))
            continue
        difference = float(mean_recalled[s] - mean_predicted[s])
        pointwise = band = ConfidenceInterval(difference, reason=TOO_FEW)
        if has_band[s]:
            error, freedom = float(np.sqrt(variance[s])), float(degrees[s])
            reach = student_t_quantile(0.5 + CONFIDENCE / 2, freedom) * error
            band_reach = max(reach, student_t_quantile(NormalDist().cdf(largest_z), freedom) * error)
            pointwise, band = (
                ConfidenceInterval(difference, difference - x, difference + x, error) for x in (reach, band_reach)
            )
        means = float(mean_predicted[s]), float(mean_recalled[s])
        slices.append(RecallSlice(name, reviews, *means, pointwise, band))
    return tuple(slices)


def largest_z_quantile(correlation: Floats, draws: int, seed: int) -> float:
    """Return the 95% quantile of the largest |z| of normals with this correlation (S, S), by simulation.

    It is kept between the quantile of one |z|, 1.96, and that of S independent ones (Sidak 1967, J. Am. Stat. Assoc.
    62:626). The true quantile is between them. It is 1.96 for no normals.
    """
    lower_limit = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    size = len(correlation)
    if size < 2:
        return lower_limit
    # A difference of covariances may have negative eigenvalues.
    values, vectors = np.linalg.eigh(correlation)
    covariance = (vectors * np.maximum(values, 0.0)) @ vectors.T + 1e-8 * np.eye(size)
    deviation = np.sqrt(np.diag(covariance))
    # Unlike eigenvectors, a Cholesky factor is the same on every machine.
    factor = np.linalg.cholesky(covariance / np.outer(deviation, deviation))
    normals = np.random.default_rng(seed).standard_normal((draws, size)).T.copy()
    largest = np.abs(factor @ normals).max(axis=0)
    upper_limit = NormalDist().inv_cdf(0.5 + CONFIDENCE ** (1 / size) / 2)
    return min(max(lower_limit, float(np.quantile(largest, CONFIDENCE))), upper_limit)


def _sums(values: npt.NDArray[Any], number: Ints, size: Ints) -> Floats:
    """Return the sum of the values (n,) of each slice's reviews, (S,)."""
    return np.bincount(number, values, len(size) + 1)[:-1].astype(np.float64, copy=False)


def _variance_and_correlation(
    predicted: Floats, recalled: Ints, number: Ints, size: Ints, clusters: Clusters
) -> Tuple[npt.NDArray[np.bool_], Floats, Floats, Floats]:
    """Return the variances of the slices' means of y - p, their degrees of freedom and their correlations.

    Args:
        predicted: The probabilities of recall (n,).
        recalled: The outcomes, 1 or 0 (n,).
        number: The number of each review's slice (n,), or S if the slice is blank.
        size: The number of each slice's reviews (S,).
        clusters: The reviews' cards and days.

    Returns:
        Whether a slice has enough cards and days for an interval (S,), the variances (S,), their degrees of freedom
        (S,), and the correlations of the means (S, S).
    """
    error = recalled - predicted
    mean, weight = (np.append(column, 0.0) for column in (_sums(error, number, size) / size, 1 / size))
    influence = (error - mean[number]) * weight[number]
    (cards, effective_cards, by_card), (days, effective_days, by_day), (_pairs, _effective_pairs, by_both) = (
        _covariance(influence, number, len(size), groups) for groups in clusters.sorted_groups
    )
    has_band = (cards >= MIN_CARDS) & (days >= MIN_DAYS)
    covariance = by_card + by_day - by_both
    card, day, both = (np.diag(part) for part in (by_card, by_day, by_both))
    scale = np.sqrt(np.max([np.diag(covariance), card, day], axis=0))
    scale[scale == 0] = 1.0
    correlation = covariance / np.outer(scale, scale)
    np.fill_diagonal(correlation, 1.0)

    shape = len(size) + 1, clusters.days
    entry = number * np.int64(clusters.days) + clusters.day
    daily, reviews = (np.bincount(entry, x, shape[0] * shape[1]).reshape(shape) for x in (influence, None))
    time, cosines = np.zeros(len(size)), np.ones(len(size), dtype=np.int64)
    for s in np.flatnonzero(has_band):
        sums = cosine_sums(daily[s][reviews[s] > 0])
        time[s], cosines[s] = days[s] * float(sums @ sums) / len(sums), len(sums)
    degrees = degrees_of_freedom(card, time, both, effective_cards, effective_days, cosines)
    chance_variance = _sums(predicted * (1 - predicted), number, size) / size.astype(np.float64) ** 2
    variance = np.max([card + time - both, card, time, chance_variance], axis=0)
    return has_band, variance, degrees, correlation


def _covariance(influence: Floats, number: Ints, slices: int, groups: SortedGroups) -> Tuple[Ints, Floats, Floats]:
    """Return the covariance of the slices' means, clustered by these groups of reviews.

    Args:
        influence: The influence of each review on the mean of its slice (n,).
        number: The number of each review's slice (n,), or S if the slice is blank.
        slices: The number of slices, S.
        groups: The reviews sorted by cards, by days or by pairs of both.

    Returns:
        The number of groups with a review in each slice (S,), the effective number of groups as if they were equally
        large (S,), and the covariance (S, S), corrected for few groups.
    """
    width = slices + 1
    singles, order, row = groups
    count = np.bincount(number[singles], minlength=width)
    squares = count.copy()
    covariance = np.diag(np.bincount(number[singles], influence[singles] ** 2, width).astype(np.float64))
    block_rows = max(1, _BLOCK // width)
    for first_row in range(0, int(row[-1]) + 1 if len(row) else 0, block_rows):
        start, stop = np.searchsorted(row, (first_row, first_row + block_rows))
        reviews = order[start:stop]
        entry = (row[start:stop] - first_row) * np.int64(width) + number[reviews]
        entries = (int(row[stop - 1]) + 1 - first_row) * width
        totals = np.bincount(entry, influence[reviews], entries).reshape(-1, width)
        covariance += totals.T @ totals
        sizes = np.bincount(entry, minlength=entries).reshape(-1, width)
        count += (sizes > 0).sum(axis=0)
        squares += (sizes**2).sum(axis=0)
    effective_count = np.bincount(number, minlength=width) ** 2 / np.maximum(squares, 1)
    correction = np.sqrt(count / np.maximum(count - 1, 1))
    return count[:-1], effective_count[:-1], (covariance * np.outer(correction, correction))[:-1, :-1]

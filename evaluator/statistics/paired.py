"""The paired difference of two algorithms on the same reviews, with an interval clustered by cards and time.

Reviews are not independent: those of one card share the card, those of one day share the day, and nearby days are
alike, since a forecaster that is wrong this week is wrong in the same way next week. The variance of the mean
difference D of N reviews is therefore clustered both ways, by cards and by time with serial correlation:

    V = max(V_card + V_time - V_both, V_card, V_time)

V_card, and V_both of the pairs of a card and a day, are jackknifed: (G - 1) / G * sum over the G groups of (mean
without the group - D)^2. V_time is the mean of B squared cosine sums of s_t, the sum of (difference - D) on the t-th of
the T days with reviews: T / B * sum over j = 1 .. B of L_j^2 / N^2, L_j = sqrt(2 / T) * sum over t of s_t cos(pi j (t -
1/2) / T). Slow drift is in the first cosines. What lasts up to about a quarter of the time is caught so; what lasts
longer can be seen by no rule, so an interval is about the days of its reviews. That holds for a part of the time too,
such as a fold. A trend, as of training that improves from fold to fold, widens the interval; taking it out would hide
drift.

A loss that a few lapses decide is skewed, and Student's t is wrong about it: with 10 to 50 lapses one tail was left out
by up to 5% of simulated intervals, the other by less than 1%. The interval is therefore extended on one side by as much
as the skewness of the mean demands (:func:`skewness_corrected_t`), which brought both below 3%. The other side is not
shortened: if a few reviews decide, their skewness is itself due to chance.

References: Chiang, Hansen & Sasaki (2024), Standard errors for two-way clustering with serially correlated time
effects, Rev. Econ. Stat. (the setting: cards, serially correlated time, and what both count taken off); Lazarus, Lewis,
Stock & Watson (2018), HAR inference: recommendations for practice, J. Bus. Econ. Stat. 36:541, doi
10.1080/07350015.2018.1506926 (the equal-weighted cosines and their t distribution with B degrees; our B is smaller
than theirs, 0.41 T^(2/3)); Cameron, Gelbach & Miller (2011), Robust inference with multiway clustering, J. Bus. Econ.
Stat. 29:238 (adding two ways and taking off the pairs); Hall (1992), On the removal of skewness by transformation, J.
R. Stat. Soc. B 54:221 (the skewness).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf, sqrt
from statistics import NormalDist
from typing import Any, List, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ..data.reviews import COMPACT_INT, is_run_start, stable_argsort
from ..data.revlog import Ints
from ..interval import (
    BETTER,
    CANNOT_TELL,
    CONFIDENCE,
    MIN_CARDS,
    MIN_DAYS,
    RARE,
    TOO_FEW,
    WORSE,
    ConfidenceInterval,
    classify,
)
from ..report import Comparison, RarerOutcome, SampleSize
from .student_t import student_t_quantile

Floats = npt.NDArray[np.float64]
Mask = Union[Ints, npt.NDArray[np.bool_]]
Values = Union[float, Floats, Ints]
#: Reviews that are their whole group, then the others group by group, and the number of each of these's group, from 0.
SortedGroups = Tuple[Ints, Ints, Ints]

#: Probability of detecting a difference of the smallest detectable size.
POWER = 0.80

#: A smaller skewness makes no difference beyond rounding.
NEGLIGIBLE_SKEWNESS = 1e-6

#: Minimum and maximum number of cosines that measure the variance over time: otherwise a quarter of the days.
MIN_COSINES, MAX_COSINES = 3, 6

#: Less than one of this many reviews are numbered again by sorting them; more by looking through all numbers.
FEW = 10


@dataclass(frozen=True)
class Clusters:
    """The cards and days of n reviews, numbered; made once for all comparisons on the same reviews.

    The groups are numbered from 0 in the order of their labels, in 32 bits, which are kept as long as the reviews are.
    """

    card: Ints  #: (n,), the number of each review's card
    day: Ints  #: (n,), the number of each review's day
    both: Ints  #: (n,), the number of each review's pair of card and day
    cards: int  #: how many cards there are
    days: int
    recalled: Optional[Ints] = None  #: (n,), each review's outcome, 0 or 1; None if it is not looked at

    @classmethod
    def of(cls, card: Ints, day: Ints, recalled: Optional[Ints] = None) -> Clusters:
        """Number the cards and days of the reviews, which may have any labels (n,); later days have larger ones.

        With the outcomes ``recalled`` (n,) there is no interval if one of the two is too rare.
        """
        order = np.lexsort((day, card))
        card_number, day_number, both = (np.empty(len(order), dtype=np.int32) for _ in range(3))
        new_card, new_day = (is_run_start(label[order]) for label in (card, day))
        card_number[order] = np.cumsum(new_card) - 1
        both[order] = np.cumsum(new_card | new_day) - 1
        by_day = np.argsort(day, kind="stable")  # cheap if reviews are in chronological order
        day_number[by_day] = np.cumsum(is_run_start(day[by_day])) - 1
        cards, days = (int(number.max(initial=-1)) + 1 for number in (card_number, day_number))
        return cls(card_number, day_number, both, cards, days, recalled)

    def take(self, reviews: Mask) -> Clusters:
        """Return the cards and days of some of the reviews, given by a mask or by their indices."""
        card, day, both = (of[reviews] for of in (self.card, self.day, self.both))
        recalled = None if self.recalled is None else self.recalled[reviews]
        if FEW * len(card) < len(self.card):
            return Clusters.of(card, day, recalled)
        (card, cards), (day, days), (both, _) = map(_renumbered, (card, day, both))
        return Clusters(card, day, both, cards, days, recalled)

    @property
    def basis(self) -> SampleSize:
        """Return the sample size of a comparison on these reviews."""
        return SampleSize(len(self.card), self.cards, self.days, self.rarer)

    @property
    def no_interval_reason(self) -> Optional[str]:
        """Reason for no interval: :data:`TOO_FEW` cards or days, or a :data:`RARE` outcome; None if there is one."""
        if self.cards < MIN_CARDS or self.days < MIN_DAYS:
            return TOO_FEW
        return None if self.rarer is None or self.rarer.enough else RARE

    @cached_property
    def rarer(self) -> Optional[RarerOutcome]:
        """Return the number of reviews, cards and days with the rarer outcome; None without outcomes."""
        if self.recalled is None:
            return None
        outcome = int(2 * np.count_nonzero(self.recalled) < len(self.recalled))
        where = np.flatnonzero(self.recalled == outcome)
        cards, days = (int(np.count_nonzero(np.bincount(of[where]))) for of in (self.card, self.day))
        return RarerOutcome(outcome, len(where), cards, days)

    @cached_property
    def card_sizes(self) -> Ints:
        """Return how many reviews each card has, (cards,)."""
        return np.bincount(self.card)

    @cached_property
    def day_sizes(self) -> Ints:
        """Return how many reviews each day has, (days,)."""
        return np.bincount(self.day)

    @cached_property
    def _day_start(self) -> Optional[Ints]:
        """Return the first review of each day; None if the reviews are not in chronological order."""
        start = np.flatnonzero(is_run_start(self.day))
        return start if np.array_equal(self.day[start], np.arange(self.days)) else None

    def daily(self, values: Floats) -> Floats:
        """Return the sum of the values (n,) of each day's reviews, (days,)."""
        if self._day_start is None:
            return np.bincount(self.day, values).astype(np.float64, copy=False)
        sums: Floats = np.add.reduceat(values, self._day_start)
        return sums

    @cached_property
    def sorted_groups(self) -> Tuple[SortedGroups, SortedGroups, SortedGroups]:
        """The reviews sorted by cards, by days, and by pairs of both."""
        return _sort_by_group(self.card), _sort_by_group(self.day), _sort_by_group(self.both)

    @property
    def effective_sizes(self) -> Tuple[float, float, int]:
        """G*_card and G*_day, the effective numbers of cards and days (were all equally large), and B.

        G* = (sum of sizes)^2 / sum of sizes^2: one day with most of the reviews is hardly more than one day.
        """
        cards, days = (len(self.card) ** 2 / float(size @ size) for size in (self.card_sizes, self.day_sizes))
        return cards, days, cosine_count(self.days)

    @cached_property
    def repeated_pairs(self) -> Tuple[Ints, Ints, Ints]:
        """Return the reviews with another one of the same card on the same day: their indices, their pair, the pairs'
        sizes.

        They are few, if any: all others are the only one of their card on their day.
        """
        size = np.bincount(self.both)
        several = size > 1
        which = np.flatnonzero(several[self.both])
        return which, (np.cumsum(several) - 1)[self.both[which]], size[several]


@dataclass(frozen=True)
class VarianceComponents:
    """A mean of differences, with the components of its variance (see the head of this file)."""

    mean: float  #: over all reviews
    card: float  #: V_card, the variance of the mean that is due to cards
    time: float  #: V_time, due to days and to what lasts longer
    both: float  #: V_both, what these two count twice
    degrees: float  #: degrees of freedom of Student's t; a fraction, at least 1
    skewness: float  #: of the mean: sum over cards of the cube of each card's contribution / standard error^3

    @property
    def standard_error(self) -> float:
        """Standard error of the mean."""
        return sqrt(max(self.card + self.time - self.both, self.card, self.time))

    @property
    def interval(self) -> ConfidenceInterval:
        """The 95% interval of the mean."""
        return self.bonferroni_interval(1)

    def bonferroni_interval(self, several: int) -> ConfidenceInterval:
        """Return the mean +- t * standard error; farther on the side to which the skewness bends t.

        So wide that of this many such intervals all hold the truth in at least 95% of cases: each is at 1 - 5% / number
        (Bonferroni).
        """
        t = student_t_quantile(1 - (1 - CONFIDENCE) / 2 / several, self.degrees)
        return _extended_interval(self.mean, self.standard_error, t, self.skewness)


def variance_components(difference: Floats, clusters: Clusters) -> Optional[VarianceComponents]:
    """Return the variance components behind the interval of the mean of ``difference`` (n,); None if it has none.

    Degrees of freedom by Satterthwaite from the two parts a = max(V_card - V_both, 0) and V_time: (a + V_time)^2 /
    (a^2 / (G*_card - 1) + V_time^2 / B); if V is V_card alone, G*_card - 1. In all cases at most min(G*_card,
    G*_day) - 1, and at least 1; see :attr:`Clusters.effective_sizes`.

    References: Satterthwaite (1946), An approximate distribution of estimates of variance components, Biometrics 2:110,
    doi 10.2307/3002019; for G* Kish (1965), Survey sampling.
    """
    if clusters.no_interval_reason is not None:
        return None
    reviews, mean = len(difference), float(difference.mean())
    deviation = difference - mean
    by_card, daily = np.bincount(clusters.card, deviation), clusters.daily(deviation)
    card = _jackknife(by_card, clusters.card_sizes, reviews, clusters.cards)
    sums = cosine_sums(daily)
    time = clusters.days / len(sums) / reviews**2 * _sum_of_squares(sums)
    both = _of_pairs(deviation, clusters)
    return VarianceComponents(
        mean=mean,
        card=card,
        time=time,
        both=both,
        degrees=float(degrees_of_freedom(np.array(card), np.array(time), np.array(both), *clusters.effective_sizes)),
        skewness=_skewness(by_card / reviews, max(card + time - both, card, time)),
    )


def _jackknife(totals: npt.NDArray[Any], size: Ints, reviews: int, groups: int) -> float:
    """Return (G - 1) / G * sum of (mean without the group)^2, from the groups' sums of deviations and sizes."""
    return _sum_of_squares(totals / (reviews - size)) * (groups - 1) / groups


def _of_pairs(deviation: Floats, clusters: Clusters) -> float:
    """Return V_both, jackknifed by the pairs of a card and a day; most pairs are a single review."""
    reviews = len(deviation)
    which, pair, size = clusters.repeated_pairs
    few = deviation[which]
    pairs = reviews - len(which) + len(size)
    alone = _sum_of_squares(deviation) - _sum_of_squares(few)
    repeated_pairs = _jackknife(np.bincount(pair, few, len(size)), size, reviews, pairs)
    return alone * (pairs - 1) / pairs / (reviews - 1) ** 2 + repeated_pairs


def degrees_of_freedom(
    card: Floats, time: Floats, both: Floats, cards: Values, days: Values, cosines: Values
) -> Floats:
    """Return the degrees of freedom of Student's t for means with these variance components; arrays of one shape.

    ``cards`` and ``days`` are G*, ``cosines`` is B (:attr:`Clusters.effective_sizes`).
    """
    alone = np.maximum(card - both, 0.0)
    total = alone**2 / np.maximum(cards - 1, 1) + time**2 / cosines
    result = np.divide((alone + time) ** 2, total, out=np.full_like(total, inf), where=total > 0)
    only_cards = (card + time - both < card) & (card >= time)
    least: Floats = np.minimum(np.where(only_cards, cards - 1, result), np.minimum(cards, days) - 1)
    return np.maximum(least, 1.0)


def cosine_count(days: int) -> int:
    """B: a quarter of the days, rounded, within :data:`MIN_COSINES` and :data:`MAX_COSINES`."""
    return min(max((days + 2) // 4, MIN_COSINES), MAX_COSINES)


def cosine_sums(daily: Floats) -> Floats:
    """L_1 to L_B of the days' sums (T,), see the head of this file; (B, anything) of (T, anything)."""
    sums: Floats = _cosines(len(daily)) @ daily
    return sums


@lru_cache(maxsize=1)
def _cosines(days: int) -> Floats:
    """Return the cosines by which the days' sums are multiplied, (B, T)."""
    angle = np.pi / days * np.outer(np.arange(1, cosine_count(days) + 1), np.arange(days) + 0.5)
    cosines: Floats = sqrt(2 / days) * np.cos(angle)
    return cosines


def skewness_corrected_t(t: float, skewness: float) -> float:
    """Return the value of (mean - truth) / standard error that is as far out as ``t`` of Student's t.

    3 / k * (cbrt(1 + k (t - k / 6)) - 1) for a mean of skewness k; t itself for k = 0. Rises with t. Reference: Hall
    (1992), his third-degree polynomial's inverse.
    """
    if abs(skewness) < NEGLIGIBLE_SKEWNESS:
        return t
    return 3 / skewness * (float(np.cbrt(1 + skewness * (t - skewness / 6))) - 1)


def paired_difference(difference: Floats, clusters: Clusters) -> ConfidenceInterval:
    """Return the mean of ``difference`` (n,) with its 95% interval, clustered by cards and by serially correlated time.

    mean +- t * sqrt(V), on one side a little more; see above and :func:`variance_components`. There is no
    interval with too few cards or days or, if the clusters know the outcomes, too few reviews of the rarer one: too
    skewed for any such rule. A against itself is exactly 0 with an interval of exactly 0. The interval is conditional
    on the fitted parameters.
    """
    return _interval(difference, clusters, variance_components(difference, clusters))


def realized_difference(
    difference: Floats, clusters: Clusters, *, several: int = 1, min_variance: float = 0.0
) -> ConfidenceInterval:
    """Return the mean of ``difference`` (n,) with the 95% interval of how much better one was on just these reviews.

    The interval is about the past: it holds the mean of the differences that were to be expected at each review, given
    all that came before it. Drift and the effects of days and cards are part of this mean, not noise. So the reviews
    count as independent: mean +- 1.96 * standard deviation / sqrt(n), on one side a little more for the skewness.
    It says nothing of what comes. There is none in the cases in which :func:`paired_difference` has none.

    Args:
        difference: of each review (n,).
        clusters: the reviews' cards and days.
        several: number of such intervals that are to hold together in at least 95% of cases (Bonferroni).
        min_variance: least variance of the mean.

    Reference: Choe & Ramdas (2024), Comparing sequential forecasters, Operations Research 72:1368, doi
    10.1287/opre.2021.0792 (what it is about; theirs holds at all times, this one at the end).
    """
    mean = float(difference.mean())
    if clusters.no_interval_reason is not None:
        return ConfidenceInterval(mean, reason=clusters.no_interval_reason)
    shares = (difference - mean) / len(difference)
    variance = max(_sum_of_squares(shares), min_variance)
    z = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2 / several)
    return _extended_interval(mean, sqrt(variance), z, _skewness(shares, variance))


def comparison(algorithm: str, baseline: str, difference: Floats, clusters: Clusters) -> Comparison:
    """Classify ``difference`` (n,): loss of the algorithm minus that of the baseline on each review."""
    result = variance_components(difference, clusters)
    d = _interval(difference, clusters, result)
    return _comparison(algorithm, baseline, d, result, classify(d))


def comparisons_by_group(
    algorithm: str, baseline: str, difference: Floats, group: Ints, clusters: Clusters
) -> Tuple[Comparison, ...]:
    """Compare the algorithm with the baseline in each of several groups, given each review's group number.

    Among many groups some look better by chance. A group is called better or worse only if an interval widened for the
    number of groups (:meth:`VarianceComponents.bonferroni_interval`) excludes 0 too, then each of the rest if one
    widened for their number does, and so on (Holm 1979, Scand. J. Stat. 6:65). Returned intervals are not widened.
    If the two are truly alike in all groups, some group is called better or worse in at most about 5% of collections.

    Args:
        algorithm: its name.
        baseline: the other's.
        difference: loss of each review with the algorithm minus that with the baseline (n,).
        group: the number of each review's preset or deck (n,).
        clusters: the reviews' cards and days.

    No reviews, no groups.
    """
    order = np.argsort(group, kind="stable")
    start = np.unique(group[order], return_index=True)[1]
    parts: List[Tuple[ConfidenceInterval, Optional[VarianceComponents]]] = []
    for part in np.split(order, start[1:]) if len(order) else ():
        own, of_part = clusters.take(part), difference[part]
        result = variance_components(of_part, own)
        parts.append((_interval(of_part, own, result), result))
    doubtful = {number: result for number, (_, result) in enumerate(parts) if result is not None}
    several = 0
    while len(doubtful) != several:
        several = len(doubtful)
        doubtful = {
            number: result
            for number, result in doubtful.items()
            if not result.bonferroni_interval(several).compare_with()
        }
    compared = []
    for number, (d, result) in enumerate(parts):
        code = classify(d)
        if code in (BETTER, WORSE) and number in doubtful:
            code = CANNOT_TELL
        compared.append(_comparison(algorithm, baseline, d, result, code))
    return tuple(compared)


def smallest_detectable(standard_error: float, degrees: float) -> float:
    """Return the true difference at which an interval of this width excludes 0 with probability :data:`POWER`.

    (t(0.975) + t(POWER)) * standard_error, with Student's t at this many degrees of freedom: 2.80 standard errors for
    many, 2.87 for 39, 3.35 for 6. In the unit of the standard error. It says what reviews like these, as many as these,
    could have shown; it says nothing about the difference that was observed, and must not be used so (Hoenig & Heisey
    2001, doi 10.1198/000313001300339897).

    Reference: Bloom (1995), Minimum detectable effects, Evaluation Review 19:547, doi 10.1177/0193841X9501900504.

    Raises ValueError below 1 degree.
    """
    multiple = student_t_quantile(0.5 + CONFIDENCE / 2, degrees) + student_t_quantile(POWER, degrees)
    return multiple * standard_error


def _extended_interval(mean: float, standard_error: float, t: float, skewness: float) -> ConfidenceInterval:
    """Return mean +- t * standard error, farther on the side to which the skewness of the mean bends t."""
    below, above = (max(t, skewness_corrected_t(t, k)) * standard_error for k in (skewness, -skewness))
    return ConfidenceInterval(mean, mean - below, mean + above, standard_error)


def _interval(difference: Floats, clusters: Clusters, components: Optional[VarianceComponents]) -> ConfidenceInterval:
    return (
        ConfidenceInterval(float(difference.mean()), reason=clusters.no_interval_reason)
        if components is None
        else components.interval
    )


def _comparison(
    algorithm: str, baseline: str, d: ConfidenceInterval, components: Optional[VarianceComponents], code: str
) -> Comparison:
    if components is None:
        return Comparison(algorithm, baseline, d, code, None)
    detectable = smallest_detectable(components.standard_error, components.degrees)
    return Comparison(algorithm, baseline, d, code, detectable)


def _renumbered(label: Ints) -> Tuple[Ints, int]:
    """Return the numbers without gaps and in the same order, and how many different ones there are."""
    number = np.cumsum(np.bincount(label) > 0, dtype=np.int32)
    return number[label] - 1, int(number[-1]) if len(number) else 0


def _sort_by_group(group: Ints) -> SortedGroups:
    is_alone = np.bincount(group)[group] == 1
    order = np.flatnonzero(~is_alone)
    order = order[stable_argsort(group[order])]
    row = np.cumsum(is_run_start(group[order])) - 1
    return np.flatnonzero(is_alone), order.astype(COMPACT_INT), row.astype(COMPACT_INT)


def _sum_of_squares(values: Floats) -> float:
    """Return the sum of squares, without BLAS, whose threads cost more than they gain here."""
    return float(np.einsum("i,i->", values, values))


def _skewness(shares: Floats, variance: float) -> float:
    shares = shares / sqrt(variance) if variance > 0 else 0.0 * shares
    return float((shares * shares * shares).sum())

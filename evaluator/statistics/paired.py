"""The paired difference of two algorithms on the same reviews, with an interval clustered by cards and time.

Reviews are not independent. Those of one card share the card, and those of one day share the day. Nearby days are alike
too, because an algorithm that is wrong this week is wrong in the same way next week. The variance of the mean
difference D of N reviews is therefore clustered both by cards and by time with serial correlation:

    V = max(V_card + V_time - V_both, V_card, V_time)

V_card, and V_both of the pairs of a card and a day, are jackknifed: (G - 1) / G * sum over the G groups of (mean
without the group - D)^2. V_time is the mean of B squared cosine sums of s_t, the sum of (difference - D) on the t-th of
the T days with reviews: T / B * sum over j = 1 .. B of L_j^2 / N^2, L_j = sqrt(2 / T) * sum over t of s_t cos(pi j (t -
1/2) / T). Slow drift shows in the first cosines. They capture effects that last up to about a quarter of the time. No
rule can see longer ones, so an interval is about the days of its reviews, which may be a part of the time such as a
fold. A trend, such as training that improves from fold to fold, widens the interval, because removing it would hide
drift.

If a few lapses decide the loss, it is skewed, and Student's t does not fit. With 10 to 50 lapses the truth was beyond
one end of up to 5% of simulated intervals, and beyond the other end of less than 1%. The interval is therefore extended
on one side by as much as the skewness of the mean demands (:func:`skewness_corrected_t`), which brought both below 3%.
The other side is not shortened: if a few reviews decide, their skewness is itself due to chance.

References: Chiang, Hansen & Sasaki (2024), Standard errors for two-way clustering with serially correlated time
effects, Rev. Econ. Stat. (the setting: cards, serially correlated time, and what both count taken off); Lazarus, Lewis,
Stock & Watson (2018), HAR inference: recommendations for practice, J. Bus. Econ. Stat. 36:541, doi
10.1080/07350015.2018.1506926 (the equal-weighted cosines and their t distribution with B degrees; our B is smaller
than theirs, 0.41 T^(2/3)); Cameron, Gelbach & Miller (2011), Robust inference with multiway clustering, J. Bus. Econ.
Stat. 29:238 (adding two ways and taking off the pairs); Hall (1992), On the removal of skewness by transformation, J.
R. Stat. Soc. B 54:221 (the skewness).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf, sqrt
from statistics import NormalDist
from typing import Optional, Sequence, Tuple, Union

import numpy as np

from ..data.reviews import COMPACT_INT, is_run_start
from ..data.revlog import Bools, Ints
from ..derivatives import Floats
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

#: Minimum size of a skewness that is corrected. Smaller ones change nothing beyond rounding.
NEGLIGIBLE_SKEWNESS = 1e-6

#: Minimum and maximum number of cosines that measure the variance over time. In between it is a quarter of the days.
MIN_COSINES, MAX_COSINES = 3, 6


@dataclass(frozen=True)
class Clusters:
    """The cards and days of n reviews, numbered once for all comparisons on the same reviews.

    The numbers start at 0, in the order of the labels. They have 32 bits to save memory, because they are kept as long
    as the reviews.
    """

    card: Ints  #: (n,) number of each review's card
    day: Ints  #: (n,) number of each review's day
    both: Ints  #: (n,) number of each review's pair of card and day
    cards: int  #: number of cards
    days: int  #: number of days
    recalled: Optional[Ints] = None  #: (n,) outcomes, 0 or 1, or None if a rare outcome does not matter

    @classmethod
    def of(cls, card: Ints, day: Ints, recalled: Optional[Ints] = None) -> Clusters:
        """Number the cards and days of the reviews.

        Args:
            card: a label of each review's card (n,).
            day: a label of each review's day (n,). Later days have larger ones.
            recalled: the outcomes (n,). If they are given, there is no interval if one of the two is too rare.
        """
        order = np.lexsort((day, card))
        card_number, day_number, both = (np.empty(len(order), dtype=COMPACT_INT) for _ in range(3))
        new_card, new_day = (is_run_start(label[order]) for label in (card, day))
        card_number[order] = np.cumsum(new_card) - 1
        both[order] = np.cumsum(new_card | new_day) - 1
        # A stable sort is cheap if reviews are in chronological order.
        by_day = np.argsort(day, kind="stable")
        day_number[by_day] = np.cumsum(is_run_start(day[by_day])) - 1
        cards, days = (int(number.max(initial=-1)) + 1 for number in (card_number, day_number))
        return cls(card_number, day_number, both, cards, days, recalled)

    def take(self, selected: Union[Ints, Bools]) -> Clusters:
        """Return the clusters of some of the reviews, given by a mask or by their indices."""
        recalled = None if self.recalled is None else self.recalled[selected]
        return Clusters.of(self.card[selected], self.day[selected], recalled)

    @property
    def basis(self) -> SampleSize:
        """The sample size of a comparison on these reviews."""
        return SampleSize(len(self.card), self.cards, self.days, self.rarer)

    @property
    def no_interval_reason(self) -> Optional[str]:
        """The reason for a missing interval, :data:`TOO_FEW` cards or days or a :data:`RARE` outcome, or None."""
        if self.cards < MIN_CARDS or self.days < MIN_DAYS:
            return TOO_FEW
        return None if self.rarer is None or self.rarer.is_enough else RARE

    @cached_property
    def rarer(self) -> Optional[RarerOutcome]:
        """The number of reviews, cards and days with the rarer outcome, or None without outcomes."""
        if self.recalled is None:
            return None
        outcome = int(2 * np.count_nonzero(self.recalled) < len(self.recalled))
        indices = np.flatnonzero(self.recalled == outcome)
        cards, days = (int(np.count_nonzero(np.bincount(group[indices]))) for group in (self.card, self.day))
        return RarerOutcome(outcome, len(indices), cards, days)

    @cached_property
    def effective_sizes(self) -> Tuple[float, float, int]:
        """The effective numbers of cards and days, G*_card and G*_day, and the number of cosines, B.

        G* = (sum of sizes)^2 / sum of sizes^2. If one day has most of the reviews, G*_day is hardly more than 1.
        """
        cards, days = (len(group) ** 2 / float(np.sum(np.bincount(group) ** 2)) for group in (self.card, self.day))
        return cards, days, cosine_count(self.days)


@dataclass(frozen=True)
class VarianceComponents:
    """A mean of differences, with the components of its variance as in the docstring of this file."""

    mean: float  #: mean over all reviews
    card: float  #: V_card, the variance of the mean that is due to cards
    time: float  #: V_time, the variance that is due to days and to drift
    both: float  #: V_both, the part that V_card and V_time both contain
    degrees: float  #: degrees of freedom of Student's t, at least 1 and not always an integer
    standard_error: float  #: standard error of the mean
    skewness: float  #: skewness of the mean: sum over cards of the cube of each card's contribution / standard error^3


def variance_components(difference: Floats, clusters: Clusters) -> Optional[VarianceComponents]:
    """Return the variance components of the mean of ``difference`` (n,), or None if it has no interval.

    The degrees of freedom are those of Satterthwaite for the two parts a = max(V_card - V_both, 0) and V_time, (a +
    V_time)^2 / (a^2 / (G*_card - 1) + V_time^2 / B), or G*_card - 1 if V is V_card alone. They are at least 1 and at
    most min(G*_card, G*_day) - 1, see :attr:`Clusters.effective_sizes`.

    References: Satterthwaite (1946), An approximate distribution of estimates of variance components, Biometrics 2:110,
    doi 10.2307/3002019; for G* Kish (1965), Survey sampling.
    """
    if clusters.no_interval_reason is not None:
        return None
    n_reviews = len(difference)
    mean = float(difference.mean())
    deviation = difference - mean
    card = _jackknife(deviation, clusters.card)
    both = _jackknife(deviation, clusters.both)
    sums = cosine_sums(np.bincount(clusters.day, deviation))
    time = clusters.days / len(sums) / n_reviews**2 * _sum_of_squares(sums)
    degrees = _degrees_of_freedom(card, time, both, clusters.effective_sizes)
    variance = max(card + time - both, card, time)
    skewness = _skewness(np.bincount(clusters.card, deviation) / n_reviews, variance)
    return VarianceComponents(
        mean=mean, card=card, time=time, both=both, degrees=degrees, standard_error=sqrt(variance), skewness=skewness
    )


def _jackknife(deviation: Floats, group: Ints) -> float:
    """Return the jackknifed variance of the mean, given each review's deviation from it and its group (n,)."""
    size = np.bincount(group)
    means = np.bincount(group, deviation) / (len(deviation) - size)
    return _sum_of_squares(means) * (len(size) - 1) / len(size)


def _degrees_of_freedom(card: float, time: float, both: float, sizes: Tuple[float, float, int]) -> float:
    """Return the degrees of freedom of Student's t, as in :func:`variance_components`.

    Args:
        card: V_card.
        time: V_time.
        both: V_both.
        sizes: see :attr:`Clusters.effective_sizes`.
    """
    cards, days, cosines = sizes
    card_only = max(card - both, 0.0)
    denominator = card_only**2 / max(cards - 1, 1) + time**2 / cosines
    result = (card_only + time) ** 2 / denominator if denominator > 0 else inf
    if card + time - both < card and card >= time:
        result = cards - 1
    return max(min(result, cards - 1, days - 1), 1.0)


def cosine_count(days: int) -> int:
    """Return the number of cosines B, a quarter of the days within :data:`MIN_COSINES` and :data:`MAX_COSINES`."""
    return min(max((days + 2) // 4, MIN_COSINES), MAX_COSINES)


def cosine_sums(daily: Union[Floats, Ints]) -> Floats:
    """Return the cosine sums L_1 to L_B (B,) of the days' sums (T,), as in the docstring of this file."""
    sums: Floats = _cosines(len(daily)) @ daily
    return sums


@lru_cache(maxsize=1)
def _cosines(days: int) -> Floats:
    """Return the factors of the days' sums in the cosine sums, (B, T)."""
    angle = np.pi / days * np.outer(np.arange(1, cosine_count(days) + 1), np.arange(days) + 0.5)
    factors: Floats = sqrt(2 / days) * np.cos(angle)
    return factors


def skewness_corrected_t(t: float, skewness: float) -> float:
    """Return the quantile of (mean - truth) / standard error at the probability of the quantile ``t`` of Student's t.

    It is 3 / k * (cbrt(1 + k (t - k / 6)) - 1) for a mean of skewness k, and t itself for k = 0.

    Reference: Hall (1992), the inverse of his third-degree polynomial.
    """
    if abs(skewness) < NEGLIGIBLE_SKEWNESS:
        return t
    return 3 / skewness * (float(np.cbrt(1 + skewness * (t - skewness / 6))) - 1)


def paired_difference(difference: Floats, clusters: Clusters) -> ConfidenceInterval:
    """Return the mean of ``difference`` (n,) with its 95% interval, clustered by cards and by serially correlated time.

    The interval is mean +- t * sqrt(V), extended on one side for the skewness. It is conditional on the fitted
    parameters. An algorithm minus itself gets the interval from 0 to 0. There is no interval if there are too few cards
    or days. There is none either if the clusters have outcomes and the rarer one has too few reviews, because then the
    mean is too skewed.
    """
    components = variance_components(difference, clusters)
    if components is None:
        return ConfidenceInterval(float(difference.mean()), reason=clusters.no_interval_reason)
    t = student_t_quantile(components.degrees)
    return _extended_interval(components.mean, components.standard_error, t, components.skewness)


def realized_difference(
    difference: Floats, clusters: Clusters, *, n_intervals: int = 1, min_variance: float = 0.0
) -> ConfidenceInterval:
    """Return the mean of ``difference`` (n,) with the 95% interval of the advantage on just these past reviews.

    The interval contains the mean of the differences that were to be expected at each review, given everything before
    it. Drift and the effects of days and cards are part of this mean, not noise. So the reviews count as independent,
    and the interval is mean +- 1.96 * standard deviation / sqrt(n), extended on one side for the skewness. It says
    nothing about the future. There is none if :func:`paired_difference` has none.

    Args:
        difference: the difference of each review (n,).
        clusters: the reviews' cards and days.
        n_intervals: number of such intervals that must all be right in at least 95% of cases (Bonferroni).
        min_variance: minimum variance of the mean.

    Reference: Choe & Ramdas (2024), Comparing sequential forecasters, Operations Research 72:1368, doi
    10.1287/opre.2021.0792. Their interval holds at all times, and this one at the end.
    """
    mean = float(difference.mean())
    if clusters.no_interval_reason is not None:
        return ConfidenceInterval(mean, reason=clusters.no_interval_reason)
    shares = (difference - mean) / len(difference)
    variance = max(_sum_of_squares(shares), min_variance)
    z = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2 / n_intervals)
    return _extended_interval(mean, sqrt(variance), z, _skewness(shares, variance))


def compare(algorithm: str, baseline: str, difference: Floats, clusters: Clusters) -> Comparison:
    """Compare the algorithm with the baseline, given the difference of their losses on each of these reviews (n,)."""
    interval = realized_difference(difference, clusters)
    return Comparison(algorithm, baseline, interval, classify(interval))


def compare_by_group(
    algorithm: str, baseline: str, difference: Floats, groups: Sequence[Ints], clusters: Clusters
) -> Tuple[Comparison, ...]:
    """Compare the algorithm with the baseline in each of several groups.

    Among many groups some look better by chance. A group is called better or worse only if an interval widened for the
    number of groups excludes 0 too. Then the remaining groups are tested with intervals widened for their number, and
    so on (Holm 1979, Scand. J. Stat. 6:65). Returned intervals are not widened. If the two are equally good in all
    groups, some group is called better or worse in at most about 5% of collections.

    Args:
        algorithm: the name of the algorithm.
        baseline: the name of the baseline.
        difference: the loss of the algorithm minus that of the baseline on each review (n,).
        groups: the indices of each group's reviews.
        clusters: the reviews' cards and days.
    """
    parts = [(difference[indices], clusters.take(indices)) for indices in groups]
    result = [compare(algorithm, baseline, *part) for part in parts]
    undecided = [number for number, item in enumerate(result) if item.difference.low_high is not None]
    n_tested = 0
    while len(undecided) != n_tested:
        n_tested = len(undecided)
        widened = {number: realized_difference(*parts[number], n_intervals=n_tested) for number in undecided}
        undecided = [number for number, interval in widened.items() if not interval.compare_with()]
    return tuple(
        replace(item, code=CANNOT_TELL) if item.code in (BETTER, WORSE) and number in undecided else item
        for number, item in enumerate(result)
    )


def _extended_interval(mean: float, standard_error: float, t: float, skewness: float) -> ConfidenceInterval:
    """Return mean +- t * standard error, extended on the side on which the skewness of the mean requires it."""
    below, above = (max(t, skewness_corrected_t(t, k)) * standard_error for k in (skewness, -skewness))
    return ConfidenceInterval(mean, mean - below, mean + above, standard_error)


def _sum_of_squares(values: Floats) -> float:
    """Return the sum of squares. It is computed without BLAS, whose threads cost more than they gain here."""
    return float(np.einsum("i,i->", values, values))


def _skewness(shares: Floats, variance: float) -> float:
    """Return the skewness of a mean with this variance, given the independent shares that add up to its error."""
    standardized = shares / sqrt(variance) if variance > 0 else 0.0 * shares
    return float((standardized * standardized * standardized).sum())

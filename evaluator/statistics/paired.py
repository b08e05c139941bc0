"""The paired difference of two algorithms on the same reviews, with an interval that knows cards and days.

Reviews are not independent: those of one card share the card, those of one day share the day. The variance of the mean
difference is therefore clustered both ways, V = V_card + V_day - V_card,day, with V_g = G / (G - 1) * sum over the G
groups of kind g of (sum of d_i - mean d)^2 / N^2. The factor makes up for the mean having been taken from the same
groups: without it an interval from 45 days is a little too short.

Reference: Cameron, Gelbach & Miller (2011), Robust inference with multiway clustering, J. Bus. Econ. Stat. 29:238.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Tuple, Union

import numpy as np
import numpy.typing as npt

from ..interval import CONFIDENCE, MIN_GROUPS, TOO_FEW, Interval, judge
from ..report import Comparison
from ..revlog import Ints
from .student_t import holm, student_t_p_value, student_t_quantile

Floats = npt.NDArray[np.float64]

#: The chance with which a difference of the smallest detectable size would be found.
POWER = 0.80


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

    @classmethod
    def of(cls, card: Ints, day: Ints) -> Clusters:
        """Number the cards and days of the reviews, which may have any labels (n,)."""
        order = np.lexsort((day, card))
        card_number, day_number, both = (np.empty(len(order), dtype=np.int32) for _ in range(3))
        new_card, new_day = (_differs(label[order]) for label in (card, day))
        card_number[order] = np.cumsum(new_card) - 1
        both[order] = np.cumsum(new_card | new_day) - 1
        by_day = np.argsort(day, kind="stable")  # at once where reviews are in the order of time
        day_number[by_day] = np.cumsum(_differs(day[by_day])) - 1
        return cls(
            card_number, day_number, both, *(int(number.max(initial=-1)) + 1 for number in (card_number, day_number))
        )

    @property
    def degrees(self) -> int:
        """Degrees of freedom: one less than there are cards, or days where these are fewer."""
        return min(self.cards, self.days) - 1


def paired_difference(difference: Floats, clusters: Clusters) -> Interval:
    """The mean of ``difference`` (n,) with its two-way clustered 95 % interval; none with too few cards or days.

    mean +- t * sqrt(V), t with min(cards, days) - 1 degrees of freedom; V is never taken smaller than either one-way
    variance. A against itself is exactly 0 with an interval of exactly 0. The interval is conditional on the fitted
    parameters.
    """
    mean = float(difference.mean())
    if clusters.degrees < MIN_GROUPS - 1:
        return Interval(mean, reason=TOO_FEW)
    deviation = difference - mean
    by_card, by_day, by_both = (_variance(deviation, group) for group in (clusters.card, clusters.day, clusters.both))
    standard_error = float(np.sqrt(max(by_card + by_day - by_both, by_card, by_day)))
    reach = student_t_quantile(0.5 + CONFIDENCE / 2, clusters.degrees) * standard_error
    return Interval(mean, mean - reach, mean + reach, standard_error)


def comparison(algorithm: str, baseline: str, difference: Floats, clusters: Clusters) -> Comparison:
    """What ``difference`` (n,), loss of the algorithm minus that of the baseline on each review, means in practice."""
    d = paired_difference(difference, clusters)
    return _comparison(algorithm, baseline, d, clusters, judge(d))


def comparisons_by_group(
    algorithm: str, baseline: str, difference: Floats, group: Ints, clusters: Clusters
) -> Tuple[Comparison, ...]:
    """What the algorithm gains or loses against the baseline in each of several groups, by the groups' numbers.

    Among many groups some look better by chance, so their p-values are adjusted after Holm (1979, Scand. J. Stat. 6:65)
    before they decide; the intervals are not, and may leave out 0 where the adjusted p-value does not. Where the two
    are truly alike in all groups, some group is called better or worse in at most about 5 % of collections.

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
    parts: List[Tuple[Interval, Clusters]] = []
    for part in np.split(order, start[1:]) if len(order) else ():
        own = Clusters.of(clusters.card[part], clusters.day[part])
        parts.append((paired_difference(difference[part], own), own))
    adjusted = iter(holm([p_value(d, own.degrees) for d, own in parts if d.ends is not None]))
    return tuple(
        _comparison(algorithm, baseline, d, own, judge(d, p_value=None if d.ends is None else next(adjusted)))
        for d, own in parts
    )


def p_value(d: Interval, degrees: int) -> float:
    """The chance of a mean difference as far from 0 as ``d``, which has an interval, if there were none in truth."""
    mean, error = d.known, d.standard_error or 0.0
    return student_t_p_value(mean / error if error > 0 else float("inf") if mean else 0.0, degrees)


def smallest_detectable(standard_error: float, degrees: int) -> float:
    """The true difference that an interval of this width would tell from 0 with a chance of :data:`POWER`.

    (t(0.975) + t(POWER)) * standard_error, with Student's t at so many degrees of freedom: 2.80 standard errors for
    many, 2.87 for 39. In the unit of the standard error. It says what reviews like these, as many as these, could have
    shown; it is no statement about the difference that was found, and not to be used as one (Hoenig & Heisey 2001,
    doi 10.1198/000313001300339897).

    Reference: Bloom (1995), Minimum detectable effects, Evaluation Review 19:547, doi 10.1177/0193841X9501900504.

    Raises ValueError below 10 degrees (see :func:`student_t_quantile`).
    """
    multiple = student_t_quantile(0.5 + CONFIDENCE / 2, degrees) + student_t_quantile(POWER, degrees)
    return multiple * standard_error


def few_groups_factor(groups: Union[int, Floats, Ints]) -> Floats:
    """G / (G - 1), which makes up for the mean having been taken from the same G groups; 1 for a single group."""
    return groups / np.maximum(groups - 1, 1)


def _comparison(algorithm: str, baseline: str, d: Interval, clusters: Clusters, code: str) -> Comparison:
    error = d.standard_error
    return Comparison(
        algorithm, baseline, d, code, None if error is None else smallest_detectable(error, clusters.degrees)
    )


def _differs(label: Ints) -> npt.NDArray[np.bool_]:
    """Whether each of the sorted labels differs from the one before it; the first does."""
    new = np.ones(len(label), dtype=bool)
    new[1:] = label[1:] != label[:-1]
    return new


def _variance(deviation: Floats, group: Ints) -> float:
    total = np.bincount(group, deviation)
    return float(few_groups_factor(len(total)) * float((total**2).sum()) / len(deviation) ** 2)

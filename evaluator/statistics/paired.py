"""The paired difference of two algorithms on the same reviews, with an interval that knows cards and days.

Reviews are not independent: those of one card share the card, those of one day share the day. The variance of the mean
difference is therefore clustered both ways, V = V_card + V_day - V_card,day, with V_g = G / (G - 1) * sum over the G
groups of kind g of (sum of d_i - mean d)^2 / N^2. The factor makes up for the mean having been taken from the same
groups: without it an interval from 45 days is a little too short.

Reference: Cameron, Gelbach & Miller (2011), Robust inference with multiway clustering, J. Bus. Econ. Stat. 29:238.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import numpy as np
import numpy.typing as npt

from ..report import MIN_GROUPS
from ..revlog import Ints
from .quantiles import student_t_quantile

Floats = npt.NDArray[np.float64]

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Difference:
    """A mean difference; without an interval where there are too few cards or days."""

    mean: float
    standard_error: Optional[float]
    low: Optional[float]
    high: Optional[float]


@dataclass(frozen=True)
class Clusters:
    """Which of n reviews belong together; found once for all comparisons on the same reviews.

    The groups are numbered from 0 in the order of their labels, in 32 bits, which are kept as long as the reviews are.
    """

    card: Ints  #: (n,), the number of each review's card
    day: Ints
    both: Ints  #: of its card and day together
    cards: int  #: how many there are
    days: int

    @classmethod
    def of(cls, card: Ints, day: Ints) -> Clusters:
        """From the labels of each review's card and day (n,)."""
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


def paired_difference(difference: Floats, clusters: Clusters) -> Difference:
    """The mean of ``difference`` (n,) with its two-way clustered 95 % interval.

    mean +- t * sqrt(V), t with min(cards, days) - 1 degrees of freedom; V is never taken smaller than either one-way
    variance. A against itself is exactly 0 with an interval of exactly 0. The interval is conditional on the fitted
    parameters.
    """
    mean = float(difference.mean())
    groups = min(clusters.cards, clusters.days)
    if groups < MIN_GROUPS:
        return Difference(mean, None, None, None)
    deviation = difference - mean
    by_card, by_day, by_both = (_variance(deviation, group) for group in (clusters.card, clusters.day, clusters.both))
    standard_error = float(np.sqrt(max(by_card + by_day - by_both, by_card, by_day)))
    reach = student_t_quantile(0.5 + CONFIDENCE / 2, groups - 1) * standard_error
    return Difference(mean, standard_error, mean - reach, mean + reach)


def few_groups_factor(groups: int) -> float:
    """G / (G - 1), of two groups or more."""
    return groups / (groups - 1)


def _differs(label: Ints) -> npt.NDArray[np.bool_]:
    """Where a sorted label is another than the one before; the first is."""
    new = np.ones(len(label), dtype=bool)
    new[1:] = label[1:] != label[:-1]
    return new


def _variance(deviation: Floats, group: Ints) -> float:
    total = np.bincount(group, deviation)
    return few_groups_factor(len(total)) * float((total**2).sum()) / len(deviation) ** 2

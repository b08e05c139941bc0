"""The paired difference of two algorithms on the same reviews, with an interval that knows cards and days.

Reviews are not independent: those of one card share the card, those of one day share the day. The variance of the mean
difference is therefore clustered both ways, V = V_card + V_day - V_card,day, with V_g = sum over the groups of g of
(sum of d_i - mean d)^2 / N^2.

Reference: Cameron, Gelbach & Miller (2011), Robust inference with multiway clustering, J. Bus. Econ. Stat. 29:238.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

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


def paired_difference(difference: Floats, card: Ints, day: Ints) -> Difference:
    """The mean of ``difference`` (n,) with its two-way clustered 95 % interval.

    mean +- t * sqrt(V), t with min(cards, days) - 1 degrees of freedom; V is never taken smaller than either one-way
    variance. A against itself is exactly 0 with an interval of exactly 0. The interval is conditional on the fitted
    parameters.
    """
    mean = float(difference.mean())
    card_index, cards = _index(card)
    day_index, days = _index(day)
    if min(cards, days) < MIN_GROUPS:
        return Difference(mean, None, None, None)
    both_index, _ = _index(card_index * days + day_index)
    deviation = difference - mean
    by_card, by_day, by_both = (_variance(deviation, index) for index in (card_index, day_index, both_index))
    standard_error = float(np.sqrt(max(by_card + by_day - by_both, by_card, by_day)))
    reach = student_t_quantile(0.5 + CONFIDENCE / 2, min(cards, days) - 1) * standard_error
    return Difference(mean, standard_error, mean - reach, mean + reach)


def _index(label: Ints) -> Tuple[Ints, int]:
    distinct, index = np.unique(label, return_inverse=True)
    return index, len(distinct)


def _variance(deviation: Floats, group: Ints) -> float:
    return float((np.bincount(group, deviation) ** 2).sum()) / len(deviation) ** 2

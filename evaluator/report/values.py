"""What several parts of a report are made of, beside :class:`evaluator.interval.Interval`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from ..interval import Interval


@dataclass(frozen=True)
class Comparison:
    """Paired difference of log loss, ``algorithm`` minus ``baseline``, on the same reviews (negative: better).

    The interval is clustered by card and by day; there is none where there are too few of either. ``code`` is what it
    allows to say, see :func:`evaluator.interval.judge`: "equivalent" (all of it within :attr:`Report.margin` of 0),
    else "better" or "worse" (it leaves out 0), else "cannot_tell"; "too_few" where there is none.
    """

    algorithm: str
    baseline: str
    difference: Interval  #: mean log loss, algorithm minus baseline
    code: str
    smallest_detectable: Optional[float]  #: the true difference that such reviews would have shown four times in five


@dataclass(frozen=True)
class Basis:
    """What a comparison rests on: how many scored reviews, and how many cards and days are among them."""

    reviews: int
    cards: int
    days: int

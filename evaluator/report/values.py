"""What several parts of a report are made of, beside :class:`evaluator.interval.Interval`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional

from ..errors import EvaluatorError
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


@dataclass(frozen=True)
class Failure:
    """Why there are no numbers: the code and the facts of one of :mod:`evaluator.errors`.

    Two more codes: "arithmetic" (a calculation broke down, ``detail`` says how) and "no_result" (of ``algorithm``).
    """

    code: str  #: e.g. "reviews_uncovered"
    facts: Dict[str, Any]  #: numbers and names, by what they are: {"uncovered": 4, ...}

    @classmethod
    def of(cls, error: EvaluatorError) -> Failure:
        """The code and the facts of an error."""
        return cls(error.code, dict(error.facts))

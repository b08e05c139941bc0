"""What several parts of a report are made of, beside :class:`evaluator.interval.Interval`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional

from ..errors import EvaluatorError
from ..interval import Interval


@dataclass(frozen=True)
class Comparison:
    """Paired difference of log loss, ``algorithm`` minus ``baseline``, on the same reviews (negative: better).

    The interval is clustered by card and by time; there is none where there are too few cards or days, or too few
    reviews of the rarer outcome. ``code`` is what it allows to say, see :func:`evaluator.interval.judge`: "equivalent"
    (all of it within :attr:`Report.margin` of 0), else "better" or "worse" (it leaves out 0), else "cannot_tell";
    "too_few" or "rare_outcome" where there is none.
    """

    algorithm: str
    baseline: str
    difference: Interval  #: mean log loss, algorithm minus baseline
    code: str
    smallest_detectable: Optional[float]  #: the true difference that such reviews would have shown four times in five
    #: Mean difference of the earlier half of these reviews (a day is never divided); None without an interval.
    earlier_half: Optional[float] = None
    later_half: Optional[float] = None  #: and of the later half

    @property
    def turned(self) -> bool:
        """Whether the two halves have opposite signs."""
        return self.earlier_half is not None and self.later_half is not None and self.earlier_half * self.later_half < 0


@dataclass(frozen=True)
class RarerOutcome:
    """Forgotten or remembered, whichever is the rarer among some reviews; forgotten where they are equal."""

    outcome: int  #: 0: forgotten, 1: remembered
    reviews: int  #: with this outcome
    cards: int  #: among them
    days: int  #: likewise


@dataclass(frozen=True)
class Basis:
    """What a comparison rests on: how many scored reviews, how many cards and days, and the rarer outcome."""

    reviews: int
    cards: int
    days: int
    rarer: Optional[RarerOutcome] = None  #: None where it is not known


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

"""What several parts of a report are made of: estimates, comparisons, and the limits that both go by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

#: With fewer cards or fewer days than this, clustered intervals are too short, and none is given.
MIN_GROUPS = 40

#: Differences of at most this size do not matter, in nats of log loss. Saying 0.88 where 0.90 is true costs
#: 0.9 ln(0.90 / 0.88) + 0.1 ln(0.10 / 0.12) = 0.0020, and nobody would notice: at a desired retention of 90 %, being
#: off by two points shifts one more review in fifty from remembered to forgotten. It is also a tenth to a
#: twenty-fifth of what the best algorithm gains on guessing the average (0.02 to 0.05).
MARGIN = 0.002


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval; without one where there are too few cards or days."""

    value: float  #: the number itself
    standard_error: Optional[float]
    low: Optional[float]
    high: Optional[float]


@dataclass(frozen=True)
class Comparison:
    """Paired difference of log loss, ``algorithm`` minus ``baseline``, on the same reviews (negative: better).

    ``low`` and ``high`` are the 95 % interval, clustered by card and by day; None where there are too few of either.
    ``code`` is what the interval allows to say, see :func:`evaluator.statistics.equivalence.outcome`: "equivalent" (all
    of it within :attr:`Report.margin` of 0), else "better" or "worse" (it leaves out 0), else "cannot_tell";
    "no_interval" where there is none.
    """

    algorithm: str
    baseline: str
    difference: float  #: mean log loss, algorithm minus baseline
    standard_error: Optional[float]
    low: Optional[float]
    high: Optional[float]
    code: str
    smallest_detectable: Optional[float]  #: the true difference that such reviews would have shown four times in five

    @property
    def interval(self) -> Optional[Tuple[float, float]]:
        """(low, high), or None."""
        return None if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True)
class Basis:
    """What a comparison rests on: how many scored reviews, and how many cards and days are among them."""

    reviews: int
    cards: int
    days: int

"""What a paired difference means in practice: better, worse, equivalent, or cannot tell.

An interval alone answers "is there a difference?", and with enough reviews the answer is always yes. A practical margin
adds the other question, "would it matter?".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from ..report import MARGIN
from .paired import CONFIDENCE, Difference
from .quantiles import student_t_quantile

#: The chance with which a difference of the smallest detectable size would be found.
POWER = 0.80

BETTER, WORSE, EQUIVALENT, CANNOT_TELL, TOO_FEW = "better", "worse", "equivalent", "cannot_tell", "too_few"


@dataclass(frozen=True)
class Practical:
    """What a difference means in practice."""

    outcome: str  #: "better", "worse", "equivalent", "cannot_tell" or "too_few"
    margin: float  #: that was taken as too small to matter, in the unit of the difference
    smallest_detectable: Optional[float]  #: see the function of that name; None for "too_few"


def practical(difference: Difference, degrees: int, *, margin: float = MARGIN) -> Practical:
    """The outcome for a difference of losses, A minus B, with the smallest difference that could have been found.

    Args:
        difference: of A minus B, so that negative means that A is better, in nats for log loss.
        degrees: of freedom of its interval, min(cards, days) - 1; not looked at where there is no interval.
        margin: differences of at most this size do not matter; in the unit of the difference.

    See :func:`outcome` and :func:`smallest_detectable`, and for what they raise.
    """
    found = outcome(difference, margin=margin)
    error = difference.standard_error
    return Practical(found, margin, None if error is None else smallest_detectable(error, degrees))


def outcome(difference: Difference, *, margin: float = MARGIN) -> str:
    """Which of five things may be said of A minus B, a difference of losses (negative: A is better).

    * "equivalent": the whole 95 % interval lies within -margin to margin, ends included. This comes first: a difference
      that is certainly there and certainly too small to matter is called equivalent, since the word is for somebody who
      has to choose.
    * "better" / "worse": else, the interval lies below / above 0. The difference is there; it may still be smaller
      than the margin.
    * "cannot_tell": else. 0 is possible, and so is a difference that matters.
    * "too_few": there is no interval, for want of cards or days.

    The test of equivalence is that of two one-sided tests; with the 95 % interval instead of the usual 90 % one, so
    that a single interval bears both statements, each one-sided test is at 2.5 %, and algorithms that differ by the
    margin or more are called equivalent at most 2.5 % of the time. A against itself is equivalent for every margin.

    Reference: Schuirmann (1987), J. Pharmacokinet. Biopharm. 15:657, doi 10.1007/BF01068419. The three-way reading of
    an interval against a region of practical equivalence is that of Kruschke (2018), doi 10.1177/2515245918771304.

    Raises ValueError for a margin that is negative or not a number.
    """
    if not margin >= 0:
        raise ValueError(f"a margin of {margin}; it cannot be below 0")
    if difference.low is None or difference.high is None:
        return TOO_FEW
    if -margin <= difference.low and difference.high <= margin:
        return EQUIVALENT
    if difference.high < 0:
        return BETTER
    return WORSE if difference.low > 0 else CANNOT_TELL


def smallest_detectable(standard_error: float, degrees: int, *, power: float = POWER) -> float:
    """The true difference that an interval of this width would tell from 0 with a chance of ``power``.

    (t(0.975) + t(power)) * standard_error, with Student's t at so many degrees of freedom: 2.80 standard errors for
    many, 2.87 for 39. In the unit of the standard error. It says what reviews like these, as many as these, could have
    shown; it is no statement about the difference that was found, and not to be used as one (Hoenig & Heisey 2001,
    doi 10.1198/000313001300339897).

    Reference: Bloom (1995), Minimum detectable effects, Evaluation Review 19:547, doi 10.1177/0193841X9501900504.

    Raises ValueError below 10 degrees (see :func:`student_t_quantile`) and for a power outside 0.5 to 0.995.
    """
    if not 0.5 <= power <= 0.995:
        raise ValueError(f"a power of {power}; it must be between 0.5 and 0.995")
    multiple = student_t_quantile(0.5 + CONFIDENCE / 2, degrees) + student_t_quantile(power, degrees)
    return multiple * standard_error

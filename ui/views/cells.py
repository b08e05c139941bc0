"""Functions that write numbers and intervals as texts of cells. A missing number is a dash."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional

from ..science import interval
from ..text import _, strings
from ..text.numbers import MINUS, percent, with_sign
from ..text.phrases import from_to, with_interval

if TYPE_CHECKING:
    from evaluator.interval import ConfidenceInterval


def format_difference(value: Optional[float]) -> str:
    """Format a difference of log losses with its sign and 4 decimals. Zero has no sign."""
    return strings.NO_VALUE if value is None else with_sign(value, 4)


def format_parameter(value: Optional[float]) -> str:
    """Format a parameter of an algorithm with up to four significant digits, or two if it is tiny."""
    if value is None:
        return strings.NO_VALUE
    text = f"{value:.4g}" if abs(value) >= 1e-3 else f"{value:.2g}"
    return text.replace("-", MINUS)


def percent_or_dash(share: Optional[float], digits: int = 1) -> str:
    """Format a share in percent, or return a dash if it is missing."""
    return strings.NO_VALUE if share is None else percent(share, digits)


def as_share(number: float) -> float:
    """Limit an estimate of a share, which may be below 0 or above 1, to this range."""
    return min(max(number, 0.0), 1.0)


def whole_percent(desired: float) -> str:
    """Format a desired retention in percent, with one decimal unless it is a whole number of percent."""
    return percent(desired, 0 if abs(100 * desired - round(100 * desired)) < 1e-9 else 1)


def ends(value: ConfidenceInterval, format_number: Callable[[float], str]) -> str:
    """Format the two ends of an interval, as in "3 to 8"."""
    return strings.NO_VALUE if value.low_high is None else from_to(*map(format_number, value.low_high))


def with_ends(number: ConfidenceInterval, format_number: Callable[[float], str]) -> str:
    """Format a number with its interval, if it has one, as in "5 (3 to 8)"."""
    value = format_number(number.value)
    return value if number.low_high is None else with_interval(value, *map(format_number, number.low_high))


def interval_requirement(reason: Optional[str]) -> str:
    """Return a clause on the data that an interval needs, given the code of the reason why there is none."""
    if reason == interval.RARE:
        return _(
            "at least {reviews} forgotten and {reviews} remembered reviews are needed, each from at least {groups} "
            "cards and {groups} days"
        ).format(reviews=interval.MIN_RARER, groups=interval.MIN_RARER_GROUPS)
    return _("at least {cards} cards and {days} days are needed").format(
        cards=interval.MIN_CARDS, days=interval.MIN_DAYS
    )

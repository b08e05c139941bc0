"""Numbers as they stand in cells and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional, Tuple

from ..text import strings
from ..text.numbers import MINUS
from ..text.numbers import percent as percent_of
from ..text.phrases import from_to

if TYPE_CHECKING:
    from evaluator.interval import Interval


def loss(value: Optional[float]) -> str:
    """A log loss, to 4 digits."""
    return strings.NO_VALUE if value is None else f"{value:.4f}"


def signed(value: Optional[float]) -> str:
    """A difference of log losses: to 4 digits, with its sign, which 0 has not."""
    if value is None:
        return strings.NO_VALUE
    text = f"{value:+.4f}"
    return text[1:] if not text.strip("+-0.") else text.replace("-", MINUS)


def number(value: Optional[float]) -> str:
    """A parameter, to four digits that count."""
    if value is None:
        return strings.NO_VALUE
    text = f"{value:.4g}" if abs(value) >= 1e-3 else f"{value:.2g}"
    return text.replace("-", MINUS)


def percent(share: Optional[float], digits: int = 1) -> str:
    """A probability."""
    return strings.NO_VALUE if share is None else percent_of(share, digits)


def in_cells(of: Interval) -> Tuple[Optional[float], ...]:
    """For three columns: the number, and where its interval begins and ends."""
    return of.estimate, of.low, of.high


def ends(of: Interval, written: Callable[[float], str]) -> str:
    """The two ends of an interval in one cell."""
    return strings.NO_VALUE if of.ends is None else from_to(*map(written, of.ends))


def about(count: int) -> int:
    """A count, to two digits that count."""
    return int(float(f"{count:.1e}"))

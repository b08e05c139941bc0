"""Functions that write numbers, percentages and the remaining time as texts."""

from __future__ import annotations

from typing import Tuple

from . import Counted, _

MINUS = "\N{MINUS SIGN}"

#: Minimum number of seconds since the work began for an estimate of the remaining time.
_MIN_SECONDS = 4.0
#: Minimum share of the work that must be done for this estimate.
_MIN_FRACTION = 0.06


def decimals(value: float, digits: int) -> str:
    """Format a number with this many decimals and a typographic minus sign. Zero never has a sign."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", MINUS)


def percent(share: float, digits: int = 0) -> str:
    """Format a share, or a difference of two shares, in percent."""
    return _("{number}%").format(number=decimals(100 * share, digits))


def with_sign(value: float, digits: int) -> str:
    """Format a number with its sign, such as +3 or −2. Zero never has a sign."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", MINUS) if text.strip("+-0.") else text[1:]


def change(share: float, digits: int = 0) -> str:
    """Format a change, or a difference of two shares, in percent with its sign."""
    return _("{number}%").format(number=with_sign(100 * share, digits))


def percents(*probabilities: float) -> Tuple[str, ...]:
    """Format probabilities in percent, with one decimal if any of them is close to 0 or 1, and otherwise with none."""
    digits = 1 if any(0 < p < 0.01 or 0.99 < p < 1 for p in probabilities) else 0
    return tuple(percent(p, digits) for p in probabilities)


def distinct_percents(*probabilities: float) -> Tuple[str, ...]:
    """Format probabilities in percent, with one decimal if two of them would otherwise look alike."""
    texts = percents(*probabilities)
    return texts if len(set(texts)) == len(texts) else tuple(percent(p, 1) for p in probabilities)


def points(difference: float) -> str:
    """Format a difference of two probabilities in percentage points, with its sign and one decimal."""
    return with_sign(100 * difference, 1)


def time_left(passed: float, fraction: float) -> str:
    """Return an estimate of the remaining time, such as "about 10 s left", or an empty text if it is too early for one.

    A long time is rounded more than a short one, so that the text rarely changes.

    Args:
        passed: seconds since the work began.
        fraction: share of the work that is done.
    """
    if passed < _MIN_SECONDS or fraction < _MIN_FRACTION:
        return ""
    seconds = passed * (1 - fraction) / fraction
    if seconds < 5:
        return _("a few seconds left")
    if seconds < 55:
        step = 5 if seconds < 27.5 else 10
        return Counted("about {count}\N{NO-BREAK SPACE}s left", "about {count}\N{NO-BREAK SPACE}s left")(
            step * round(seconds / step)
        )
    minutes = max(round(seconds / 60), 1)
    return Counted("about {count}\N{NO-BREAK SPACE}min left", "about {count}\N{NO-BREAK SPACE}min left")(minutes)

"""Numbers and names of slices in words for graphs, their sentences and their tables, and the time that is left."""

from __future__ import annotations

from typing import Tuple

from . import Counted, _

SECONDS_LEFT = Counted("about {count}\N{NO-BREAK SPACE}s left", "about {count}\N{NO-BREAK SPACE}s left")
MINUTES_LEFT = Counted("about {count}\N{NO-BREAK SPACE}min left", "about {count}\N{NO-BREAK SPACE}min left")

MINUS = "\N{MINUS SIGN}"

#: Minimum seconds elapsed, and minimum fraction done, for an estimate of the remaining time.
_GUESSED_SECONDS, _GUESSED_FRACTION = 4.0, 0.06


def decimals(value: float, digits: int) -> str:
    """Return a number with this many decimals, with a typographic minus sign unless it is 0."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", MINUS)


def percent(share: float, digits: int = 0) -> str:
    """Return a share, or a difference of two shares, in percent."""
    return _("{number}%").format(number=decimals(100 * share, digits))


def with_sign(value: float, digits: int) -> str:
    """Return a number with its sign, which 0 lacks: +3, 0, −2."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", MINUS) if text.strip("+-0.") else text[1:]


def percents(*probabilities: float) -> Tuple[str, ...]:
    """Format probabilities as percentages with equal digits: one more if one is nearly, but not quite, 0 or 1."""
    digits = 1 if any(0 < p < 0.01 or 0.99 < p < 1 for p in probabilities) else 0
    return tuple(percent(p, digits) for p in probabilities)


def distinct_percents(*probabilities: float) -> Tuple[str, ...]:
    """Format probabilities as percentages, with one decimal if two would otherwise look alike."""
    text = percents(*probabilities)
    if len(set(text)) == len(probabilities):
        return text
    return tuple(percent(p, 1) for p in probabilities)


def points(difference: float, digits: int = 0) -> str:
    """Return a difference of probabilities in percentage points, with its sign."""
    return with_sign(100 * difference, digits)


def time_left(passed: float, fraction: float) -> str:
    """Return the remaining time, such as "about 10 s left", once it can be estimated.

    It is rounded to what a person would say, the more roughly the more is left, so that it seldom changes.
    """
    if passed < _GUESSED_SECONDS or fraction < _GUESSED_FRACTION:
        return ""
    left = passed * (1 - fraction) / fraction
    if left < 5:
        return _("a few seconds left")
    if left < 55:
        step = 5 if left < 27.5 else 10
        return SECONDS_LEFT(step * round(left / step))
    return MINUTES_LEFT(max(round(left / 60), 1))

"""Numbers and names of slices in words for graphs, their sentences and their tables, and the time that is left."""

from __future__ import annotations

from typing import Tuple

from . import strings
from .text import wording

MINUS = wording.MINUS

#: How long it will take is a guess before so many seconds have passed, and so much is done.
_GUESSED_SECONDS, _GUESSED_FRACTION = 4.0, 0.06


def percent(share: float, digits: int = 0) -> str:
    """A share, or a difference of two."""
    shown = share if round(100 * share, digits) else 0.0  # no minus sign before 0
    return wording.percent(shown, digits).replace("-", MINUS)


def percents(*probabilities: float) -> Tuple[str, ...]:
    """The probabilities as percentages, all to the same digits: one more where one is nearly, but not quite, 0 or 1."""
    digits = 1 if any(0 < p < 0.01 or 0.99 < p < 1 for p in probabilities) else 0
    return tuple(percent(p, digits) for p in probabilities)


def told_apart(*probabilities: float) -> Tuple[str, ...]:
    """As :func:`percents`, with one digit more where two would otherwise look alike."""
    said = percents(*probabilities)
    if len(set(said)) == len(probabilities):
        return said
    return tuple(percent(p, 1) for p in probabilities)


def points(difference: float, digits: int = 0) -> str:
    """A difference of probabilities in percentage points, with its sign: +3, 0, \u22122."""
    text = f"{100 * difference:+.{digits}f}"
    if not text.strip("+-0."):
        return text[1:]
    return text.replace("-", MINUS)


def time_left(passed: float, fraction: float) -> str:
    """How long the rest takes if so much took so many seconds: "about 10 s left". Nothing while that is a guess.

    It is rounded to what a person would say, the more roughly the more is left, so that it seldom changes.
    """
    if passed < _GUESSED_SECONDS or fraction < _GUESSED_FRACTION:
        return ""
    left = passed * (1 - fraction) / fraction
    if left < 5:
        return strings.FEW_SECONDS_LEFT
    if left < 55:
        step = 5 if left < 27.5 else 10
        return strings.SECONDS_LEFT(step * round(left / step))
    return strings.MINUTES_LEFT(max(round(left / 60), 1))


def slice_name(name: str, key: str = "") -> str:
    """A slice at an axis: limits joined by a dash."""
    if key == "month":
        return name
    return strings.SLICE_NAMES.get(key, {}).get(name) or name.replace("-", "\N{EN DASH}")


def where(key: str, name: str) -> str:
    """A slice in a sentence."""
    if (key, name) == ("lapses", "0"):
        return strings.LAPSES_NONE
    row, _, column = name.rpartition(" / ")
    return strings.GRAPHS[key].where.format(
        name=_range(name, key),
        row=slice_name(row),
        days=_days(column) if key in _IN_DAYS else "",
        lapses=_lapses(name) if key == "lapses" else "",
    )


#: The slices that are of days, the map among them, whose columns are.
_IN_DAYS = ("interval", "stability", "memory")


def _range(name: str, key: str) -> str:
    return strings.OR_MORE.format(name=name[:-1]) if name.endswith("+") else slice_name(name, key)


def _days(name: str) -> str:
    if name.startswith("<"):
        return strings.DAYS_BELOW(int(name[1:]))
    if name.endswith("+"):
        return strings.DAYS_OR_MORE(int(name[:-1]))
    return strings.DAYS(int(name.rpartition("-")[2]), name=slice_name(name))


def _lapses(name: str) -> str:
    return strings.LAPSES_OR_MORE(int(name[:-1])) if name.endswith("+") else strings.LAPSES(int(name))

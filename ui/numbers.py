"""Numbers and names of slices in words for graphs, their sentences and their tables."""

from __future__ import annotations

from typing import Tuple

from . import strings
from .science import wording

MINUS = wording.MINUS


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

"""Numbers and names of slices in words for graphs, their sentences and their tables."""

from __future__ import annotations

from typing import Tuple

from . import strings


def percents(*probabilities: float) -> Tuple[str, ...]:
    """The probabilities as percentages, all to the same digits: one more where one is nearly, but not quite, 0 or 1."""
    digits = 1 if any(0 < p < 0.01 or 0.99 < p < 1 for p in probabilities) else 0
    return tuple(strings.PERCENT.format(value=100 * p, digits=digits) for p in probabilities)


def told_apart(*probabilities: float) -> Tuple[str, ...]:
    """As :func:`percents`, with one digit more where two would otherwise look alike."""
    said = percents(*probabilities)
    if len(set(said)) == len(probabilities):
        return said
    return tuple(strings.PERCENT.format(value=100 * p, digits=1) for p in probabilities)


def points(difference: float, digits: int = 0) -> str:
    """A difference of probabilities in percentage points, with its sign: +3, 0, \u22122."""
    text = f"{100 * difference:+.{digits}f}"
    if not text.strip("+-0."):
        return text[1:]
    return text.replace("-", "\N{MINUS SIGN}")


def slice_name(name: str) -> str:
    """A slice at an axis: limits joined by a dash."""
    return name.replace("-", "\N{EN DASH}")


def where(key: str, name: str) -> str:
    """A slice in a sentence."""
    form = strings.SLICE_WHERE.get((key, name), strings.GRAPHS[key].where)
    if key == "month":
        return form.format(name=name)
    said = slice_name(name).replace("<", "below ").replace("+", " or more")
    row, _, column = said.partition(" / ")
    return form.format(name=said, row=row, column=column)

"""Probabilities in words for graphs and their sentences."""

from __future__ import annotations

from typing import Tuple

from .. import strings


def percents(*probabilities: float) -> Tuple[str, ...]:
    """The probabilities as percentages, all to the same digits: one more where one is nearly, but not quite, 0 or 1."""
    digits = 1 if any(0 < p < 0.01 or 0.99 < p < 1 for p in probabilities) else 0
    return tuple(strings.PERCENT.format(value=100 * p, digits=digits) for p in probabilities)

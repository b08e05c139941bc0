"""From where on the graphs of observed over predicted recall are drawn: from a tick below all that is not rare."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Iterable, Sequence

if TYPE_CHECKING:
    from evaluator.report import CalibrationBin

#: Groups with a smaller share of the reviews are faint, and do not widen the range.
FAINT = 0.01


def calibration_axis_minimum(of_each: Iterable[Sequence[CalibrationBin]]) -> float:
    """Where both axes of the calibration graph begin, from the groups of each algorithm."""
    return _lower_limit(
        min(group.predicted, group.recalled)
        for groups in of_each
        for group in groups
        if group.reviews >= FAINT * sum(one.reviews for one in groups)
    )


def _lower_limit(values: Iterable[float]) -> float:
    """A tick below all of these probabilities; at most 80 %, so that there is always a range to see."""
    tenths = math.floor((min(values, default=1.0) - 0.01) * 10)
    if tenths < 4:
        tenths -= tenths % 2  # the ticks are mostly 20 % apart then
    return min(max(tenths, 0), 8) / 10

"""Accounting for every row of the review log: each row has exactly one outcome, so the counts add up to all rows."""

from __future__ import annotations

from typing import Dict, List, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..report import FunnelStep

#: The outcomes of a row, in the order in which they are decided: (step, use).
ROW_OUTCOMES: Tuple[Tuple[str, str], ...] = (
    ("outside_scope", "left_out"),
    ("invalid_time", "left_out"),
    ("future", "left_out"),
    ("not_answered", "left_out"),
    ("unknown_button", "left_out"),
    ("cram", "left_out"),
    ("repeated", "left_out"),
    ("never_learned", "left_out"),
    ("before_relearned_from_new", "left_out"),
    ("beyond_128th", "left_out"),
    ("outlier", "left_out"),
    ("after_outlier", "left_out"),
    ("first_review", "history"),
    ("same_second", "history"),
    ("same_day", "history"),
    ("same_day_left_out", "left_out"),
    ("before_since", "history"),
    ("training_only", "training"),
    ("scored", "scored"),
)
#: Reasons for unread rows in logs that are not Anki's own, in order.
UNREADABLE_REASONS = (
    *("no_date", "no_card", "no_outcome", "no_grade", "no_prediction", "no_interval"),
    *("incomplete_element", "introduction", "reset_element", "certain_lapse", "same_day_again"),
)
_NUMBER: Dict[str, int] = {step: number for number, (step, _) in enumerate(ROW_OUTCOMES)}


class RowAccounting:
    """The outcome of each row of a review log.

    A row starts as "scored" and gets at most one other outcome; assigning a second one is a bug and raises.
    """

    def __init__(self, rows: int, unread: Sequence[Tuple[str, int]] = ()) -> None:
        """Take the number of rows, and those that the source could not read, by :data:`UNREADABLE_REASONS`."""
        counted = sorted(unread, key=lambda item: UNREADABLE_REASONS.index(item[0]))
        self._unread = tuple(FunnelStep(step, "left_out", count) for step, count in counted)
        self._way = np.full(rows, _NUMBER["scored"], dtype=np.int8)

    def assign(self, step: str, rows: npt.NDArray[np.int64]) -> None:
        """Assign rows (indices into the log) to ``step``. Raises ValueError if one already has an outcome."""
        if (self._way[rows] != _NUMBER["scored"]).any():
            raise ValueError(f"a row assigned to {step!r} already has another outcome")
        self._way[rows] = _NUMBER[step]

    def steps(self) -> Tuple[FunnelStep, ...]:
        """Return the number of rows of each step, also if it is 0."""
        counts = np.bincount(self._way, minlength=len(ROW_OUTCOMES))
        return self._unread + tuple(FunnelStep(step, use, int(n)) for (step, use), n in zip(ROW_OUTCOMES, counts))

    def left_out(self) -> List[Tuple[str, int]]:
        """Return (step, rows) for each reason not to score a row that applies to any."""
        return [(s.step, s.rows) for s in self.steps() if s.rows and s.use in ("left_out", "history")]

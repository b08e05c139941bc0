"""Accounting for every row of the review log. Each row has exactly one outcome, so the counts add up to all rows."""

from __future__ import annotations

from typing import List, Sequence, Tuple, Union

import numpy as np

from ..report import RowCount
from .revlog import Bools, Ints

#: The outcomes of a row as (step, use), in the order in which they are decided.
ROW_OUTCOMES: Tuple[Tuple[str, str], ...] = (
    ("outside_scope", "left_out"),
    ("invalid_time", "left_out"),
    ("future", "left_out"),
    ("not_answered", "left_out"),
    ("unknown_button", "left_out"),
    ("unknown_kind", "left_out"),
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
#: Reasons for unread rows in logs that are not Anki's own, in the order in which they are listed.
UNREADABLE_REASONS = (
    "no_date",
    "no_card",
    "no_outcome",
    "no_grade",
    "no_prediction",
    "no_interval",
    "incomplete_element",
    "introduction",
    "reset_element",
    "certain_lapse",
    "same_day_again",
)
#: The number of each outcome in a column of outcomes.
OUTCOME = {step: np.int8(number) for number, (step, _) in enumerate(ROW_OUTCOMES)}


def set_outcomes(outcome: Ints, rows: Union[Ints, slice], **reasons: Union[bool, Bools]) -> Bools:
    """Set the outcomes of some rows of the log, and return which of these rows (n,) are still scored.

    Args:
        outcome: the number of each row's outcome, see :data:`OUTCOME`. It is changed.
        rows: indices (n,) into the log. These rows must be "scored" so far.
        reasons: outcomes, each with a mask of the rows that it applies to (n,). The first one that applies decides.
    """
    outcome[rows] = np.select(list(reasons.values()), [OUTCOME[step] for step in reasons], OUTCOME["scored"])
    return np.asarray(outcome[rows] == OUTCOME["scored"])


def count_outcomes(outcome: Ints, unread: Sequence[Tuple[str, int]]) -> Tuple[RowCount, ...]:
    """Return the number of rows with each outcome, including outcomes without a row.

    Args:
        outcome: the number of each row's outcome, see :data:`OUTCOME`.
        unread: reasons why the source could not read some rows, see :data:`UNREADABLE_REASONS`, each with the number of
            these rows. They come first.
    """
    unread = sorted(unread, key=lambda item: UNREADABLE_REASONS.index(item[0]))
    counts = np.bincount(outcome, minlength=len(ROW_OUTCOMES)).tolist()
    return (
        *(RowCount(step, "left_out", count) for step, count in unread),
        *(RowCount(step, use, count) for (step, use), count in zip(ROW_OUTCOMES, counts)),
    )


def non_target_counts(row_counts: Sequence[RowCount]) -> List[Tuple[str, int]]:
    """Return why rows are neither scored nor trained on: each reason that occurs, with its number of rows."""
    return [(count.step, count.rows) for count in row_counts if count.rows and count.use in ("left_out", "history")]

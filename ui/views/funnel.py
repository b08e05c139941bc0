"""What became of every row of the review log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Tuple

from ..text import _, strings
from ..text.phrases import whole
from .view import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report

#: What rows were used for.
FUNNEL_USES = {
    "scored": _("scores"),
    "training": _("training"),
    "history": _("history"),
    "left_out": _("left out"),
}


def funnel_table(report: Report) -> Table:
    """A row for each way that some rows went, and one for all of them."""
    return funnel_of((step.step, step.use, step.rows) for step in report.funnel)


def funnel_of(steps: Iterable[Tuple[str, str, int]]) -> Table:
    """The same of (step, use, rows), where there is no report."""
    taken = [(step, use, rows) for step, use, rows in steps if rows]
    lines = [_line(step, use, rows) for step, use, rows in taken]
    total = (whole(sum(rows for _unused, _unused, rows in taken)), _("all rows of the review log"), "", "")
    return Table(
        columns=(
            Column(strings.FUNNEL_ROWS, _("Of Anki's review log. Each is counted once.")),
            Column(strings.FUNNEL_WHAT, number=False),
            Column(strings.FUNNEL_USE, number=False),
            Column(strings.FUNNEL_WHY, number=False),
        ),
        rows=(*lines, total),
    )


def _line(step: str, use: str, rows: int) -> Tuple[str, str, str, str]:
    text = strings.FUNNEL.get(step)
    short, long = (text.short, text.long) if text else (step, "")
    return whole(rows), short, FUNNEL_USES.get(use, use), long

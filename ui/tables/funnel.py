"""What became of every row of the review log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Tuple

from .. import strings
from ..phrases import whole
from ..text import wording
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report


def funnel_table(report: Report) -> Table:
    """A row for each way that some rows went, and one for all of them."""
    return funnel_of((step.step, step.use, step.rows) for step in report.funnel)


def funnel_of(steps: Iterable[Tuple[str, str, int]]) -> Table:
    """The same of (step, use, rows), where there is no report."""
    taken = [(step, use, rows) for step, use, rows in steps if rows]
    lines = [_line(step, use, rows) for step, use, rows in taken]
    total = (whole(sum(rows for _, _, rows in taken)), strings.FUNNEL_TOTAL, "", "")
    return Table(
        title=strings.FUNNEL_NAME,
        columns=(
            Column(strings.FUNNEL_ROWS, strings.FUNNEL_ROWS_TIP),
            Column(strings.FUNNEL_WHAT, number=False),
            Column(strings.FUNNEL_USE, number=False),
            Column(strings.FUNNEL_WHY, number=False),
        ),
        rows=(*lines, total),
    )


def _line(step: str, use: str, rows: int) -> Tuple[str, str, str, str]:
    text = wording.FUNNEL.get(step)
    short, long = (text.short, text.long) if text else (step, "")
    return whole(rows), short, strings.FUNNEL_USES.get(use, use), long

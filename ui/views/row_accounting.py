"""How many rows of the review log were used for what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Tuple

from ..text import _, strings
from ..text.phrases import whole
from .view import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report

#: Labels of the uses of rows, by code.
FUNNEL_USES = {"scored": _("scores"), "training": _("training"), "history": _("history"), "left_out": _("left out")}
COLUMNS = (
    Column(_("Rows"), _("Rows of Anki's review log. Each is counted once.")),
    Column(_("Kind"), number=False),
    # Translators: A column: what rows were used for.
    Column(_("Used for"), number=False),
    Column(_("Why"), number=False),
)


def funnel_table(report: Report) -> Table:
    """Return the table with a row for each outcome, and one for all rows of the log."""
    return funnel_of((step.step, step.use, step.rows) for step in report.funnel)


def funnel_of(steps: Iterable[Tuple[str, str, int]]) -> Table:
    """Return the table of (step, use, number of rows), for when there is no report."""
    lines, total = [], 0
    for step, use, rows in steps:
        if rows:
            name, why = strings.FUNNEL.get(step) or (step, "")
            lines.append((whole(rows), name, FUNNEL_USES.get(use, use), why))
            total += rows
    return Table(COLUMNS, (*lines, (whole(total), _("all rows of the review log"), "", "")))

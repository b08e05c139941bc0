"""The table of how the rows of the review log were used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Tuple

from ..text import _, strings
from ..text.phrases import integer
from .view import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report

#: Labels of the uses of rows, by code.
FUNNEL_USES = {"scored": _("testing"), "training": _("training"), "history": _("history"), "left_out": _("left out")}
COLUMNS = (
    Column(_("Rows"), _("Rows of Anki's review log. Each is counted once.")),
    Column(_("Kind"), number=False),
    # Translators: A column: what rows were used for.
    Column(_("Used for"), number=False),
    Column(_("Why"), number=False),
)


def funnel_table(report: Report) -> Table:
    """Return the table of a report, with a last row for the whole review log."""
    return funnel_of((step.step, step.use, step.rows) for step in report.funnel)


def funnel_of(steps: Iterable[Tuple[str, str, int]]) -> Table:
    """Return the table of these steps, with a last row for the whole review log.

    Args:
        steps: code, use and number of rows of each step. Steps without rows are left out.
    """
    lines = []
    total = 0
    for step, use, rows in steps:
        if rows:
            name, why = strings.FUNNEL.get(step) or (step, "")
            lines.append((integer(rows), name, FUNNEL_USES.get(use, use), why))
            total += rows
    return Table(COLUMNS, (*lines, (integer(total), _("all rows of the review log"), "", "")))

"""The table of how the rows of the review log were used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

from ..text import _, strings
from ..text.phrases import integer
from .view import Column, Table

if TYPE_CHECKING:
    from evaluator.report import RowCount

#: Labels of the uses of rows, by code.
FUNNEL_USES = {"scored": _("testing"), "training": _("training"), "history": _("history"), "left_out": _("left out")}
COLUMNS = (
    Column(_("Rows"), _("Rows of Anki's review log. Each is counted once.")),
    Column(_("Kind"), number=False),
    # Translators: A column: what rows were used for.
    Column(_("Used for"), number=False),
    Column(_("Why"), number=False),
)


def row_accounting_table(steps: Sequence[RowCount]) -> Table:
    """Return the table of the steps that have rows, with a last row for the whole review log."""
    lines = []
    for step in steps:
        if step.rows:
            name, why = strings.ROW_OUTCOMES.get(step.step) or (step.step, "")
            lines.append((integer(step.rows), name, FUNNEL_USES.get(step.use, step.use), why))
    total = integer(sum(step.rows for step in steps))
    return Table(COLUMNS, (*lines, (total, _("all rows of the review log"), "", "")))

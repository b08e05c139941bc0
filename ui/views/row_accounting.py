"""How every row of the review log was used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Tuple

from ..text import _, strings
from ..text.phrases import whole
from .view import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report

#: Uses of rows.
FUNNEL_USES = {"scored": _("scores"), "training": _("training"), "history": _("history"), "left_out": _("left out")}
COLUMNS = (
    Column(_("Rows"), _("Rows of Anki's review log. Each is counted once.")),
    Column(_("Kind"), number=False),
    # Translators: A column: what rows were used for.
    Column(_("Used for"), number=False),
    Column(_("Why"), number=False),
)


def funnel_table(report: Report) -> Table:
    """Return a table row for each outcome with rows, and one for all rows."""
    return funnel_of((step.step, step.use, step.rows) for step in report.funnel)


def funnel_of(steps: Iterable[Tuple[str, str, int]]) -> Table:
    """Return the table of outcomes from (step, use, number of rows), if there is no report."""
    taken = [(step, use, rows) for step, use, rows in steps if rows]
    lines = [_line(step, use, rows) for step, use, rows in taken]
    total = (whole(sum(rows for _unused, _unused, rows in taken)), _("all rows of the review log"), "", "")
    return Table(COLUMNS, (*lines, total))


def _line(step: str, use: str, rows: int) -> Tuple[str, str, str, str]:
    text = strings.FUNNEL.get(step)
    name, why = text or (step, "")
    return whole(rows), name, FUNNEL_USES.get(use, use), why

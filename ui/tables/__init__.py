"""Tables of a report as plain text cells: no Qt, no NumPy. The window, the page and the terminal show the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Dict, Tuple

from .cheating import cheating_table
from .groups import groups_table
from .splitting import splitting_table
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report

__all__ = ["TABLES", "Column", "Table"]

#: The tables of each section, by the field of :class:`evaluator.report.Report` that they show.
TABLES: Dict[str, Callable[[Report], Tuple[Table, ...]]] = {
    "cheating": lambda report: (cheating_table(report),),
    "groups": lambda report: tuple(groups_table(report, grouping) for grouping in report.groups),
    "splitting": lambda report: tuple(splitting_table(splitting) for splitting in report.splitting),
}

"""Tables of a report as plain text cells: no Qt, no NumPy. The window, the page and the terminal show the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Dict, Tuple

from .cheating import cheating_table
from .comparisons import comparisons_tables
from .decomposition import decomposition_tables
from .desired_retention import desired_retention_tables
from .graphs import graphs_table
from .groups import groups_table
from .parameters import parameters_tables
from .sensitivity import sensitivity_tables
from .splitting import splitting_table
from .stability import stability_tables
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report

__all__ = ["TABLES", "Column", "Table"]

#: The tables of each section, by its key.
TABLES: Dict[str, Callable[[Report], Tuple[Table, ...]]] = {
    "comparisons": comparisons_tables,
    "decomposition": decomposition_tables,
    "cheating": lambda report: (cheating_table(report),),
    "graphs": lambda report: (graphs_table(report),),
    "groups": lambda report: tuple(groups_table(report, grouping) for grouping in report.section("groups")),
    "splitting": lambda report: tuple(splitting_table(splitting) for splitting in report.section("splitting")),
    "stability": stability_tables,
    "parameters": parameters_tables,
    "desired_retention": desired_retention_tables,
    "sensitivity": sensitivity_tables,
}

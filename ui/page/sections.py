"""What a section of the report shows: its tables, then its graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Sequence, Tuple

from ..tables import TABLES
from .markup import Html, element
from .tables import table_block

if TYPE_CHECKING:
    from evaluator.report import Report

    from ..tables import Table

#: The finished graphs about the whole report, by the section that they show: each with the title of the table whose
#: numbers it draws, or "" where that is not among those of the section.
General = Dict[str, List[Tuple[str, Html]]]


def section_blocks(report: Report, sections: Sequence[str], general: General) -> List[Html]:
    """Of those of the sections that were made: a graph stands below its table."""
    blocks = []
    for section in sections:
        charts = general.get(section, [])
        for table in tables_of(report, section):
            below = [chart for title, chart in charts if title == table.title]
            blocks.append(element("section", element("h3", table.title), table_block(table), *below))
        others = [chart for title, chart in charts if not title]
        blocks += [element("div", *others, class_="charts")] if others else []
    return blocks


def tables_of(report: Report, section: str) -> Sequence[Table]:
    """Those that the report has."""
    return TABLES[section](report) if section in TABLES and report.section(section) else ()

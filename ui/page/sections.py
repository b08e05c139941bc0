"""What a section of the report shows: its tables, then its graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Sequence

from ..tables import TABLES
from .markup import Html, element
from .tables import table_block

if TYPE_CHECKING:
    from evaluator.report import Report

#: The finished graphs about the whole report, by the section that they show.
General = Dict[str, List[Html]]


def section_blocks(report: Report, sections: Sequence[str], general: General) -> List[Html]:
    """Of those of the sections that were made."""
    blocks = []
    for section in sections:
        tables = TABLES[section](report) if section in TABLES and getattr(report, section) else ()
        blocks += [element("section", element("h3", table.title), table_block(table)) for table in tables]
        charts = general.get(section)
        blocks += [element("div", *charts, class_="charts")] if charts else []
    return blocks

"""Which sections of the report stand on which page of the window. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import List, Tuple

from . import strings
from .charts import CHARTS, Chart
from .tables import TABLES

#: Folded away under the table of results, whose numbers it is about.
FOLDED = "cheating"


@dataclass(frozen=True)
class Page:
    """A page of the window beside the comparison."""

    title: str
    tip: str
    sections: Tuple[str, ...]  #: of the report, by their keys, in the order in which they are shown


#: To add a page or a section to one: a line here. Sections that nobody can show are left out.
_PAGES = (
    Page(strings.TAB_BEHIND, strings.TAB_BEHIND_TIP, ("comparisons", "decomposition")),
    Page(strings.TAB_PRESETS, strings.TAB_PRESETS_TIP, ("groups", "splitting")),
    Page(strings.TAB_STABILITY, strings.TAB_STABILITY_TIP, ("stability", "parameters", "sensitivity")),
    Page(strings.TAB_RETENTION, strings.TAB_RETENTION_TIP, ("desired_retention",)),
)


def pages() -> List[Page]:
    """Those with something to show."""
    shown = (replace(page, sections=tuple(filter(_can_be_shown, page.sections))) for page in _PAGES)
    return [page for page in shown if page.sections]


def charts_of(section: str) -> List[Chart]:
    """The graphs of the whole report that show this section."""
    return [chart for chart in CHARTS.values() if chart.section == section and not chart.most]


def _can_be_shown(section: str) -> bool:
    return section in TABLES or bool(charts_of(section))

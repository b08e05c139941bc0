"""Which sections of the report stand on which page of the window. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import List, Tuple

from .charts import CHARTS, Chart
from .tables import TABLES
from .text import _, pgettext

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
    Page(
        _("Behind the numbers"),
        _("Each algorithm against another, with a verdict, and what the numbers are made of"),
        ("comparisons", "decomposition"),
    ),
    Page(
        _("Presets and decks"),
        _("How well your memory is predicted in each preset and deck, and whether they need own parameters"),
        ("groups", "splitting"),
    ),
    Page(
        pgettext("of the answer", "Stability"),
        _("Would the answer be the same with more reviews, other parameters, or other ways to count?"),
        ("stability", "parameters", "sensitivity"),
    ),
    Page(
        _("Desired retention"),
        _("When your scheduler aims at 90\N{NO-BREAK SPACE}%, do you remember 90\N{NO-BREAK SPACE}%?"),
        ("desired_retention",),
    ),
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

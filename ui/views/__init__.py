"""Views, which turn a report into sentences, tables and chart data without Qt, NumPy and matplotlib.

Each section of the report has a module here, whose name ends in ``_view``, with a ``VIEW``. A new section needs such a
module, and its name in :data:`PAGES`. ``evaluator/sections/README.md`` explains how to add a section, ``README.md`` a
page.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Tuple

from ..text import _

if TYPE_CHECKING:
    from .view import View


#: Names of the views without a section. Every complete report has their results.
WITHOUT_SECTION = ("comparisons", "hard")


class Page(NamedTuple):
    """A page of the window with views. The HTML page has a part for it."""

    title: str
    tip: str
    help: str  #: name of a page of the documentation
    views: Tuple[str, ...]  #: names of the views in display order


PAGES = (
    Page(_("Workload"), _("How much work each scheduler would take"), "workload", ("workload",)),
    Page(_("One set or several?"), _("Whether presets and decks need separate parameters"), "numbers", ("splitting",)),
    Page(
        _("For experts"),
        _("Algorithms compared with the baseline and with other people, and the parameters"),
        "algorithms",
        ("comparisons", "population", "parameters", "hard"),
    ),
)
#: Name of the page of the documentation about each tab of the window. The first tab has the results.
HELP_PAGES = ("numbers", *(page.help for page in PAGES))
#: Name of the view that summarizes the graphs in words.
GRAPHS_SUMMARY = "graphs"
#: Names of the views of all sections.
NAMES: Tuple[str, ...] = (
    GRAPHS_SUMMARY,
    *(name for page in PAGES for name in page.views if name not in WITHOUT_SECTION),
)


def load(name: str) -> View:
    """Import the view with this name, and return it."""
    view: View = import_module(f".{name}_view", __name__).VIEW
    return view

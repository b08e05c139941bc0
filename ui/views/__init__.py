"""Views turn a report into sentences, tables and chart data, without Qt, NumPy and matplotlib.

A section of the report is shown by the file of the same name here, which has a ``VIEW``. To add one, add that file, and
its name to :data:`PAGES`. ``evaluator/sections/README.md`` says how to add a section.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Tuple

from ..text import _

if TYPE_CHECKING:
    from .view import View


class Page(NamedTuple):
    """A page of the window besides the comparison, and a part of the web page."""

    title: str
    tip: str
    views: Tuple[str, ...]  #: names of the views in display order
    beside: int = 0  #: number of the last views that are beside the others if the window is wide


PAGES = (
    Page(_("Workload"), _("How much work each scheduler would take"), ("workload",)),
    Page(
        _("Presets and decks"),
        _("How well your memory is predicted in each preset and deck, and whether they need separate parameters"),
        ("groups", "splitting"),
        beside=1,
    ),
    Page(
        _("For experts"),
        _("Algorithms compared with the baseline and with other people, and the parameters"),
        ("comparisons", "population", "parameters", "hard"),
        beside=2,
    ),
)
#: Name of the view that describes all graphs in words.
GLANCE = "graphs"

#: Names of all views of sections.
NAMES: Tuple[str, ...] = (GLANCE, *(name for page in PAGES for name in page.views))


def load(name: str) -> View:
    """Import and return the view of that name."""
    result: View = import_module(f".{name}", __name__).VIEW
    return result

"""Axes that several kinds of graph share: one range for both with the diagonal in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Mapping

from ..text import _, ngettext
from ..text.numbers import percent
from ..text.phrases import all_of
from .panels import DASHES

if TYPE_CHECKING:
    from .layout import Layout
    from .panels import Panel
    from .style import Style


def draw_diagonal(panel: Panel, lowest: float, style: Style) -> None:
    """Draw the dashed diagonal, on which predictions are exactly right."""
    panel.plot([lowest, 1], [lowest, 1], linestyle=DASHES, linewidth=1.1, color=style.diagonal, zorder=1.5)


def same_range(panel: Panel, lowest: float, places: Layout) -> None:
    """Give both axes the same range, from ``lowest`` to 100 %, and their ticks."""
    panel.set_xlim(lowest, 1)
    panel.set_ylim(lowest, 1)
    panel.names_across = [(tick, percent(tick)) for tick in _ticks(lowest, places.most_ticks_across)]
    panel.names_up = [(tick, percent(tick)) for tick in _ticks(lowest, places.most_ticks_up)]


def outside_note(outside: Mapping[str, int]) -> str:
    """Say how many reviews of each algorithm are outside the range; empty where none is."""
    parts = []
    for name, count in outside.items():
        reviews = ngettext("{count:,} review", "{count:,} reviews", count).format(count=count)
        if count:
            alone = len(outside) == 1
            parts.append(reviews if alone else _("{reviews} ({algorithm})").format(reviews=reviews, algorithm=name))
    return _("Outside this range, not shown: {reviews}.").format(reviews=all_of(parts)) if parts else ""


def _ticks(lowest: float, most: int) -> List[float]:
    """Ticks up to 100 %, 10 % apart or, where that would be too many, further."""
    tenths = round(10 * lowest)
    candidates = [range(10, tenths - 1, -step) for step in (1, 2, 5, 10)]
    chosen = next((ticks for ticks in candidates if len(ticks) <= most), candidates[-1])
    return [tenth / 10 for tenth in reversed(chosen)]

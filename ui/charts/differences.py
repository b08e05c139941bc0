"""What graphs of a difference of log losses have in common: the line of no difference, and the axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

from matplotlib.ticker import MaxNLocator

from ..text.numbers import MINUS
from .panels import DASHES

if TYPE_CHECKING:
    from .layout import Layout
    from .panels import Panel
    from .style import Style

#: Empty at either end of the axis, as a share of what is shown.
_MARGIN = 0.06


def difference_axis(panel: Panel, values: Sequence[float], places: Layout, style: Style) -> None:
    """The vertical axis, so that it holds these values and 0, at which there is a dashed line."""
    low, high = min([*values, 0.0]), max([*values, 0.0])
    room = _MARGIN * (high - low) or 0.001
    low, high = low - room, high + room
    panel.set_ylim(low, high)
    panel.axhline(0, linestyle=DASHES, linewidth=1.1, color=style.diagonal, zorder=1.5)
    ticks = [float(tick) for tick in MaxNLocator(nbins=places.most_ticks_up).tick_values(low, high)]
    digits = _digits(ticks[1] - ticks[0]) if len(ticks) > 1 else 3
    panel.names_up = [(tick, _tick(tick, digits)) for tick in ticks if low <= tick <= high]


def _digits(step: float) -> int:
    """As many as a tick needs, the same at all of them."""
    return len(f"{step:.6f}".rstrip("0").partition(".")[2])


def _tick(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.replace("-", MINUS) if float(text) else "0"

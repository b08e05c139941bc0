"""Numbers with their intervals, from left to right, and a dashed line at 0: the learning curve, for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.lines import Line2D

from ..text import _
from .axes import difference_axis
from .panels import begin, count_ticks, dashed, draw_strokes, finish, name_places

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..views.view import Points
    from .style import Style


def draw(figure: Figure, drawn: Points, style: Style, *, title: str = "") -> None:
    """Draw one point with its interval for each number, in place of what the figure showed.

    Those without an interval are hollow. A line joins them, unless their places have names.
    """
    points, colour = drawn.points, style.data[0]
    legend = [
        Line2D([], [], color=colour, marker="o", markersize=6.5, linewidth=1.4, label=drawn.point),
        dashed(style, drawn.zero),
    ]
    notes = [_("In percentage points.")] if drawn.shares else []
    places, panels = begin(figure, style, title=title, legend=legend, notes=notes, names=drawn.names, two_panels=False)
    axes = panels[0]
    if not drawn.names:
        across, up = zip(*((x, y.known) for x, y in points))
        axes.plot(across, up, color=colour, linewidth=1.0, alpha=0.4, zorder=2)
    bars = [((x, y.ends[0]), (x, y.ends[1])) for x, y in points if y.ends]
    draw_strokes(axes, bars, colour, 1.6, zorder=2.5)
    for x, y in points:
        fill = colour if y.ends else style.canvas
        axes.plot(x, y.known, "o", markersize=6.5, markerfacecolor=fill, markeredgecolor=colour, zorder=3)
    if drawn.names:
        axes.set_xlim(points[0][0] - 0.5, points[-1][0] + 0.5)
        name_places(axes, [(x, name) for (x, _unused), name in zip(points, drawn.names)], places, style)
    else:
        most = 1.06 * points[-1][0]
        axes.set_xlim(0, most)
        axes.names_across = count_ticks(most, max(places.most_ticks_across - 1, 1))
    values = [end for _unused, y in points for end in (y.known, *(y.ends or ()))]
    difference_axis(axes, values, places, style, shares=drawn.shares)
    finish(panels, places, style, across=drawn.across, up=drawn.up)

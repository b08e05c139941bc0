"""Numbers with their intervals, from left to right, and a dashed line at 0: the learning curve, for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.lines import Line2D

from .axes import difference_axis
from .panels import begin, count_ticks, dashed, draw_strokes, finish, name_places

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..views.view import Points
    from .style import Style


def draw(figure: Figure, drawn: Points, style: Style, *, title: str = "") -> None:
    """Draw one point with its interval for each number, in place of what the figure showed.

    Those without an interval are hollow.
    """
    points, colour = drawn.points, style.data[0]
    legend = [
        Line2D([], [], color=colour, marker="o", markersize=6.5, linewidth=1.4, label=drawn.point),
        dashed(style, drawn.zero),
    ]
    places, panels = begin(figure, style, title=title, legend=legend, notes=[], names=drawn.names, two_panels=False)
    axes = panels[0]
    axes.plot([x for x, _ in points], [y.known for _, y in points], color=colour, linewidth=1.0, alpha=0.4, zorder=2)
    bars = [((x, y.ends[0]), (x, y.ends[1])) for x, y in points if y.ends]
    draw_strokes(axes, bars, colour, 1.6, zorder=2.5)
    for x, y in points:
        fill = colour if y.ends else style.canvas
        axes.plot(x, y.known, "o", markersize=6.5, markerfacecolor=fill, markeredgecolor=colour, zorder=3)
    if drawn.names:
        axes.set_xlim(points[0][0] - 0.5, points[-1][0] + 0.5)
        name_places(axes, [(x, name) for (x, _), name in zip(points, drawn.names)], places, style)
    else:
        most = 1.06 * points[-1][0]
        axes.set_xlim(0, most)
        axes.names_across = count_ticks(most, max(places.most_ticks_across - 1, 1))
    difference_axis(axes, [end for _, y in points for end in (y.known, *(y.ends or ()))], places, style)
    finish(panels, places, style, across=drawn.across, up=drawn.up)

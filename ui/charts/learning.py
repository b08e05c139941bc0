"""The learning curve: what training was worth, by the number of reviews to learn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.lines import Line2D

from ..text import _, strings
from .differences import difference_axis
from .panels import begin, count_ticks, dashed, draw_strokes, finish, title_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from evaluator.sections.stability import Learning

    from .style import Style


def draw(figure: Figure, learning: Learning, style: Style, *, titled: bool = True) -> None:
    """Draw one point with its interval for each fold, in place of what the figure showed.

    Below the dashed line the trained parameters predicted better than the default ones. Folds without an interval are
    hollow.
    """
    points, colour = learning.curve.points, style.data[0]
    some_bounded = any(point.difference.ends for point in points)
    # Translators: A point in the graph.
    one_point = _("one fold, with its 95\N{NO-BREAK SPACE}% interval") if some_bounded else _("one fold")
    legend = [
        Line2D([], [], color=colour, marker="o", markersize=6.5, linewidth=1.4, label=one_point),
        dashed(style, _("no difference; below, training helped")),
    ]
    title = title_of(strings.LEARNING_CHART, [learning.algorithm]) if titled else ""
    places, panels = begin(figure, style, title=title, legend=legend, notes=[], two_panels=False)
    axes = panels[0]
    axes.plot(
        [point.training_reviews for point in points],
        [point.difference.known for point in points],
        color=colour,
        linewidth=1.0,
        alpha=0.4,
        zorder=2,
    )
    bars = [
        ((point.training_reviews, point.difference.ends[0]), (point.training_reviews, point.difference.ends[1]))
        for point in points
        if point.difference.ends
    ]
    draw_strokes(axes, bars, colour, 1.6, zorder=2.5)
    for point in points:
        axes.plot(
            point.training_reviews,
            point.difference.known,
            "o",
            markersize=6.5,
            markerfacecolor=colour if point.difference.ends else style.canvas,
            markeredgecolor=colour,
            zorder=3,
        )
    most = 1.06 * points[-1].training_reviews
    axes.set_xlim(0, most)
    axes.names_across = count_ticks(most, max(places.most_ticks_across - 1, 1))
    ends = [end for point in points for end in (point.difference.known, *(point.difference.ends or ()))]
    difference_axis(axes, ends, places, style)
    finish(panels, places, style, across=_("Reviews to learn from"), up=_("Log loss difference"))

"""The calibration graph: predicted against actual recall, in the benchmark's 20 groups of similar predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List

from matplotlib.lines import Line2D

from ..text import _, strings
from ..text.lines import break_lines, display_width
from ..text.numbers import percent
from .fonts import legible, needed
from .panels import (
    DASHES,
    MARKERS,
    Spot,
    draw_counts,
    draw_dots,
    filled,
    finish,
    label_up,
    name_ticks,
    round_ticks,
    spots,
    start_figure,
    tip,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..views.calibration import Calibration
    from .layout import Layout
    from .style import Style

#: Maximum size of a dot, as a share of the graph's width; the width of lines; the opacity of band and bars.
_DOT, _SHARE, _LINE, _BAND, _BARS = 7.0, 0.028, 2.0, 0.2, 0.22
#: Height of the highest bar of counts, as a share of the graph.
_HIGHEST = 0.5
#: Maximum number of lines of the label at the desired retention.
_MAX_LINES = 2


def draw(figure: Figure, drawn: Calibration, style: Style, *, title: str = "") -> List[Spot]:
    """Draw one algorithm, and in purple a second one, over the number of reviews in each group of the first.

    The band lies around "exactly right": chance hardly explains a dot of the first algorithm outside it.
    """
    looks: List[Dict[str, Any]] = [
        {"color": style.data[0], "marker": MARKERS[0], "linestyle": "-"},
        {"color": style.second, "marker": MARKERS[1], "linestyle": DASHES},
    ]
    legend = [Line2D([], [], color=style.diagonal, linewidth=_LINE, label=strings.CHART_DIAGONAL)]
    for name, look in ((name, look) for (name, dots), look in zip(drawn.dots, looks) if dots):
        legend.append(Line2D([], [], linewidth=_LINE, markersize=_DOT - 1, label=name, **look))
    if drawn.band:
        # Translators: What a band in a graph stands for.
        legend.append(filled(style, style.data[0], _("chance variation"), _BAND))
    notes = [drawn.caption if title else ""]
    positions, (axes,) = start_figure(
        figure, style, title=title, legend=legend, notes=notes, two_panels=False, right_axis=True
    )
    counts = figure.add_axes(positions.main, zorder=-1, facecolor=style.canvas)
    axes.patch.set_visible(False)
    ends = drawn.begins, 1.0
    for panel in (axes, counts):
        panel.set_xlim(ends)
    axes.set_ylim(ends)
    _draw_counts(counts, drawn, positions, style)
    if drawn.band:
        predicted, low, high = zip(*drawn.band)
        axes.fill_between(predicted, low, high, color=style.data[0], alpha=_BAND, linewidth=0, zorder=1.2)
    axes.plot(ends, ends, color=style.diagonal, linewidth=_LINE, zorder=1.5)
    result: List[Spot] = []
    size = min(_DOT, _SHARE * 72 * figure.get_figwidth() * positions.main[2])
    for (_name, dots), look in reversed(list(zip(drawn.dots, looks))):
        x, y = [dot.predicted or 0.0 for dot in dots], [dot.recalled or 0.0 for dot in dots]
        axes.plot(x, y, color=look["color"], linestyle=look["linestyle"], linewidth=_LINE, zorder=2)
        draw_dots(axes, x, y, look["color"], look["marker"], style, size)
        result += spots(axes, list(zip(x, y, map(tip, dots))))
    name_ticks(axes.xaxis, round_ticks(ends, positions.most_ticks_across, percent), style)
    name_ticks(axes.yaxis, round_ticks(ends, positions.most_ticks_up, percent), style)
    if drawn.aim is not None:
        _draw_aim(axes, drawn.aim, positions, style)
    finish([axes], positions, style, across=strings.CHART_X, up=strings.CHART_Y)
    return result


def _draw_counts(panel: Axes, drawn: Calibration, positions: Layout, style: Style) -> None:
    bars = [(max(group.left, drawn.begins), group.right, group.reviews) for group in drawn.counts]
    draw_counts(panel, bars, style, height=_HIGHEST, alpha=_BARS)
    panel.spines[:].set_visible(False)
    panel.xaxis.set_visible(False)
    panel.yaxis.tick_right()
    panel.tick_params(length=0, pad=0.35 * style.font_size)
    if positions.right_axis:
        label_up(panel, strings.CHART_COUNTS, positions, style)
        panel.yaxis.label.set_horizontalalignment("left")
        panel.yaxis.set_label_coords(
            1 - 0.83 * positions.label_up, 0
        )  # closer than on the left, where numbers are longer
    else:
        panel.set_yticks([])


def _draw_aim(axes: Axes, aim: float, positions: Layout, style: Style) -> None:
    """Draw the mark at the desired retention, with its label on the side that has room for it."""
    axes.axvline(aim, color=style.subtle, linewidth=1, linestyle=(0, (1, 2)), zorder=1.4)
    text = legible(_("your desired retention: {retention}").format(retention=percent(aim)), style.font_families)
    low, high = axes.get_xlim()
    room = positions.letters_across * (aim - low) / (high - low)
    lines = break_lines(text, room - 1)
    if len(lines) <= _MAX_LINES and max(map(display_width, lines)) + 1 <= room:
        axes.annotate(
            "\n".join(lines),
            (aim, 0.02),
            (-0.4 * style.font_size, 0),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            color=style.text,
            fontfamily=needed(text, style.font_families),
            fontsize=0.92 * style.font_size,
            ha="right",
        )

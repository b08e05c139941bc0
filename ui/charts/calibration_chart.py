"""Graph of predicted and actual recall in the benchmark's 20 groups of similar predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

from matplotlib.lines import Line2D

from ..text import _, strings
from ..text.numbers import percent
from ..text.phrases import add_label
from .panels import (
    DASHES,
    MARKERS,
    Spot,
    area_entry,
    draw_band,
    draw_counts,
    draw_dots,
    finish,
    number_axis,
    spots,
    start_figure,
    tip,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    from ..views.calibration_graph import Calibration, Dot
    from .style import Style

#: Maximum size of a dot in points.
_DOT = 7.0
#: Maximum size of a dot as a share of the figure's width.
_DOT_SHARE = 0.022
#: Size of the diamond as a multiple of that of a dot.
_DIAMOND = 1.8
#: Width of lines in points.
_LINE = 2.0
#: Distance by which the band continues beyond its first and last group.
_MARGIN = 0.01
_BAND_ALPHA = 0.17
_BARS_ALPHA = 0.2
#: Height of the highest bar, as a share of the graph.
_MAX_BAR_HEIGHT = 0.5


def draw(figure: Figure, data: Calibration, style: Style, *, title: str, notes: Sequence[str]) -> List[Spot]:
    """Draw a line with a dot for each group of one algorithm or two, over bars with the reviews of the first.

    The band around the diagonal is where chance would put the dots of the first algorithm if it were calibrated. A dot
    is filled if its algorithm is off by more than chance. The diamond is the finding, with its interval.
    """
    looks: List[Dict[str, Any]] = [
        {"color": style.data[0], "marker": MARKERS[0], "linestyle": "-"},
        {"color": style.second, "marker": MARKERS[1], "linestyle": DASHES},
    ]
    legend: List[Artist] = [Line2D([], [], color=style.diagonal, linewidth=_LINE, label=strings.CHART_DIAGONAL)]
    hollow: Dict[str, Any] = {"markersize": _DOT - 1, "markerfacecolor": style.canvas}
    for (name, dots), look in zip(data.dots, looks):
        if dots:
            legend.append(Line2D([], [], linewidth=_LINE, label=name, **hollow, **look))
    if any(_is_off(dot) for _name, dots in data.dots for dot in dots):
        look = {"color": style.data[0] if len(data.dots) == 1 else style.text, "marker": MARKERS[0]}
        legend.append(Line2D([], [], linestyle="", markersize=_DOT - 1, label=strings.CHART_OFF, **look))
    if data.diamond:
        label = _("average near your desired retention") if data.near else _("average of the tested reviews")
        legend.append(Line2D([], [], linestyle="", marker="D", color=style.text, label=label, **hollow))
    legend += _areas(data, style)
    upright: Dict[str, Any] = {"color": style.subtle, "linewidth": 1, "linestyle": (0, (1, 2))}
    if data.desired_retention is not None:
        text = _("your desired retention: {retention}").format(retention=percent(data.desired_retention))
        legend.append(Line2D([], [], label=text, **upright))
    layout, (axes,) = start_figure(figure, style, title=title, legend=legend, notes=notes, right_axis=True)
    ends = data.axis_start, 1.0
    axes.set(xlim=ends, ylim=ends)
    _draw_counts(axes.twinx(), data, style, has_axis=layout.right_axis)
    axes.set_zorder(1)
    if data.band:
        # The band continues beyond its ends, so that the band of a single group has a width.
        beyond = [(data.band[0], -_MARGIN), *((group, 0.0) for group in data.band), (data.band[-1], _MARGIN)]
        points = [(x + step, low + step, high + step) for (x, low, high), step in beyond]
        draw_band(axes, points, style.data[0], _BAND_ALPHA)
    if data.desired_retention is not None:
        axes.axvline(data.desired_retention, **upright, zorder=1.4)
    axes.plot(ends, ends, color=style.diagonal, linewidth=_LINE, zorder=1.5)
    size = min(_DOT, _DOT_SHARE * 72 * figure.get_figwidth())
    if data.diamond:
        said, remembered, *interval = data.diamond
        bracket = [end for end in interval if end is not None]
        axes.plot([said] * len(bracket), bracket, color=style.text, marker="_", markersize=size, zorder=3)
        # A dot at the same place is drawn inside.
        draw_dots(axes, [said], [remembered], style.text, "D", style, _DIAMOND * size, hollow=True)
    for (_name, dots), look in reversed(list(zip(data.dots, looks))):
        axes.plot(*_points(dots), color=look["color"], linestyle=look["linestyle"], linewidth=_LINE)
        for is_off in (False, True):
            x, y = _points([dot for dot in dots if _is_off(dot) == is_off])
            draw_dots(axes, x, y, look["color"], look["marker"], style, size, hollow=not is_off)
    number_axis(axes.xaxis, ends, layout.steps_across, percent)
    number_axis(axes.yaxis, ends, layout.steps_up, percent)
    finish(figure, [axes], layout, style, across=strings.CHART_X, up=strings.CHART_Y)
    return spots([axes], _tips(data))


def _is_off(dot: Dot) -> bool:
    return getattr(dot, "is_off", False)


def _points(dots: Sequence[Dot]) -> Tuple[List[float], List[float]]:
    return [dot.predicted or 0.0 for dot in dots], [dot.recalled or 0.0 for dot in dots]


def _areas(data: Calibration, style: Style) -> List[Patch]:
    """Return legend entries for the band and, if there are two algorithms, for the bars."""
    algorithm = data.dots[0][0]
    has_two = len(data.dots) > 1
    entries = []
    if data.band:
        # Translators: What a band in a graph stands for: errors as large as luck may make them.
        label = _("could be luck for {algorithm}") if has_two else _("could be luck")
        entries.append(area_entry(style.data[0], label.format(algorithm=algorithm), _BAND_ALPHA))
    if has_two:
        # Translators: What the bars in a graph stand for.
        entries.append(area_entry(style.subtle, _("reviews by {algorithm}").format(algorithm=algorithm), _BARS_ALPHA))
    return entries


def _draw_counts(panel: Axes, data: Calibration, style: Style, *, has_axis: bool) -> None:
    """Draw the numbers of reviews of the first algorithm, and an axis on the right if there is room for it."""
    bars = [(max(group.left, data.axis_start), group.right, group.reviews) for group in data.counts]
    draw_counts(panel, bars, style, height=_MAX_BAR_HEIGHT, alpha=_BARS_ALPHA)
    panel.spines[:].set_visible(False)
    panel.tick_params(length=0)
    if has_axis:
        panel.set_ylabel(strings.CHART_COUNTS, loc="bottom")
    else:
        panel.set_yticks([])


def _tips(data: Calibration) -> List[Tuple[float, str]]:
    """Return the mean prediction of each group, with a tooltip about the nearest group of each algorithm."""
    # A group with a dot is also in the counts. Its dot comes first, because that knows whether it is off.
    groups: List[Tuple[str, Sequence[Dot]]] = [
        (name, dots if number else (*dots, *data.counts)) for number, (name, dots) in enumerate(data.dots)
    ]
    predictions = sorted({group.predicted or 0.0 for _name, algorithm_groups in groups for group in algorithm_groups})
    tips = []
    for prediction in predictions:
        nearest = [
            (name, tip(min(algorithm_groups, key=lambda group: abs((group.predicted or 0.0) - prediction))))
            for name, algorithm_groups in groups
            if algorithm_groups
        ]
        lines = [add_label(name, text) if len(groups) > 1 else text for name, text in nearest]
        tips.append((prediction, "\n".join(lines)))
    return tips

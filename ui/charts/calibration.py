"""The calibration graph: what was predicted against what was recalled, for one algorithm or two."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, List, Sequence, Tuple

from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

from .. import strings
from .layout import Layout, break_lines, lay_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from evaluator.report import AlgorithmResult, CalibrationBin

    from .style import Style

_MARKERS = ("o", "s")  #: beside the colour, so that the two are told apart without it
_COUNTED = 0.01  #: groups with a smaller share of the reviews are faint, and do not widen the range


@dataclass(frozen=True)
class _Series:
    """One algorithm in the graph."""

    name: str
    groups: Tuple[CalibrationBin, ...]
    colour: str
    marker: str
    place: int  #: 0 or 1

    @property
    def reviews(self) -> int:
        return sum(group.reviews for group in self.groups)

    def counts(self, group: CalibrationBin) -> bool:
        """Whether the group is large enough to say something."""
        return group.reviews >= _COUNTED * self.reviews


def draw(figure: Figure, results: Sequence[AlgorithmResult], style: Style, *, titled: bool = True) -> None:
    """Draw the calibration of the first two results that have one, in place of what the figure showed.

    Above: each point is a group of reviews with similar predictions (the benchmark's groups, finer near 100 %); its
    area grows with the number of reviews, and the smallest are faint and left out of the line. On the dashed diagonal,
    predictions are exactly right. Both axes have the same range, which begins where the reviews do; what lies outside
    is said in a note. Below: the number of reviews in each group.
    """
    for artist in (*figure.axes, *figure.texts, *figure.legends):
        artist.remove()  # Figure.clear would first set up each of the axes anew
    figure.set_facecolor(style.canvas)
    series = _series(results, style)
    if not series:
        return
    lowest = _lower_limit(series)
    notes = _notes(series, lowest)
    places = lay_out(
        size_inches=(figure.get_figwidth(), figure.get_figheight()),
        font_size=style.font_size,
        title=_title(series) if titled else "",
        legend=[*(one.name for one in series), strings.CHART_DIAGONAL],
        notes=len(notes),
    )
    upper = figure.add_axes(places.calibration)
    lower = figure.add_axes(places.counts, sharex=upper)
    _draw_calibration(upper, series, lowest, places, style)
    _draw_counts(lower, series)
    upper.set_ylabel("\n".join(break_lines(strings.CHART_Y, places.upright_letters)), linespacing=1.1)
    for axes in (upper, lower):
        _dress(axes, style, places.calibration[2] * figure.get_figwidth())
    # The grid across both panels; ticks without a label would cost as much to draw as those with one.
    upper.vlines(lower.get_xticks(), lowest, 1, color=style.grid, linewidth=0.8, zorder=0.5)
    upper.xaxis.set_visible(False)
    for axis in (upper.yaxis, lower.xaxis, lower.yaxis):
        axis.get_major_ticks(len(axis.get_majorticklocs()))  # made now, so that a window's next turn is shorter
    _draw_heading(figure, series, places, notes, style)


def _series(results: Sequence[AlgorithmResult], style: Style) -> List[_Series]:
    drawable = [(result.algorithm, result.calibration.log_spaced) for result in results if result.calibration]
    return [
        _Series(name, groups, style.data[place], _MARKERS[place], place)
        for place, (name, groups) in enumerate([pair for pair in drawable if pair[1]][:2])
    ]


def _title(series: Sequence[_Series]) -> str:
    if len(series) == 1:
        return strings.CHART_TITLE_ONE.format(algorithm=series[0].name)
    return strings.CHART_TITLE_TWO.format(first=series[0].name, second=series[1].name)


def _lower_limit(series: Sequence[_Series]) -> float:
    """A tick below every group of some size; at most 80 %, so that there is always a range to see."""
    values = [min(group.predicted, group.recalled) for one in series for group in one.groups if one.counts(group)]
    tenths = math.floor((min(values) - 0.01) * 10)
    if tenths < 4:
        tenths -= tenths % 2  # the ticks are mostly 20 % apart then
    return min(max(tenths, 0), 8) / 10


def _notes(series: Sequence[_Series], lowest: float) -> List[str]:
    faint = any(_inside(group, lowest) and not one.counts(group) for one in series for group in one.groups)
    outside = _outside_note(series, lowest)
    return [*([strings.CHART_FAINT] if faint else []), *([outside] if outside else [])]


def _outside_note(series: Sequence[_Series], lowest: float) -> str:
    outside = [sum(group.reviews for group in one.groups if not _inside(group, lowest)) for one in series]
    if not any(outside):
        return ""
    if outside == [1]:
        return strings.CHART_OUTSIDE_ONE
    if len(outside) == 1:
        return strings.CHART_OUTSIDE.format(reviews=outside[0])
    return strings.CHART_OUTSIDE_TWO.format(first=outside[0], second=outside[1])


def _inside(group: CalibrationBin, lowest: float) -> bool:
    return group.predicted >= lowest and group.recalled >= lowest


def _draw_calibration(axes: Axes, series: Sequence[_Series], lowest: float, places: Layout, style: Style) -> None:
    axes.plot([lowest, 1], [lowest, 1], linestyle=(0, (5, 4)), linewidth=1.1, color=style.diagonal, zorder=1.5)
    for one in series:
        shown = [group for group in one.groups if _inside(group, lowest)]
        large = [group for group in shown if one.counts(group)]
        x, y = [group.predicted for group in large], [group.recalled for group in large]
        axes.plot(x, y, color=one.colour, linewidth=1.2, alpha=0.65, zorder=2)
        _draw_points(axes, one, large, style)
        _draw_points(axes, one, [group for group in shown if not one.counts(group)], style, alpha=0.4)
    axes.set_xlim(lowest, 1)
    axes.set_ylim(lowest, 1)
    for axis, most in ((axes.xaxis, places.most_ticks_across), (axes.yaxis, places.most_ticks_up)):
        axis.set_major_locator(FixedLocator(_ticks(lowest, most)))
        axis.set_major_formatter(FuncFormatter(_percent_tick))


def _draw_points(
    axes: Axes, one: _Series, groups: Sequence[CalibrationBin], style: Style, *, alpha: float = 1.0
) -> None:
    axes.scatter(
        [group.predicted for group in groups],
        [group.recalled for group in groups],
        s=[16 + 130 * group.reviews / one.reviews for group in groups],
        marker=one.marker,
        facecolor=one.colour,
        edgecolor=style.canvas,
        linewidth=0.7,
        alpha=alpha,
        clip_on=False,
        zorder=3,
    )


def _ticks(lowest: float, most: int) -> List[float]:
    """From 100 % downwards, 10 % apart or, where that would be too many, further."""
    tenths = round(10 * lowest)
    candidates = [range(10, tenths - 1, -step) for step in (1, 2, 5, 10)]
    chosen = next((ticks for ticks in candidates if len(ticks) <= most), candidates[-1])
    return [tenth / 10 for tenth in reversed(chosen)]


def _draw_counts(axes: Axes, series: Sequence[_Series]) -> None:
    """Bars as wide as the group is; two algorithms share that width. One collection is drawn faster than many bars."""
    share = 0.9 / len(series)
    for one in series:
        corners = []
        for group in one.groups:
            width = group.right - group.left
            left = group.left + width * (0.05 + share * one.place)
            right, top = left + width * share, group.reviews
            corners.append([(left, 0), (left, top), (right, top), (right, 0)])
        axes.add_collection(PolyCollection(corners, facecolors=one.colour, alpha=0.55, linewidths=0, zorder=2))
    axes.set_ylim(0, 1.06 * max(group.reviews for one in series for group in one.groups))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=2, integer=True, min_n_ticks=1))
    axes.yaxis.set_major_formatter(FuncFormatter(_count_tick))
    axes.set_xlabel(strings.CHART_X)
    axes.set_ylabel(strings.CHART_COUNTS)


def _dress(axes: Axes, style: Style, width_inches: float) -> None:
    """Font, colours, a faint grid, and the labels of both vertical axes at the same distance."""
    axes.set_facecolor(style.canvas)
    axes.grid(visible=True, color=style.grid, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(
        colors=style.subtle,
        labelsize=0.92 * style.font_size,
        labelfontfamily=list(style.font_families),
        length=3,
        width=0.8,
    )
    for side, spine in axes.spines.items():
        spine.set_visible(side in {"left", "bottom"})
        spine.set_color(style.subtle)
        spine.set_linewidth(0.8)
    for label in (axes.xaxis.label, axes.yaxis.label):
        label.set(color=style.text, fontsize=style.font_size, fontfamily=list(style.font_families))
    upright = axes.yaxis.label
    upright.set_verticalalignment("center")
    axes.yaxis.set_label_coords(-5.4 * style.font_size / 72 / width_inches, 0.5)


def _draw_heading(
    figure: Figure, series: Sequence[_Series], places: Layout, notes: Sequence[str], style: Style
) -> None:
    families = list(style.font_families)
    font: dict[str, Any] = {"fontfamily": families, "verticalalignment": "top"}
    figure.text(  # an empty title draws nothing
        places.left,
        places.title_top,
        places.title,
        fontsize=1.12 * style.font_size,
        fontweight="bold",
        color=style.text,
        linespacing=1.25,
        **font,
    )
    handles = [
        Line2D([], [], color=one.colour, marker=one.marker, markersize=6.5, linewidth=1.2, label=one.name)
        for one in series
    ]
    handles.append(
        Line2D([], [], color=style.diagonal, linestyle=(0, (5, 4)), linewidth=1.1, label=strings.CHART_DIAGONAL)
    )
    figure.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(places.left, places.legend_top),
        ncols=places.legend_columns,
        frameon=False,
        borderpad=0,
        borderaxespad=0,
        handlelength=1.9,
        handletextpad=0.5,
        columnspacing=1.3,
        labelspacing=0.35,
        labelcolor=style.text,
        prop={"family": families, "size": style.font_size},
    )
    if notes:
        figure.text(
            places.left,
            places.note_top,
            "\n".join(notes),
            linespacing=1.4,
            fontsize=0.92 * style.font_size,
            color=style.subtle,
            **font,
        )


def _percent_tick(value: float, _position: int) -> str:
    return strings.PERCENT.format(value=100 * value, digits=0)


def _count_tick(value: float, _position: int) -> str:
    return f"{value:,.0f}"

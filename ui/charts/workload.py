"""Cards remembered by the minutes a day, or by the desired retention: FSRS at each of these, and SM-2 next to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Sequence, Tuple

from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D

from ..text import _
from ..text.numbers import percent
from .fonts import needed
from .panels import MARKERS, draw_dots, draw_strokes, finish, name_ticks, round_ticks, start_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from evaluator.interval import ConfidenceInterval
    from evaluator.workload.result import Load, Workload

    from .style import Style

#: The points of these desired retentions are named.
_NAMED = (0.8, 0.9, 0.95)
#: Margin at either end of an axis, as a share of its range.
_MARGIN = 0.08
#: A number of minutes or cards.
_written = "{:,g}".format
_BAND_ALPHA, _BAR_ALPHA = 0.22, 0.45
#: Font size next to dots, relative to the rest.
_SMALL = 0.92

#: A number with its interval: low, the number, high; three times the number if it has none.
_Reach = Tuple[float, float, float]
#: A scheduler's position on the horizontal axis, and the cards remembered there.
_Point = Tuple[_Reach, _Reach]


def draw(figure: Figure, drawn: Workload, style: Style, *, title: str = "") -> None:
    """Draw a line through FSRS's desired retentions, replacing what the figure showed.

    By minutes each point has bars in both directions, and SM-2 is one point more; by desired retention, which SM-2 has
    none of, it is a level line with a band.
    """
    sm2, curve, by_minutes = drawn.loads[0], drawn.loads[1:], drawn.by_minutes
    note = (
        _("Bars: 95% intervals. Next to the dots: desired retention.")
        if by_minutes
        else _("Bars and band: 95% intervals.")
    )
    legend = [
        Line2D([], [], color=color, marker=marker, markersize=6, linewidth=1.5, label=load.scheduler)
        for color, marker, load in zip(style.data, (MARKERS[0], MARKERS[1] if by_minutes else ""), (curve[0], sm2))
    ]
    positions, panels = start_figure(figure, style, title=title, legend=legend, notes=[note], two_panels=False)
    axes = panels[0]
    fsrs = [_point(load, by_minutes=by_minutes) for load in curve]
    axes.plot(*_line(fsrs), color=style.data[0], linewidth=1.6, zorder=2.1)
    _draw_points(axes, fsrs, style.data[0], MARKERS[0], style)
    low, level, high = _reach(sm2.known)
    of_sm2 = [_point(sm2, by_minutes=True)] if by_minutes else []
    if of_sm2:
        _draw_points(axes, of_sm2, style.data[1], MARKERS[1], style)
    else:
        axes.axhline(level, color=style.data[1], linewidth=1.4, zorder=2)
        axes.axhspan(low, high, color=style.data[1], alpha=_BAND_ALPHA, linewidth=0, zorder=1.5)
    across, up = ([x for point in (*fsrs, *of_sm2) for x in point[axis]] for axis in range(2))
    axes.set_xlim(*_range(across))
    axes.set_ylim(*_range([*up, low, high]))
    written = _written if by_minutes else percent
    name_ticks(axes.xaxis, round_ticks(axes.get_xlim(), positions.most_ticks_across, written), style)
    name_ticks(axes.yaxis, round_ticks(axes.get_ylim(), positions.most_ticks_up, _written), style)
    if by_minutes:
        _name_points(axes, curve, fsrs, style)
    finish(
        panels,
        positions,
        style,
        # Translators: A horizontal axis.
        across=_("Minutes per day") if by_minutes else _("Desired retention"),
        # Translators: A vertical axis.
        up=_("Cards remembered"),
    )


def _point(load: Load, *, by_minutes: bool) -> _Point:
    desired = load.desired_retention or 0.0
    across = _reach(load.minutes) if by_minutes and load.minutes else (desired, desired, desired)
    return across, _reach(load.known)


def _reach(value: ConfidenceInterval) -> _Reach:
    low, high = value.low_high or (value.value, value.value)
    return low, value.value, high


def _line(points: Sequence[_Point]) -> Tuple[List[float], List[float]]:
    return [x for (_low, x, _high), _up in points], [y for _across, (_low, y, _high) in points]


def _draw_points(axes: Axes, points: Sequence[_Point], color: str, marker: str, style: Style) -> None:
    level = [((left, y), (right, y)) for (left, _x, right), (_low, y, _high) in points]
    upright = [((x, low), (x, high)) for (_left, x, _right), (low, _y, high) in points]
    draw_strokes(axes, [*level, *upright], to_rgba(color, _BAR_ALPHA), 1.4, zorder=1.8)
    draw_dots(axes, *_line(points), color, marker, style)


def _range(values: Sequence[float]) -> Tuple[float, float]:
    low, high = min(values), max(values)
    room = _MARGIN * (high - low) or 0.5
    return low - room, high + room


def _name_points(axes: Axes, curve: Sequence[Load], points: Sequence[_Point], style: Style) -> None:
    """Write the desired retention next to some points: to the upper left, where a curve that flattens leaves room."""
    aside = 0.45 * style.font_size
    for load, position in zip(curve, zip(*_line(points))):
        desired = load.desired_retention or 0.0
        if round(desired, 6) not in _NAMED:
            continue
        name = percent(desired)
        axes.annotate(
            name,
            position,
            (-aside, 0.3 * aside),
            textcoords="offset points",
            color=style.text,
            fontfamily=needed(name, style.font_families),
            fontsize=_SMALL * style.font_size,
            ha="right",
            va="bottom",
        )

"""Graph of the cards known at each number of reviews a day, for FSRS at several desired retentions and for SM-2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Sequence, Tuple

import numpy as np
from matplotlib.lines import Line2D

from ..text import _
from ..text.numbers import percent
from ..text.phrases import paragraph
from .panels import DASHES, MARKERS, Spot, draw_band, draw_dots, draw_strokes, finish, number_axis, spots, start_figure
from .style import SMALL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from evaluator.interval import ConfidenceInterval
    from evaluator.workload.result import Load

    from ..views.workload_view import CurveData
    from .style import Style

#: Code of the question that is answered for users who keep up with their reviews.
WORK = "work"
#: Margin at either end of an axis, as a share of its range.
_MARGIN = 0.08
_format_count = "{:,g}".format
_BAND_ALPHA = 0.15
#: Half of the width and of the height of a name next to a dot, in font sizes.
_HALF_NAME = (1.3, 0.6)
#: Where a name may be placed: steps across and up from its point. The first places are preferred.
_PLACES = np.array([(-1, 1), (1, -1), (-1, 2), (0, 2), (1, 1), (-1, -1), (0, -2)])

#: The low end of an interval, the number itself, and the high end. All three are equal if there is no interval.
_LowMidHigh = Tuple[float, float, float]
#: A scheduler's position on the horizontal axis, and the cards known there.
_Point = Tuple[_LowMidHigh, _LowMidHigh]


def draw(figure: Figure, data: CurveData, style: Style, *, title: str, notes: Sequence[str]) -> List[Spot]:
    """Draw a line through FSRS's desired retentions, and SM-2 for comparison.

    If the user keeps up with their reviews, the horizontal axis has the reviews per day, and SM-2 is a point. A dashed
    line leads from it to the point at which FSRS knows as many cards. With a backlog, the horizontal axis has the
    desired retention, and SM-2 is a level line with a band.
    """
    sm2 = data.workload.loads[0]
    curve = data.workload.loads[1:]
    by_reviews = data.workload.question == WORK
    all_notes = [
        data.note,
        paragraph(
            _("Numbers at dots: desired retention."),
            _("Bars: 95% intervals.") if by_reviews else _("Bars and band: 95% intervals."),
        ),
        *notes,
    ]
    legend = [
        Line2D([], [], color=color, marker=marker, markersize=6, linewidth=1.5, label=scheduler)
        for color, marker, scheduler in zip(style.data, (MARKERS[0], MARKERS[1] if by_reviews else ""), data.schedulers)
    ]
    layout, panels = start_figure(figure, style, title=title, legend=legend, notes=all_notes)
    axes = panels[0]
    points_by_retention = {load.desired_retention or 0.0: _point(load, by_reviews=by_reviews) for load in curve}
    low, level, high = _low_mid_high(sm2.known)
    named = {choice.desired: _point(choice.load, by_reviews=by_reviews) for choice in data.choices}
    for choice in data.choices:
        # At the desired retention with as many known cards as SM-2, nothing was simulated.
        if choice.load not in curve:
            points_by_retention[choice.load.desired_retention or 0.0] = named[choice.desired]
            ends = [choice.load.reviews.value, sm2.reviews.value]
            axes.plot(ends, [level, level], color=style.data[1], linestyle=DASHES, linewidth=1.2)
    points = [points_by_retention[retention] for retention in sorted(points_by_retention)]
    axes.plot(*_coordinates(points), color=style.data[0], linewidth=1.6, zorder=2.1)
    _draw_points(axes, points, style.data[0], MARKERS[0], style)
    sm2_points = [_point(sm2, by_reviews=True)] if by_reviews else []
    if sm2_points:
        _draw_points(axes, sm2_points, style.data[1], MARKERS[1], style)
    else:
        axes.axhline(level, color=style.data[1], linewidth=1.4)
    across, up = ([end for point in (*points, *sm2_points) for end in point[axis]] for axis in range(2))
    axes.set_xlim(*_limits(across, _MARGIN))
    if not by_reviews:
        draw_band(axes, [(x, low, high) for x in axes.get_xlim()], style.data[1], _BAND_ALPHA)
    # Names may be above or below the band.
    axes.set_ylim(*_limits([*up, low, high], _MARGIN if by_reviews else 2 * _MARGIN))
    format_x = _format_count if by_reviews else percent
    number_axis(axes.xaxis, axes.get_xlim(), layout.steps_across, format_x)
    number_axis(axes.yaxis, axes.get_ylim(), layout.steps_up, _format_count)
    finish(
        figure,
        panels,
        layout,
        style,
        # Translators: A horizontal axis.
        across=_("Reviews per day") if by_reviews else _("Desired retention"),
        # Translators: A vertical axis.
        up=_("Cards known"),
    )
    _name_points(axes, dict(reversed(named.items())), style)
    loads = data.workload.loads if by_reviews else curve
    tips = data.tips if by_reviews else tuple(f"{tip}\n\n{data.tips[0]}" for tip in data.tips[1:])
    return spots(panels, [(_point(load, by_reviews=by_reviews)[0][1], tip) for load, tip in zip(loads, tips)])


def _point(load: Load, *, by_reviews: bool) -> _Point:
    """Return where a scheduler is drawn: by its reviews per day or by its desired retention, and by its cards known."""
    desired = load.desired_retention or 0.0
    return _low_mid_high(load.reviews) if by_reviews else (desired, desired, desired), _low_mid_high(load.known)


def _low_mid_high(value: ConfidenceInterval) -> _LowMidHigh:
    low, high = value.low_high or (value.value, value.value)
    return low, value.value, high


def _coordinates(points: Sequence[_Point]) -> Tuple[List[float], List[float]]:
    """Return the horizontal and the vertical positions of points, without the ends of their intervals."""
    return [x for (_low, x, _high), _up in points], [y for _across, (_low, y, _high) in points]


def _draw_points(axes: Axes, points: Sequence[_Point], color: str, marker: str, style: Style) -> None:
    """Draw a dot at each point, with a bar for each of its two intervals."""
    horizontal_bars = [((left, y), (right, y)) for (left, _x, right), (_low, y, _high) in points]
    vertical_bars = [((x, low), (x, high)) for (_left, x, _right), (low, _y, high) in points]
    draw_strokes(axes, [*horizontal_bars, *vertical_bars], color, 1.0, zorder=1.8)
    draw_dots(axes, *_coordinates(points), color, marker, style)


def _limits(values: Sequence[float], share: float) -> Tuple[float, float]:
    """Return the limits of an axis with these values and a margin at either end, as a share of their range."""
    low, high = min(values), max(values)
    margin = share * (high - low) or 0.5
    return low - margin, high + margin


def _name_points(axes: Axes, points: Dict[str, _Point], style: Style) -> None:
    """Write names next to points, the first ones with priority.

    A name is placed on the side of its point where it covers the least of the lines, at the upper left if possible,
    and above or below a band. If there is no room, or other names are in the way everywhere, it is left out.
    """
    font_pixels = style.font_size / 72 * axes.figure.dpi
    box = axes.bbox
    size = np.array(_HALF_NAME) * font_pixels
    line_points = np.concatenate(
        [line.get_transform().transform(line.get_path().interpolated(50).vertices) for line in axes.lines]
    )
    bands = [axes.transData.transform(area.get_datalim(axes.transData))[:, 1] for area in axes.collections]
    placed = np.empty((0, 2))
    for name, position in zip(points, zip(*_coordinates(list(points.values())))):
        point = axes.transData.transform(position)
        step = size + font_pixels / 3
        places = point + _PLACES * step
        for bottom, top in bands:
            places = np.vstack([places, (point[0], top + step[1]), (point[0], bottom - step[1])])
            places = places[abs(places[:, 1] - (bottom + top) / 2) > (top - bottom) / 2 + size[1]]
        is_inside = ((places - size > box.min) & (places + size < box.max)).all(axis=1)
        free = [place for place in places[is_inside] if not (abs(placed - place) < 2 * size).all(axis=1).any()]
        if free:
            place = min(free, key=lambda place: (abs(line_points - place) < size).all(axis=1).sum())
            placed = np.vstack([placed, place])
            axes.annotate(
                name,
                tuple(axes.transAxes.inverted().transform(place)),
                xycoords="axes fraction",
                fontsize=SMALL * style.font_size,
                ha="center",
                va="center",
            )

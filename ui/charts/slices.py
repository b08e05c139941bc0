"""Recall in slices of the reviews: after intervals of some length, in some month, ...

Of one algorithm what was predicted and what was remembered; of two, for whom what was remembered is the same, what was
remembered minus what each predicted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

from matplotlib.lines import Line2D

from ..text import Counted, _, strings
from ..text.numbers import percent, points
from .panels import (
    DOT,
    MARKERS,
    begin,
    dashed,
    draw_dots,
    draw_strokes,
    draw_zero,
    finish,
    name_places,
    name_ticks,
    of_algorithms,
    round_ticks,
    share_counts,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from evaluator.statistics.slices import RecallSlice

    from ..views.slices import ComparedSlices
    from .layout import Layout
    from .style import Style

BLANK = Counted("Blank: fewer than {count} review.", "Blank: fewer than {count} reviews.")

#: Months from one that is named to the next.
_MONTHS = (1, 2, 3, 6, 12, 24, 36, 60, 120, 240)
#: Of the distance from one slice to the next, a dot takes at most so much.
_DOT = 0.8
#: Of the vertical axis.
_LEAST_RANGE = 0.06
_NAN = float("nan")


@dataclass(frozen=True)
class _Column:
    """Where one slice stands, with the slice of each algorithm."""

    x: int
    name: str  #: as it is shown
    slices: Tuple[RecallSlice, ...]

    @property
    def reviews(self) -> int:
        return self.slices[0].reviews


def draw(figure: Figure, drawn: ComparedSlices, style: Style, *, title: str = "") -> None:
    """Draw the slices of one or two algorithms, in place of what the figure showed.

    Above: see the module's text; the bars hold for all slices of an algorithm at once. Below: the number of reviews in
    each slice.
    """
    columns = _columns(drawn)
    alone = len(drawn.of) == 1
    legend = [*of_algorithms([name for name, _unused in drawn.of], style), dashed(style)]
    if alone:
        legend = [
            # Translators: What the lines, and the dots, of a graph are; in its legend.
            Line2D([], [], color=style.data[0], linewidth=3, label=_("predicted")),
            # Translators: What the lines, and the dots, of a graph are; in its legend.
            Line2D([], [], color=style.text, marker="o", markersize=5, linewidth=1.4, label=_("remembered")),
        ]
    spread = columns[-1].x - columns[0].x + 1
    places, panels = begin(
        figure,
        style,
        title=title,
        legend=legend,
        notes=_notes(columns, drawn, titled=bool(title)),
        names=[columns[0].name] * spread if drawn.months else [column.name for column in columns],
    )
    main = panels[0]
    size = _DOT * 72 * figure.get_figwidth() * places.main[2] / spread
    if alone:
        _draw_both(main, columns, style, size)
    else:
        draw_zero(main, style)
        for place in range(2):
            _draw_differences(main, columns, place, style, size)
    scale_up(main, places, style, alone=alone)
    main.set_xlim(columns[0].x - 0.6, columns[-1].x + 0.6)
    if drawn.months:
        name_places(panels, _months(columns, places.names_step), replace(places, names_step=1), style)
    else:
        name_places(panels, [(column.x, column.name) for column in columns], places, style)
    bars = [(column.x - 0.35, column.x + 0.35, column.reviews) for column in columns]
    share_counts(panels, [bars], [style.subtle], 0.0, places, style)
    # Translators: An axis.
    up = _("Remembered") if alone else strings.CHART_DIFFERENCE
    finish(panels, places, style, across=drawn.across, up=up)


def _columns(drawn: ComparedSlices) -> List[_Column]:
    """The columns from the first slice with a review to the last; months stand where they are in time."""
    rows = list(zip(drawn.names, zip(*(slices for _unused, slices in drawn.of))))
    filled = [number for number, (_unused, row) in enumerate(rows) if row[0].reviews]
    shown = rows[filled[0] : filled[-1] + 1]
    return [_Column(_month(row[0]) if drawn.months else at, name, row) for at, (name, row) in enumerate(shown)]


def _month(one: RecallSlice) -> int:
    """The number of a month, counted from the year 0 on."""
    year, month = one.name.split("-")
    return 12 * int(year) + int(month) - 1


def _months(columns: Sequence[_Column], least_step: int) -> List[Tuple[float, str]]:
    """The months that are named, with reviews or without: as many as there is room for, from January on."""
    step = next((step for step in _MONTHS if step >= least_step), _MONTHS[-1])
    first, last = columns[0].x, columns[-1].x
    return [(x, f"{x // 12:04d}-{x % 12 + 1:02d}") for x in range(-(-first // step) * step, last + 1, step)]


def _notes(columns: Sequence[_Column], drawn: ComparedSlices, *, titled: bool) -> List[str]:
    slices = [one for column in columns for one in column.slices]
    blank = any(one.reviews and one.predicted is None for one in slices)
    without = any(one.predicted is not None and one.band.ends is None for one in slices)
    barred = any(one.band.ends for one in slices)
    alone = len(drawn.of) == 1
    bars = _("Real errors: upright lines that miss the blue one.") if alone else strings.CHART_BARS
    return [
        "" if alone else _("In percentage points."),
        bars if barred else "",
        BLANK(drawn.minimum) if blank else "",
        _("Without a bar: {needed}.").format(needed=drawn.needed) if without else "",
        strings.CHART_MODEL.format(model=drawn.model) if titled and drawn.model else "",
    ]


def _draw_both(axes: Axes, columns: Sequence[_Column], style: Style, size: float) -> None:
    """Draw what was predicted, and what was remembered with its bar."""
    shown = [(column.x, column.slices[0]) for column in columns]
    bars = [(x, *_bar(one, one.predicted)) for x, one in shown]
    predicted = [(x, _number(one.predicted)) for x, one in shown]
    recalled = [(x, _number(one.recalled)) for x, one in shown]
    strokes = [((x - 0.36, y), (x + 0.36, y)) for x, y in _known(predicted)]
    draw_strokes(axes, strokes, style.data[0], 3, zorder=2)
    _draw_points(axes, recalled, bars, style.text, "o", style, size)


def _draw_differences(axes: Axes, columns: Sequence[_Column], place: int, style: Style, size: float) -> None:
    """Draw what was remembered minus what one of two algorithms predicted, with its bar."""
    shown = [(column.x + 0.3 * place - 0.15, column.slices[place]) for column in columns]
    bars = [(x, *_bar(one, 0.0)) for x, one in shown]
    points = [(x, _number(one.difference.estimate)) for x, one in shown]
    _draw_points(axes, points, bars, style.data[place], MARKERS[place], style, size)


def _bar(one: RecallSlice, base: Optional[float]) -> Tuple[float, float]:
    if base is None or one.band.ends is None:
        return _NAN, _NAN
    low, high = one.band.ends
    return base + low, base + high


def _number(value: Optional[float]) -> float:
    return _NAN if value is None else value


def _draw_points(
    axes: Axes,
    points: Sequence[Tuple[float, float]],
    bars: Sequence[Tuple[float, float, float]],
    colour: str,
    marker: str,
    style: Style,
    size: float,
) -> None:
    draw_strokes(axes, [((x, low), (x, high)) for x, low, high in _known(bars)], colour, min(size / 3, 1.5), zorder=2.5)
    x, y = ([row[at] for row in _known(points)] for at in range(2))
    draw_dots(axes, x, y, colour, marker, style, min(size, DOT))


def _known(rows: Sequence[Tuple[float, ...]]) -> List[Tuple[float, ...]]:
    """The rows without NaN."""
    return [row for row in rows if not any(map(math.isnan, row))]


def scale_up(axes: Axes, places: Layout, style: Style, *, alone: bool) -> None:
    """Scale the vertical axis, with room above and below; probabilities end at 0 and 1."""
    low, high = axes.dataLim.intervaly
    if not low <= high:  # all slices are blank
        low, high = (0.0, 1.0) if alone else (-0.1, 0.1)
    room = max(0.06 * (high - low), (_LEAST_RANGE - (high - low)) / 2)
    low, high = low - room, high + room
    if alone:
        low, high = max(low, 0.0), min(high, 1.0 + room / 2)
    axes.set_ylim(low, high)
    written = percent if alone else points
    name_ticks(axes.yaxis, round_ticks((low, min(high, 1.0)), places.most_ticks_up, written), style)

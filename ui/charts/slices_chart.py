"""Graph of expected and actual recall in slices of the reviews, such as by interval or by month."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Sequence, Tuple

from matplotlib.lines import Line2D

from ..text import _, strings
from ..text.numbers import percent
from ..text.phrases import add_label
from .panels import (
    DASHES,
    DOT,
    Spot,
    draw_counts,
    draw_strokes,
    finish,
    label_categories,
    number_axis,
    spots,
    start_figure,
    tip,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from evaluator.statistics.slices import RecallSlice

    from ..views.slice_graphs import ComparedSlices
    from .layout import Layout
    from .style import Style

#: The possible distances between two months with labels, in months.
_MONTH_STEPS = (1, 2, 3, 6, 12, 24, 36, 60, 120, 240)
#: Maximum size of a dot, as a share of the figure's width for each slice.
_DOT_SHARE = 0.64
#: Minimum range of the vertical axis.
_MIN_RANGE = 0.06
_NAN = float("nan")


class _Column(NamedTuple):
    """A slice of the reviews, as each algorithm predicted it."""

    x: int
    name: str
    slices: Tuple[RecallSlice, ...]


def draw(figure: Figure, data: ComparedSlices, style: Style, *, title: str, notes: Sequence[str]) -> List[Spot]:
    """Draw a line through each algorithm's predictions, and a point for the share remembered in each slice.

    A bar shows how far chance alone may move the point. The point is filled if the first algorithm is off by more than
    that. The lower panel shows the number of reviews in each slice.
    """
    columns = _columns(data)
    n_positions = columns[-1].x - columns[0].x + 1
    looks: List[Dict[str, Any]] = [{"color": style.data[0]}, {"color": style.second, "linestyle": DASHES}]
    lines = list(zip(data.by_algorithm, looks))
    remembered = [(column.x, column.slices[0]) for column in columns if column.slices[0].recalled is not None]
    legend = [
        # Translators: The line of an algorithm in a graph.
        Line2D([], [], linewidth=2, label=_("expected by {algorithm}").format(algorithm=name), **look)
        for (name, _slices), look in lines
    ]
    has_two = len(lines) > 1
    first_name = data.by_algorithm[0][0]
    off_label = strings.CHART_OFF
    if has_two:
        off_label = _("off by more than chance for {algorithm}").format(algorithm=first_name)
    for filled, label in ((False, _("remembered")), (True, off_label)):
        if any(slice_.is_off == filled for _x, slice_ in remembered):
            look = _point_style(style, filled=filled)
            legend.append(Line2D([], [], linestyle="", markersize=DOT + 0.5, label=label, **look))
    if has_two and remembered:
        label = _("could be luck for {algorithm}").format(algorithm=first_name)
        legend.append(Line2D([], [], linestyle="", marker="|", markersize=10, color=style.text, label=label))
    layout, panels = start_figure(
        figure,
        style,
        title=title,
        legend=legend,
        notes=notes,
        names=[columns[0].name] * n_positions if data.months else [column.name for column in columns],
    )
    axes = panels[0]
    for index, (_slices, look) in enumerate(lines):
        predicted = [column.slices[index].predicted for column in columns]
        y = [_NAN if value is None else value for value in predicted]
        # A small dot shows a slice between two gaps, where there is no line.
        axes.plot([column.x for column in columns], y, **look, linewidth=2, marker="o", markersize=2.2)
    size = _DOT_SHARE * 72 * figure.get_figwidth() / n_positions
    _draw_remembered(axes, remembered, style, min(size, DOT + 0.5))
    _scale_vertically(axes, layout)
    axes.set_xlim(columns[0].x - 0.6, columns[-1].x + 0.6)
    step = layout.names_step
    names = _month_labels(columns, step) if data.months else [(column.x, column.name) for column in columns[::step]]
    label_categories(panels[-1], names, layout, style)
    for panel in panels[1:]:
        draw_counts(panel, [(column.x - 0.35, column.x + 0.35, column.slices[0].reviews) for column in columns], style)
        panel.set_ylabel(strings.CHART_COUNTS)
    # Translators: An axis.
    finish(figure, panels, layout, style, across=data.across, up=_("Recall"))
    return spots(panels, [(column.x, _tip(column, data)) for column in columns])


def _columns(data: ComparedSlices) -> List[_Column]:
    """List the columns from the first slice with a review to the last. Months are placed by time."""
    slices_by_column = zip(*(slices for _name, slices in data.by_algorithm))
    columns = [
        _Column(_count_months(slices[0]) if data.months else position, name, slices)
        for position, (name, slices) in enumerate(zip(data.names, slices_by_column))
    ]
    indices = [index for index, column in enumerate(columns) if column.slices[0].reviews]
    return columns[indices[0] : indices[-1] + 1]


def _tip(column: _Column, data: ComparedSlices) -> str:
    """Return the tooltip of a column. If there are two algorithms, it names them."""
    names = [name for name, _slices in data.by_algorithm]
    if len(names) == 1:
        return add_label(column.name, tip(column.slices[0]))
    return "\n".join([column.name, *map(add_label, names, map(tip, column.slices))])


def _count_months(slice_: RecallSlice) -> int:
    """Return the number of months from the year 0 to the month of this slice."""
    year, month = slice_.name.split("-")
    return 12 * int(year) + int(month) - 1


def _month_labels(columns: Sequence[_Column], min_step: int) -> List[Tuple[float, str]]:
    """Return labels for every n-th month since the year 0, including months without reviews, with their positions.

    n is at least ``min_step``, so that the labels fit.
    """
    step = next((step for step in _MONTH_STEPS if step >= min_step), _MONTH_STEPS[-1])
    first_month = columns[0].x
    last_month = columns[-1].x
    start = -(-first_month // step) * step
    return [(x, f"{x // 12:04d}-{x % 12 + 1:02d}") for x in range(start, last_month + 1, step)]


def _point_style(style: Style, *, filled: bool) -> Dict[str, Any]:
    """Return matplotlib's options for a point, which is filled if the algorithm is off by more than chance."""
    return {"marker": "o", "color": style.text, "markerfacecolor": style.text if filled else style.canvas}


def _draw_remembered(axes: Axes, remembered: Sequence[Tuple[int, RecallSlice]], style: Style, size: float) -> None:
    """Draw the share remembered in each slice, over a bar that shows where chance would put it."""
    bars = [((x, slice_.low or 0.0), (x, slice_.high or 0.0)) for x, slice_ in remembered]
    draw_strokes(axes, bars, style.text, min(size / 3, 1.3), zorder=2.5)
    for filled in (False, True):
        points = [(x, slice_.recalled) for x, slice_ in remembered if slice_.is_off == filled]
        if points:
            axes.plot(
                *zip(*points),
                linestyle="",
                **_point_style(style, filled=filled),
                markersize=size,
                markeredgewidth=min(size / 4, 1.3),
                zorder=3,
            )


def _scale_vertically(axes: Axes, layout: Layout) -> None:
    """Scale the vertical axis to the data, with a margin. Its ticks stay between 0 and 1."""
    low, high = axes.dataLim.intervaly
    # Without data, matplotlib's limits are infinite, and the lower one is above the upper one.
    if not low <= high:
        low, high = 0.0, 1.0
    margin = max(0.06 * (high - low), (_MIN_RANGE - (high - low)) / 2)
    low, high = max(low - margin, 0.0), min(high + margin, 1.0 + margin / 2)
    axes.set_ylim(low, high)
    number_axis(axes.yaxis, (low, min(high, 1.0)), layout.steps_up, percent)

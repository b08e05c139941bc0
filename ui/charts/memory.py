"""The heat map of stability and difficulty: where predictions are too high, and where too low."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.lines import Line2D

from ..text import _, ngettext, strings
from ..text.numbers import points
from .panels import filled, finish, label_categories, name_ticks, start_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

    from evaluator.sections.graphs import MemoryMap
    from evaluator.statistics.slices import RecallSlice

    from ..views.memory import Map
    from .style import Style

#: Letters and lines that a number in a cell needs.
_NUMBER_LETTERS, _NUMBER_LINES = 3.6, 1.2
_LINE_LETTERS = 2.0  #: the height of a line in widths of a letter
#: The difference with the full color is at least so large: what chance explains then stays pale.
_MIN_SCALE, _SCALE_STEP = 0.2, 0.05
#: Numbers are made smaller where cells are narrow, but not beyond this.
_SMALLEST = 0.6


def draw(figure: Figure, drawn: Map, style: Style, *, title: str = "") -> None:
    """Draw the map of one algorithm, instead of what the figure showed.

    Orange cells were predicted too high, blue ones too low; cells with too few reviews are hatched, those without any
    are empty. A dot marks what chance does not explain. If there is room, each has its number of percentage points.
    """
    memory = drawn.memory
    rows, columns = _used(memory)
    scale = _scale(memory)
    colors = LinearSegmentedColormap.from_list("difference", [style.data[0], style.neutral, style.data[1]], N=257)
    most = f"{100 * scale:.0f}"
    legend: List[Line2D] = [
        filled(style, colors(1.0), _("\N{MINUS SIGN}{points}: predicted too high").format(points=most)),
        filled(style, colors(0.0), _("+{points}: predicted too low").format(points=most)),
        filled(style, colors(0.5), strings.CHART_DIAGONAL),
    ]
    if memory.cells.wrong:
        legend.append(
            Line2D([], [], linestyle="", marker="o", markersize=4, color=style.text, label=_("beyond chance"))
        )
    hatched = any(slice_.reviews and slice_.predicted is None for slice_ in memory.cells.slices)
    names = drawn.columns[columns.start : columns.stop]
    positions, panels = start_figure(
        figure,
        style,
        title=title,
        legend=legend,
        notes=[
            ngettext(
                "Hatched: fewer than {count} review.", "Hatched: fewer than {count} reviews.", drawn.minimum
            ).format(count=drawn.minimum)
            if hatched
            else "",
            strings.CHART_MODEL.format(model=drawn.model) if title else "",
        ],
        names=names,
        two_panels=False,
    )
    axes = panels[0]
    room = min(
        positions.letters_across / len(columns) / _NUMBER_LETTERS,
        positions.upright_letters / len(rows) / (_NUMBER_LINES * _LINE_LETTERS),
        1.0,
    )
    size = room * style.font_size if room >= _SMALLEST else None
    _draw_cells(axes, [[memory.cell(row, column) for column in columns] for row in rows], colors, scale, style)
    _draw_marks(axes, [[memory.cell(row, column) for column in columns] for row in rows], colors, scale, size)
    axes.set_xlim(0, len(columns))
    axes.set_ylim(0, len(rows))
    label_categories(panels, [(at + 0.5, name) for at, name in enumerate(names)], positions, style)
    name_ticks(axes.yaxis, _row_names(drawn.rows[rows.start : rows.stop], positions.upright_letters), style)
    finish(panels, positions, style, across=drawn.across, up=drawn.up, grid=False)


def _used(memory: MemoryMap) -> Tuple[range, range]:
    rows, columns = range(len(memory.difficulties)), range(len(memory.stabilities))
    filled = [(row, column) for row in rows for column in columns if memory.cell(row, column).reviews]
    used = [sorted({cell[axis] for cell in filled}) for axis in range(2)]
    return range(used[0][0], used[0][-1] + 1), range(used[1][0], used[1][-1] + 1)


def _scale(memory: MemoryMap) -> float:
    """The difference that has the full color on either side: a multiple of 5 points."""
    largest = max((abs(slice_.difference.estimate or 0.0) for slice_ in memory.cells.slices), default=0.0)
    return max(math.ceil(largest / _SCALE_STEP) * _SCALE_STEP, _MIN_SCALE)


def _color(item: RecallSlice, colors: Colormap, scale: float) -> Tuple[float, float, float]:
    return to_rgb(colors(0.5 - item.difference.value / scale / 2)[:3])


def _draw_cells(
    axes: Axes, cells: Sequence[Sequence[RecallSlice]], colors: Colormap, scale: float, style: Style
) -> None:
    filled, hatched, shades = [], [], []
    for y, row in enumerate(cells):
        for x, item in enumerate(row):
            corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
            if item.difference.estimate is not None:
                filled.append(corners)
                shades.append(_color(item, colors, scale))
            elif item.reviews:
                hatched.append(corners)
    axes.add_collection(PolyCollection(filled, facecolors=shades, edgecolors=style.canvas, linewidths=1.5))
    axes.add_collection(
        PolyCollection(hatched, facecolors="none", edgecolors=style.grid, hatch="////", linewidths=0.5, zorder=0.5)
    )


def _draw_marks(
    axes: Axes, cells: Sequence[Sequence[RecallSlice]], colors: Colormap, scale: float, size: Optional[float]
) -> None:
    """Draw each cell's number, if there is a size for it; a dot if it is proven wrong, above the number or alone."""
    for y, row in enumerate(cells):
        for x, item in enumerate(row):
            if item.difference.estimate is None:
                continue
            ink = _ink(_color(item, colors, scale))
            if item.is_miscalibrated:
                dot = (x + 0.88, y + 0.82) if size else (x + 0.5, y + 0.5)
                axes.plot(*dot, "o", color=ink, markersize=min(3.5, 0.35 * (size or 10)))
            if size:
                number = points(item.difference.estimate)
                axes.text(x + 0.5, y + 0.5, number, color=ink, fontsize=size, ha="center", va="center")


def _ink(color: Tuple[float, float, float]) -> str:
    """Black or white, whichever is read more easily on that color (WCAG's relative luminance)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color]
    luminance = sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear))
    return "#000000" if luminance > 0.179 else "#ffffff"


def _row_names(names: Sequence[str], display_width: int) -> List[Tuple[float, str]]:
    step = math.ceil(1.2 * _LINE_LETTERS * len(names) / max(display_width, 1))
    return [(at + 0.5, names[at]) for at in range(0, len(names), step)]

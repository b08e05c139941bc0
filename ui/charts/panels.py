"""The parts of all graphs: two panels above each other under a heading, drawn in the style."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, Sequence, Tuple

from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from ..text import _, strings
from ..text.lines import break_lines, display_width
from ..text.numbers import percents
from ..text.phrases import whole
from .fonts import heading_weight, legible, needed
from .layout import COLUMN_GAP, SAMPLE, SAMPLE_GAP, WIDE, Layout, lay_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

    from evaluator.report import CalibrationBin
    from evaluator.statistics.slices import RecallSlice

    from .style import Style

#: Line styles, so that two algorithms can be distinguished without color.
MARKERS = ("o", "s")
DOT = 5.5  #: the size of a dot, in points
DASHES = (0, (3, 1.5))
#: Maximum number of lines of an upright label.
_MAX_UPRIGHT = 2
#: Length of a tick, and width of the lines of axes and grid, in points.
_TICK, _THIN = 3.0, 0.8
#: Font size at ticks and in notes, relative to the rest.
_SMALL = 0.92
_TICK_GAP = 0.35  #: distance from a tick to its name, in font sizes
_LINE = 1.6  #: distance between numbers on an upright axis, in font sizes
_NAN = float("nan")
#: Tolerance for ticks beyond the end of an axis, as numbers are rounded.
_SLACK = 1e-9

#: A position on an axis, and its label.
Tick = Tuple[float, str]
Point = Tuple[float, float]
#: A point of a drawn figure, in fractions of it from its left and its top, and the text of its tooltip.
Spot = Tuple[float, float, str]


def start_figure(
    figure: Figure,
    style: Style,
    *,
    title: str,
    legend: Sequence[Line2D],
    notes: Sequence[str],
    names: Sequence[str] = (),
    two_panels: bool = True,
    right_axis: bool = False,
) -> Tuple[Layout, List[Axes]]:
    """Empty the figure, write its heading, and give it one panel, or two with the same horizontal axis.

    Where the figure is too low for two it has one all the same. ``title`` may be empty; so may be notes, which are left
    out. ``names`` are those along the horizontal axis, where it has names at equal distances: :func:`label_categories`
    writes them.
    """
    figure.clear()
    figure.set_facecolor(style.canvas)
    positions = lay_out(
        size_inches=(figure.get_figwidth(), figure.get_figheight()),
        font_size=style.font_size,
        title=legible(title, style.font_families),
        legend=[legible(str(handle.get_label()), style.font_families) for handle in legend],
        notes=[legible(note, style.font_families) for note in notes if note],
        names=[legible(name, style.font_families) for name in names],
        two_panels=two_panels,
        right_axis=right_axis,
    )
    _draw_heading(figure, legend, positions, style)
    main = figure.add_axes(positions.main)
    panels = [main] if positions.below is None else [main, figure.add_axes(positions.below, sharex=main)]
    for panel in panels:
        panel.set_facecolor(style.canvas)
        panel.set_axisbelow(True)
        panel.spines[["top", "right"]].set_visible(False)
        panel.spines[["left", "bottom"]].set(color=style.subtle, linewidth=_THIN)
        panel.tick_params(color=style.subtle, length=_TICK, width=_THIN, pad=_TICK_GAP * style.font_size)
    return positions, panels


def finish(panels: Sequence[Axes], places: Layout, style: Style, *, across: str, up: str) -> None:
    """Label the axes: the horizontal one, which is the first panel's, below the last."""
    words = break_lines(up, places.upright_letters, WIDE)
    widest = max(display_width(line, WIDE) for line in words)
    if widest <= places.upright_letters + 1 and len(words) <= _MAX_UPRIGHT:  # it is reckoned generously
        label_up(panels[0], "\n".join(words), places, style)
    for panel in panels:
        panel.grid(color=style.grid, linewidth=_THIN)
    for panel in panels[:-1]:
        panel.tick_params(axis="x", length=0, labelbottom=False)
    size = min(places.label_letters / display_width(across, WIDE), 1.0)
    panels[-1].set_xlabel(**_text("xlabel", across, style, size))


def name_ticks(axis: Axis, names: Sequence[Tick], style: Style) -> None:
    """Put ticks with these names on the axis, and no others."""
    texts = [legible(name, style.font_families) for _place, name in names]
    looks = _text("text", "".join(texts), style, _SMALL)
    del looks["text"]
    axis.set_ticks([index for index, _name in names], labels=texts, **looks)


def round_ticks(ends: Tuple[float, float], most: int, written: Callable[[float], str]) -> List[Tick]:
    """Put ticks at round numbers on an axis: at most this many steps."""
    low, high = ends
    result = MaxNLocator(nbins=most, steps=[1, 2, 5, 10], min_n_ticks=min(most, 2)).tick_values(low, high)
    return [(tick, written(tick)) for tick in map(float, result) if low - _SLACK <= tick <= high + _SLACK]


def label_categories(panels: Sequence[Axes], names: Sequence[Tick], places: Layout, style: Style) -> None:
    """Write (place, name) along the horizontal axis: as many of them as there is room for, evenly."""
    shown = names[:: places.names_step]
    if places.names_in_two_lines:
        shown = [(x, f"\n{name}" if number % 2 else name) for number, (x, name) in enumerate(shown)]
    name_ticks(panels[-1].xaxis, shown, style)


def label_up(panel: Axes, label: str, places: Layout, style: Style) -> None:
    """Label the vertical axis: at the same distance in both panels."""
    panel.set_ylabel(**_text("ylabel", label, style), va="center", linespacing=1.1)
    panel.yaxis.set_label_coords(places.label_up, 0.5)


def draw_counts(
    panel: Axes,
    bars: Sequence[Tuple[float, float, int]],
    style: Style,
    *,
    height: float = 1 / 1.06,
    alpha: float = 0.55,
) -> None:
    """Draw bars, each (left, right, reviews), with their axis; the highest takes this share of the height."""
    corners = [[(left, 0), (left, top), (right, top), (right, 0)] for left, right, top in bars]
    # One collection is drawn faster than many bars.
    panel.add_collection(PolyCollection(corners, facecolors=style.subtle, alpha=alpha, linewidths=0, zorder=2))
    highest = max(1, *(top for _left, _right, top in bars))
    panel.set_ylim(0, highest / height)
    lines = height * panel.bbox.height / panel.figure.dpi * 72 / style.font_size
    most = min(max(int(lines / _LINE), 1), 4)
    ticks = MaxNLocator(nbins=most, steps=[1, 2, 5, 10], integer=True, min_n_ticks=1).tick_values(0, highest)
    counts = [count for count in ticks if count <= 1.06 * highest]
    named = counts if len(counts) > 1 else [0, highest]
    name_ticks(panel.yaxis, [(count, whole(round(count))) for count in named], style)


def draw_strokes(panel: Axes, ends: Sequence[Tuple[Point, Point]], color: Any, width: float, zorder: float) -> None:
    """Draw a line between the two points of each pair. One line with gaps is drawn faster than many lines."""
    x, y = ([at for item, other in ends for at in (item[axis], other[axis], _NAN)] for axis in range(2))
    panel.plot(x, y, color=color, linewidth=width, solid_capstyle="butt", zorder=zorder)


def draw_dots(
    panel: Axes, x: Sequence[float], y: Sequence[float], color: str, marker: str, style: Style, size: float = DOT
) -> None:
    """Draw a dot at each point, with a rim that separates it from its background."""
    panel.plot(
        x,
        y,
        linestyle="",
        marker=marker,
        color=color,
        markersize=size,
        markeredgecolor=style.canvas,
        markeredgewidth=min(0.6, size / 9),
        clip_on=False,
        zorder=3,
    )


def spots(panel: Axes, points: Sequence[Tuple[float, float, str]]) -> List[Spot]:
    """Return the places of points (x, y, text) in the figure, once the axes have their range."""
    if not points:
        return []
    to_figure = panel.transData - panel.figure.transFigure
    positions = to_figure.transform([(x, y) for x, y, _text in points])
    return [(float(x), float(1 - y), text) for (x, y), (_x, _y, text) in zip(positions, points)]


def tip(one: RecallSlice | CalibrationBin) -> str:
    """Return the tooltip of a group."""
    predicted, recalled = percents(one.predicted or 0.0, one.recalled or 0.0)
    # Translators: {reviews} is e.g. "1,956 reviews".
    return _("said {predicted}, remembered {recalled}, {reviews}").format(
        predicted=predicted, recalled=recalled, reviews=strings.REVIEWS(one.reviews)
    )


def filled(style: Style, color: Any, label: str, alpha: float = 1.0) -> Line2D:
    """Return the legend entry of an area."""
    return Line2D([], [], color=color, alpha=alpha, linewidth=0.7 * style.font_size, solid_capstyle="butt", label=label)


def _text(key: str, text: str, style: Style, size: float = 1.0) -> dict[str, Any]:
    """Return the arguments for a text of this many times the usual size; small texts are in the fainter color."""
    text = legible(text, style.font_families)
    return {
        key: text,
        "fontfamily": needed(text, style.font_families),
        "fontsize": size * style.font_size,
        "color": style.subtle if size == _SMALL else style.text,
    }


def _draw_heading(figure: Figure, samples: Sequence[Line2D], positions: Layout, style: Style) -> None:
    """Write title, legend and notes: as many entries as there is room for, each with a sample of its line."""
    for text, top, size, looks in (
        (positions.title, positions.title_top, 1.12, {"weight": heading_weight(positions.title, style.font_families)}),
        (positions.note, positions.note_top, _SMALL, {"linespacing": 1.4}),
    ):
        if text:
            figure.text(positions.left, top, **_text("s", text, style, size), va="top", **looks)
    legend = figure.legend(
        handles=samples[: len(positions.legend)],
        labels=positions.legend,
        loc="upper left",
        bbox_to_anchor=(positions.left, positions.legend_top),
        ncols=positions.legend_columns,
        frameon=False,
        borderpad=0,
        borderaxespad=0,
        handlelength=SAMPLE,
        handletextpad=SAMPLE_GAP,
        columnspacing=COLUMN_GAP,
        fontsize=style.font_size,
        labelcolor=style.text,
    )
    for entry in legend.get_texts():
        entry.set_fontfamily(needed(entry.get_text(), style.font_families))

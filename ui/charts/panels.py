"""The parts that graphs share: a heading, one or two panels below it, and their contents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Sequence, Tuple

from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Bbox

from ..text import _, strings
from ..text.numbers import percents
from ..text.phrases import integer
from ..text.text_width import break_lines, display_width
from .fonts import can_draw, legible
from .layout import COLUMN_GAP, LINE, MARGIN, SAMPLE, SAMPLE_GAP, TITLE, WIDE, Layout, break_note, lay_out
from .style import SMALL

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

    from evaluator.report import CalibrationBin
    from evaluator.statistics.slices import RecallSlice

    from .style import Style

#: Markers of the first and the second algorithm, which can be distinguished without color.
MARKERS = ("o", "s")
#: Size of a dot in points.
DOT = 5.5
#: Line style of the second algorithm.
DASHES = (0, (3, 1.5))
#: Maximum number of lines of the vertical axis's label.
_MAX_UPRIGHT = 2
#: Space around panels, and between them, in font sizes.
_PAD = 0.5
_GAP = 0.8
#: Width of the edge of an area, in points.
_EDGE = 0.8
_NAN = float("nan")
#: Height up to which ticks of counts have labels, as a multiple of the highest bar.
_LABELED_HEIGHT = 1.06
#: Distance beyond the end of an axis at which a tick still counts as within it, because of rounding.
_SLACK = 1e-9

#: A position on an axis, and its label.
Tick = Tuple[float, str]
Point = Tuple[float, float]


class Spot(NamedTuple):
    """A column of a figure that has a tooltip. Its ends are fractions of the figure, from its left and its top."""

    left: float
    right: float
    top: float
    bottom: float
    tip: str


def start_figure(
    figure: Figure,
    style: Style,
    *,
    title: str,
    legend: Sequence[Artist],
    notes: Sequence[str],
    names: Sequence[str] = (),
    right_axis: bool = False,
) -> Tuple[Layout, List[Axes]]:
    """Empty the figure, write its heading, and add one panel, or two with the same names below them.

    Call :func:`finish` once the panels are drawn.

    Args:
        figure: where to draw.
        style: colors and font.
        title: title, which may be empty.
        legend: an entry for each kind of line, dot or area.
        notes: sentences below the legend, which may be empty.
        names: names for :func:`label_categories` at equal distances. Every ``layout.names_step``-th one fits. With
            names there is a second panel, unless the figure is low.
        right_axis: whether the panel needs an axis on the right.

    Returns:
        The layout, which says what fits, and the panels from top to bottom.
    """
    figure.clear()
    figure.set_facecolor(style.canvas)
    layout = lay_out(
        size_inches=(figure.get_figwidth(), figure.get_figheight()),
        font_size=style.font_size,
        title=title,
        legend=[str(handle.get_label()) for handle in legend],
        notes=[note for note in notes if note],
        names=names,
        right_axis=right_axis,
    )
    _draw_heading(figure, legend, layout, style)
    figure.set_layout_engine("tight", pad=_PAD, h_pad=_GAP, rect=(0, 0, 1, max(layout.panels_top, 0.1)))
    ratios = (1 - layout.counts_share, layout.counts_share) if layout.counts_share else (1,)
    panels = list(figure.subplots(len(ratios), sharex=True, squeeze=False, height_ratios=ratios)[:, 0])
    for panel in panels[:-1]:
        panel.tick_params(axis="x", length=0)
    return layout, panels


def finish(figure: Figure, panels: Sequence[Axes], layout: Layout, style: Style, *, across: str, up: str) -> None:
    """Label the axes, and place the panels. Call this last.

    Args:
        figure: the figure of the panels.
        panels: the panels from top to bottom.
        layout: what :func:`start_figure` returned.
        style: colors and font.
        across: label of the horizontal axis, below the last panel. It is made smaller if it does not fit.
        up: label of the first panel's vertical axis. It is left out if it does not fit.
    """
    lines = break_lines(up, layout.characters_up, WIDE)
    widest = max(display_width(line, WIDE) for line in lines)
    # One more character fits, because most characters are narrower than estimated.
    if widest <= layout.characters_up + 1 and len(lines) <= _MAX_UPRIGHT:
        panels[0].set_ylabel("\n".join(lines), linespacing=1.1)
    for panel in panels:
        panel.grid()
    # The label may reach beyond both ends of the axis.
    room = layout.characters_per_line + 6
    panels[-1].set_xlabel(across, fontsize=style.font_size * min(room / display_width(across, WIDE), 1.0))
    figure.align_ylabels()
    labels = (text for panel in figure.axes for text in (*panel.texts, panel.xaxis.label, panel.yaxis.label))
    for text in (*figure.texts, *figure.legends[0].texts, *labels):
        text.set_text(legible(text.get_text(), style.font_families))
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    # The layout need not be computed again when the figure is drawn.
    figure.set_layout_engine("none")


def draw_footer(figure: Figure, text: str, style: Style) -> Bbox:
    """Write a text below a finished figure, and return the limits of both together, in inches."""
    width, height = figure.get_size_inches()
    inches = style.font_size / 72
    lines = break_note(text, width / inches)
    margin = MARGIN * inches
    figure.text(
        margin / width,
        0,
        legible("\n".join(lines), style.font_families),
        color=style.subtle,
        family=style.font_families,
        fontsize=SMALL * style.font_size,
        linespacing=1.4,
        va="top",
    )
    return Bbox.from_extents(0, -margin - LINE * inches * len(lines), width, height)


def name_ticks(axis: Axis, names: Sequence[Tick]) -> None:
    """Replace the ticks of the axis with these."""
    axis.set_ticks([x for x, _name in names], labels=[name for _x, name in names])


def number_axis(axis: Axis, ends: Tuple[float, float], max_steps: int, format_value: Callable[[float], str]) -> None:
    """Put ticks at round numbers between the ends of the axis, with at most ``max_steps`` steps."""
    low, high = ends
    values = MaxNLocator(nbins=max_steps, steps=[1, 2, 5, 10], min_n_ticks=min(max_steps, 2)).tick_values(low, high)
    ticks = [tick for tick in map(float, values) if low - _SLACK <= tick <= high + _SLACK]
    name_ticks(axis, [(tick, format_value(tick)) for tick in ticks])


def label_categories(panel: Axes, names: Sequence[Tick], layout: Layout, style: Style) -> None:
    """Write these names along the horizontal axis, every second one in a line of its own if they need two lines."""
    ticks = [(x, legible(name, style.font_families)) for x, name in names]
    if layout.names_in_two_lines:
        ticks = [(x, f"\n{name}" if number % 2 else name) for number, (x, name) in enumerate(ticks)]
    name_ticks(panel.xaxis, ticks)


def draw_counts(
    panel: Axes,
    bars: Sequence[Tuple[float, float, int]],
    style: Style,
    *,
    height: float = 1 / _LABELED_HEIGHT,
    alpha: float = 0.5,
) -> None:
    """Draw numbers of reviews as bars.

    Args:
        panel: where to draw.
        bars: the left end, the right end and the number of reviews of each bar.
        style: colors.
        height: height of the highest bar, as a share of the panel.
        alpha: opacity of the bars.
    """
    corners = [[(left, 0), (left, top), (right, top), (right, 0)] for left, right, top in bars]
    # matplotlib draws one collection faster than many bars.
    panel.add_collection(PolyCollection(corners, **_area_style(style.subtle, alpha), zorder=2))
    highest = max(1, *(top for _left, _right, top in bars))
    panel.set_ylim(0, highest / height)
    # Ticks above the bars have no label.
    panel.yaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True))
    panel.yaxis.set_major_formatter(
        lambda count, _place: integer(round(count)) if count <= _LABELED_HEIGHT * highest else ""
    )


def draw_band(panel: Axes, points: Sequence[Tuple[float, float, float]], color: str, alpha: float) -> None:
    """Draw an area between two lines.

    Args:
        panel: where to draw.
        points: x, y of the lower line, and y of the upper line.
        color: color of the area and of its edge.
        alpha: opacity of the area.
    """
    x, low, high = zip(*points)
    panel.fill_between(x, low, high, **_area_style(color, alpha), zorder=1.2)


def draw_strokes(panel: Axes, strokes: Sequence[Tuple[Point, Point]], color: str, width: float, zorder: float) -> None:
    """Draw a straight line between the two ends of each stroke."""
    # matplotlib draws one line with gaps faster than many lines.
    x, y = ([value for start, end in strokes for value in (start[axis], end[axis], _NAN)] for axis in range(2))
    panel.plot(x, y, color=color, linewidth=width, solid_capstyle="butt", zorder=zorder)


def draw_dots(
    panel: Axes,
    x: Sequence[float],
    y: Sequence[float],
    color: str,
    marker: str,
    style: Style,
    size: float = DOT,
    *,
    hollow: bool = False,
) -> None:
    """Draw a dot at each point. A dot that is not hollow has a rim that separates it from lines behind it."""
    panel.plot(
        x,
        y,
        linestyle="",
        marker=marker,
        color=color,
        markersize=size,
        markerfacecolor=style.canvas if hollow else color,
        markeredgecolor=color if hollow else style.canvas,
        markeredgewidth=min(1.3, size / 5) if hollow else min(0.6, size / 9),
        clip_on=False,
        zorder=3,
    )


def spots(panels: Sequence[Axes], tips: Sequence[Tuple[float, str]]) -> List[Spot]:
    """Return the columns that show these tooltips. Each reaches halfway to its neighbors, and over all panels.

    Args:
        panels: the panels from top to bottom, after :func:`finish`.
        tips: positions on the horizontal axis, and the tooltip at each.
    """
    if not tips:
        return []
    boxes = [panel.get_position() for panel in panels]
    to_figure = panels[0].transData - panels[0].figure.transFigure
    columns = sorted((float(to_figure.transform((x, 0))[0]), tip) for x, tip in tips)
    middles = [(x + next_x) / 2 for (x, _tip), (next_x, _next) in zip(columns, columns[1:])]
    ends = [boxes[0].x0, *middles, boxes[0].x1]
    return [
        Spot(left, right, 1 - boxes[0].y1, 1 - boxes[-1].y0, tip)
        for left, right, (_x, tip) in zip(ends, ends[1:], columns)
    ]


def tip(group: RecallSlice | CalibrationBin) -> str:
    """Describe a group of reviews by its predicted and actual recall, and its number of reviews."""
    reviews = strings.REVIEWS(group.reviews)
    if group.predicted is None or group.recalled is None:
        return reviews
    predicted, recalled = percents(group.predicted, group.recalled)
    text = _("said {predicted}, remembered {recalled}, {reviews}")
    if getattr(group, "is_off", False):
        text = _("said {predicted}, remembered {recalled}, {reviews}; off by more than chance")
    elif getattr(group, "is_outside", False):
        text = _("said {predicted}, remembered {recalled}, {reviews}; beyond chance, but by less than 2 points")
    return text.format(predicted=predicted, recalled=recalled, reviews=reviews)


def area_entry(color: str, label: str, alpha: float) -> Patch:
    """Return the legend entry of an area with this opacity."""
    return Patch(label=label, **_area_style(color, alpha))


def _area_style(color: str, alpha: float) -> Dict[str, Any]:
    return {"facecolor": to_rgba(color, alpha), "edgecolor": color, "linewidth": _EDGE}


def _draw_heading(figure: Figure, samples: Sequence[Artist], layout: Layout, style: Style) -> None:
    """Write the title, the legend and the notes of the layout. ``samples`` are the entries of the legend."""
    margin = MARGIN * style.font_size / 72
    left, top = margin / figure.get_figwidth(), 1 - margin / figure.get_figheight()
    # Half a heading in bold looks like a mistake, and fonts of some scripts have no bold.
    weight = "bold" if can_draw(layout.title, style.font_families[:1]) else "normal"
    figure.text(left, top, layout.title, fontsize=TITLE * style.font_size, weight=weight, va="top")
    size = SMALL * style.font_size
    figure.text(left, layout.note_top, layout.note, color=style.subtle, fontsize=size, linespacing=1.4, va="top")
    figure.legend(
        handles=samples[: len(layout.legend)],
        labels=layout.legend,
        loc="upper left",
        bbox_to_anchor=(left, layout.legend_top),
        ncols=layout.legend_columns,
        frameon=False,
        borderpad=0,
        borderaxespad=0,
        handlelength=SAMPLE,
        handletextpad=SAMPLE_GAP,
        columnspacing=COLUMN_GAP,
    )

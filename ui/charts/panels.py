"""What all graphs are put together from: two panels above each other under a heading, dressed in the style."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple

from matplotlib.axes import Axes
from matplotlib.axis import XAxis, YAxis
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.markers import TICKDOWN, TICKLEFT, MarkerStyle
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation

from ..text import strings
from ..text.lines import break_name, letters
from ..text.phrases import whole
from .fonts import heading_weight, legible, needed
from .layout import LABEL_ACROSS, LABEL_UP, TICK_GAP, TICK_LINE, WIDE, Box, Layout, lay_out

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.transforms import Transform

    from .style import Style

#: Beside the colour, so that two algorithms are told apart without it.
MARKERS = ("o", "s")
DASHES = (0, (5, 4))
#: Lines of an upright label that there is room for.
_MOST_UPRIGHT = 2
#: The length of a tick, and how thick the lines of axes and grid are, in points.
_TICK, _THIN = 3.0, 0.8
#: The letters at ticks and in notes, beside those of the rest.
_SMALL = 0.92
_NAN = float("nan")

#: A place on an axis, and what is written there.
Tick = Tuple[float, str]
Point = Tuple[float, float]


class Panel(Axes):
    """Axes whose ticks are drawn by :func:`finish`.

    matplotlib's own ticks are three lines and two texts each, laid out twice, and took most of a figure's time. All
    else is as in any axes.
    """

    names_across: Sequence[Tick] = ()  #: along the horizontal axis
    names_below: Sequence[Tick] = ()  #: in a second line under those
    names_up: Sequence[Tick] = ()  #: along the vertical axis
    label_up: str = ""

    def __init__(self, figure: Figure, box: Box) -> None:
        super().__init__(figure, box)
        self.set_axis_off()

    def _init_axis(self) -> None:
        self.xaxis, self.yaxis = _XAxis(self, clear=False), _YAxis(self, clear=False)

    def moved(self, transform: Transform, points_right: float, points_up: float) -> Transform:
        """The transform followed by a shift of so many points."""
        return transform + ScaledTranslation(points_right / 72, points_up / 72, self.figure.dpi_scale_trans)


class _WithoutTicks:
    """An axis of which nothing is ever drawn. matplotlib's would make a tick of each kind to begin with."""

    majorTicks = minorTicks = ()  # noqa: N815 - matplotlib's names

    def get_major_ticks(self, numticks: Optional[int] = None) -> List[Any]:  # noqa: ARG002 - likewise
        return []

    get_minor_ticks = get_major_ticks

    def get_ticks_position(self) -> str:
        return "default"


class _XAxis(_WithoutTicks, XAxis):  # type: ignore[misc]
    pass


class _YAxis(_WithoutTicks, YAxis):  # type: ignore[misc]
    pass


def clear(figure: Figure, style: Style) -> None:
    """Empty the figure."""
    for artist in (*figure.axes, *figure.texts, *figure.artists):
        artist.remove()  # Figure.clear would first set up each of the axes anew
    figure.set_facecolor(style.canvas)


def begin(
    figure: Figure,
    style: Style,
    *,
    title: str,
    legend: Sequence[Line2D],
    notes: Sequence[str],
    names: Sequence[str] = (),
    two_panels: bool = True,
) -> Tuple[Layout, List[Panel]]:
    """Empty the figure, write its heading, and give it one panel, or two with the same horizontal axis.

    Where the figure is too low for two it has one all the same. ``title`` may be empty. ``names`` are those along the
    horizontal axis, where it has names at equal distances: :func:`name_places` writes them.
    """
    clear(figure, style)
    places = lay_out(
        size_inches=(figure.get_figwidth(), figure.get_figheight()),
        font_size=style.font_size,
        title=legible(title, style.font_families),
        legend=[legible(str(handle.get_label()), style.font_families) for handle in legend],
        notes=[legible(note, style.font_families) for note in notes],
        names=[legible(name, style.font_families) for name in names],
        two_panels=two_panels,
    )
    _draw_heading(figure, legend, places, style)
    panels = [Panel(figure, box) for box in (places.main, places.below) if box is not None]
    for panel in panels:
        figure.add_axes(panel)
    return places, panels


def finish(panels: Sequence[Panel], places: Layout, style: Style, *, across: str, up: str, grid: bool = True) -> None:
    """Draw the ticks and label the axes: the horizontal one, which is the first panel's, below the last."""
    main, last = panels[0], panels[-1]
    if main is not last:
        last.set_xlim(main.get_xlim())
        last.names_across, last.names_below = main.names_across, main.names_below
    words = break_name(up, places.upright_letters, WIDE)
    widest = max(letters(line, WIDE) for line in words)
    if widest <= places.upright_letters + 1 and len(words) <= _MOST_UPRIGHT:  # it is reckoned generously
        main.label_up = "\n".join(words)
    for panel in panels:
        _draw_lines(panel, style, grid=grid, names_follow=panel is last)
        _write_up(panel, style)
    _write_across(last, across, places, style)


def share_counts(
    panel: Panel, of_each: Sequence[Sequence[Tuple[float, float, int]]], colours: Sequence[str], apart: float
) -> None:
    """Draw the numbers of reviews, (left, right, reviews) each, and their axis.

    The algorithms share the width of a bar, but for so much of it at either end.
    """
    share = (1 - 2 * apart) / len(of_each)
    for place, (bars, colour) in enumerate(zip(of_each, colours)):
        corners = []
        for left, right, top in bars:
            begin = left + (right - left) * (apart + share * place)
            end = begin + (right - left) * share
            corners.append([(begin, 0), (begin, top), (end, top), (end, 0)])
        # One collection is drawn faster than many bars.
        panel.add_collection(PolyCollection(corners, facecolors=colour, alpha=0.55, linewidths=0, zorder=2))
    highest = 1.06 * max(1, *(top for bars in of_each for *_left_right, top in bars))
    panel.set_ylim(0, highest)
    panel.names_up = count_ticks(highest, 2, least=1)
    panel.label_up = strings.CHART_COUNTS


def draw_strokes(panel: Panel, ends: Sequence[Tuple[Point, Point]], colour: Any, width: float, zorder: float) -> None:
    """Draw a line between the two points of each pair. One line with gaps is drawn faster than many lines."""
    panel.plot(*_with_gaps(ends), color=colour, linewidth=width, solid_capstyle="butt", zorder=zorder)


def draw_dots(panel: Panel, x: Sequence[float], y: Sequence[float], colour: str, marker: str, style: Style) -> None:
    """Draw a dot at each point, with a rim that sets it off from what is behind it."""
    panel.plot(
        x,
        y,
        linestyle="",
        marker=marker,
        color=colour,
        markersize=5.5,
        markeredgecolor=style.canvas,
        markeredgewidth=0.6,
        zorder=3,
    )


def _with_gaps(ends: Sequence[Tuple[Point, Point]]) -> List[List[float]]:
    """The strokes as one line's x and y, with a NaN after each stroke, so that no line joins two."""
    return [[at for one, other in ends for at in (one[axis], other[axis], _NAN)] for axis in range(2)]


def count_ticks(top: float, most: int, *, least: int = 2) -> List[Tick]:
    """Round numbers of reviews from 0 to the top: at most so many steps, and at least so many numbers."""
    counts = MaxNLocator(nbins=most, integer=True, min_n_ticks=least).tick_values(0, top)
    return [(count, whole(round(count))) for count in counts if 0 <= count <= top]


def dashed(style: Style, label: str = "") -> Line2D:
    """The entry of the dashed line in a legend."""
    return Line2D([], [], color=style.diagonal, linestyle=DASHES, linewidth=1.1, label=label)


def filled(style: Style, colour: Any, label: str, alpha: float = 1.0) -> Line2D:
    """The entry of an area in a legend."""
    return Line2D(
        [], [], color=colour, alpha=alpha, linewidth=0.7 * style.font_size, solid_capstyle="butt", label=label
    )


def name_places(panel: Panel, names: Sequence[Tick], places: Layout, style: Style) -> None:
    """Write (place, name) along the horizontal axis: as many of them as there is room for, evenly."""
    shown = [(x, legible(name, style.font_families)) for x, name in names[:: places.names_step]]
    if places.names_in_two_lines:
        panel.names_across, panel.names_below = shown[::2], shown[1::2]
    else:
        panel.names_across, panel.names_below = shown, ()


def _draw_lines(panel: Panel, style: Style, *, grid: bool, names_follow: bool) -> None:
    """Draw the axes with their ticks, and a faint grid: one line for all of a kind."""
    across = [x for x, _ in (*panel.names_across, *panel.names_below)]
    up = [y for y, _ in panel.names_up]
    by_x, by_y = panel.get_xaxis_transform(), panel.get_yaxis_transform()
    axes: Dict[str, Any] = {"color": style.subtle, "linewidth": _THIN, "zorder": 2.5}
    faint: Dict[str, Any] = {"color": style.grid, "linewidth": _THIN, "solid_capstyle": "butt", "zorder": 0.5}
    ticks: Dict[str, Any] = {"color": style.subtle, "linestyle": "", "markersize": _TICK, "markeredgewidth": _THIN}
    if grid:
        _add(panel, Line2D(*_with_gaps([((x, 0), (x, 1)) for x in across]), transform=by_x, **faint))
        _add(panel, Line2D(*_with_gaps([((0, y), (1, y)) for y in up]), transform=by_y, **faint))
    _add(panel, Line2D([0, 0, 1], [1, 0, 0], transform=panel.transAxes, solid_joinstyle="miter", **axes))
    _add(panel, Line2D([0.0] * len(up), up, marker=MarkerStyle(TICKLEFT), transform=by_y, **ticks))
    if names_follow:
        _add(panel, Line2D(across, [0.0] * len(across), marker=MarkerStyle(TICKDOWN), transform=by_x, **ticks))


def _add(panel: Panel, line: Line2D) -> None:
    line.set_clip_on(False)
    panel.add_artist(line)


def _write_up(panel: Panel, style: Style) -> None:
    """Write the names at the ticks of the vertical axis, and its label, at the same distance in both panels."""
    left = panel.moved(panel.get_yaxis_transform(), -_TICK - TICK_GAP * style.font_size, 0)
    for y, name in panel.names_up:
        _write(panel, (0, y), name, style, _SMALL, ha="right", va="center_baseline", transform=left)
    _write(
        panel,
        (0, 0.5),
        legible(panel.label_up, style.font_families),
        style,
        rotation=90,
        rotation_mode="anchor",
        ha="center",
        va="center",
        linespacing=1.1,
        transform=panel.moved(panel.transAxes, -LABEL_UP * style.font_size, 0),
    )


def _write_across(panel: Panel, label: str, places: Layout, style: Style) -> None:
    """Write the names at the ticks of the horizontal axis, in one line or two, and its label."""
    down = TICK_GAP
    for names in (panel.names_across, panel.names_below):
        below = panel.moved(panel.get_xaxis_transform(), 0, -_TICK - down * style.font_size)
        for x, name in names:
            _write(panel, (x, 0), name, style, _SMALL, ha="center", va="top", transform=below)
        down += TICK_LINE
    down = LABEL_ACROSS + TICK_LINE * (2 if places.names_in_two_lines else 1)
    _write(
        panel,
        (0.5, 0),
        legible(label, style.font_families),
        style,
        min(places.label_letters / letters(label, WIDE), 1.0),
        color=style.text,
        ha="center",
        va="top",
        transform=panel.moved(panel.transAxes, 0, -_TICK - down * style.font_size),
    )


def _write(
    where: Panel | Figure, at: Tuple[float, float], text: str, style: Style, size: float = 1.0, **options: Any
) -> None:
    """Write a text, so many times the usual size; small texts are in the less visible colour."""
    if not text:
        return
    figure = where.figure if isinstance(where, Panel) else where
    options.setdefault("color", style.subtle if size == _SMALL else style.text)
    # Of the figure: texts of axes are each prepared to be cut off at their edges.
    figure.text(*at, text, fontfamily=needed(text, style.font_families), fontsize=size * style.font_size, **options)


def _draw_heading(figure: Figure, samples: Sequence[Line2D], places: Layout, style: Style) -> None:
    """Write title, legend and notes: as many entries as there is room for, each with a sample of its line."""
    weight = heading_weight(places.title, style.font_families)
    top: Dict[str, Any] = {"va": "top"}
    _write(figure, (places.left, places.title_top), places.title, style, 1.12, weight=weight, linespacing=1.25, **top)
    for sample, entry in zip(samples, places.legend):
        left, right = entry.sample
        sample.set_data([left, (left + right) / 2, right], [entry.sample_height] * 3)
        sample.set_markevery([1])
        figure.add_artist(sample)
        _write(figure, (entry.left, entry.top), entry.text, style, **top)
    _write(figure, (places.left, places.note_top), places.note, style, _SMALL, linespacing=1.4, **top)

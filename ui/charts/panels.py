"""What all graphs are put together from: two panels above each other under a heading, dressed in the style."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Sequence, Tuple

from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter, MaxNLocator

from .. import strings
from ..numbers import percent
from ..phrases import all_of, whole
from .layout import TICK_LINE, Layout, break_lines, lay_out

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .style import Style

#: Beside the colour, so that two algorithms are told apart without it.
MARKERS = ("o", "s")
DASHES = (0, (5, 4))


def clear(figure: Figure, style: Style) -> None:
    """Empty the figure."""
    for artist in (*figure.axes, *figure.texts, *figure.legends):
        artist.remove()  # Figure.clear would first set up each of the axes anew
    figure.set_facecolor(style.canvas)


def begin(
    figure: Figure,
    style: Style,
    *,
    title: str,
    legend: Sequence[Artist],
    notes: Sequence[str],
    names: Sequence[str] = (),
    two_panels: bool = True,
) -> Tuple[Layout, List[Axes]]:
    """Empty the figure, write its heading, and give it one panel, or two with the same horizontal axis.

    Where the figure is too low for two it has one all the same. ``title`` may be empty. ``names`` are those along the
    horizontal axis, where it has names at equal distances: :func:`name_places` writes them.
    """
    clear(figure, style)
    places = lay_out(
        size_inches=(figure.get_figwidth(), figure.get_figheight()),
        font_size=style.font_size,
        title=title,
        legend=[str(handle.get_label()) for handle in legend],
        notes=notes,
        names=names,
        two_panels=two_panels,
    )
    _draw_heading(figure, legend[: places.legend_entries], places, style)
    main = figure.add_axes(places.main)
    return places, [main] if places.below is None else [main, figure.add_axes(places.below, sharex=main)]


def finish(panels: Sequence[Axes], places: Layout, style: Style, *, across: str, up: str) -> None:
    """Label the axes and dress them. The last panel has the labels of the horizontal one, the first its grid."""
    main, last = panels[0], panels[-1]
    words = break_lines(up, places.upright_letters)
    if max(map(len, words)) <= places.upright_letters + 1:  # it is reckoned generously
        main.set_ylabel("\n".join(words), linespacing=1.1)
    last.set_xlabel(across)
    for axes in panels:
        _dress(axes, style, places.width_inches)
    if main is not last:
        # The grid across both panels; ticks without a label would cost as much to draw as those with one.
        named = [*last.get_xticks(), *last.get_xticks(minor=True)]
        main.vlines(named, *main.get_ylim(), color=style.grid, linewidth=0.8, zorder=0.5)
        main.xaxis.set_visible(False)
    for axis in (main.yaxis, last.xaxis, last.yaxis):
        axis.get_major_ticks(len(axis.get_majorticklocs()))  # made now, so that a window's next turn is shorter


def count_bars(axes: Axes, bars: Sequence[Tuple[float, float, int]], colour: str) -> None:
    """The numbers of reviews: (left, right, reviews) each. One collection is drawn faster than many bars."""
    corners = [[(left, 0), (left, top), (right, top), (right, 0)] for left, right, top in bars]
    axes.add_collection(PolyCollection(corners, facecolors=colour, alpha=0.55, linewidths=0, zorder=2))


def finish_counts(axes: Axes, most: int) -> None:
    """The axis of the numbers of reviews, up to the largest."""
    axes.set_ylim(0, 1.06 * max(most, 1))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=2, integer=True, min_n_ticks=1))
    axes.yaxis.set_major_formatter(FuncFormatter(count_tick))
    axes.set_ylabel(strings.CHART_COUNTS)


def dashed(style: Style, label: str = "") -> Line2D:
    """The entry of the dashed line in a legend."""
    return Line2D([], [], color=style.diagonal, linestyle=DASHES, linewidth=1.1, label=label)


def title_of(graph: str, algorithms: Sequence[str]) -> str:
    """What is drawn, as in the list to choose from, and of whom."""
    return strings.CHART_TITLE.format(graph=graph, algorithms=all_of(algorithms))


def name_places(axes: Axes, names: Sequence[Tuple[float, str]], places: Layout) -> None:
    """Write (place, name) along the horizontal axis: as many of them as there is room for, evenly.

    In two lines the upper names are the major ticks, and the lower ones the minor ticks.
    """
    shown = names[:: places.names_step]
    upper, lower = (shown[::2], shown[1::2]) if places.names_in_two_lines else (shown, ())
    axes.xaxis.set_major_locator(FixedLocator([x for x, _ in upper]))
    axes.xaxis.set_major_formatter(FixedFormatter([name for _, name in upper]))
    axes.xaxis.set_minor_locator(FixedLocator([x for x, _ in lower]))
    axes.xaxis.set_minor_formatter(FixedFormatter([name for _, name in lower]))


def percent_tick(value: float, _position: int) -> str:
    """A probability at an axis."""
    return percent(value)


def count_tick(value: float, _position: int) -> str:
    """A number of reviews at an axis."""
    return whole(round(value))


def _dress(axes: Axes, style: Style, width_inches: float) -> None:
    """Font, colours, a faint grid, and the labels of both vertical axes at the same distance."""
    axes.set_facecolor(style.canvas)
    axes.grid(visible=True, which="both", color=style.grid, linewidth=0.8)
    axes.set_axisbelow(True)
    for which, lower in (("major", 0.0), ("minor", TICK_LINE)):
        axes.tick_params(
            which=which,
            colors=style.subtle,
            labelsize=0.92 * style.font_size,
            labelfontfamily=list(style.font_families),
            length=3,
            pad=(0.35 + lower) * style.font_size,
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


def _draw_heading(figure: Figure, handles: Sequence[Artist], places: Layout, style: Style) -> None:
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
    figure.legend(
        handles=list(handles),
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
    figure.text(
        places.left,
        places.note_top,
        places.note,
        linespacing=1.4,
        fontsize=0.92 * style.font_size,
        color=style.subtle,
        **font,
    )

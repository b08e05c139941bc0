"""A figure as large as what is in it: a heading that explains it, and panels at places given in inches.

By hand, as matplotlib's own layouts fit the panels into a size that is given, however many algorithms there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import Colormap, LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure

from ui.charts import DOTS_PER_INCH
from ui.charts.settings import own_settings
from ui.charts.style import FALLBACK_FAMILY, LIGHT
from ui.text.lines import break_lines
from ui.views.metrics import VIEWS

STYLE = LIGHT
#: Orange through grey to blue: blue speaks for the algorithm.
COLOURS: Colormap = LinearSegmentedColormap.from_list(
    "worse to better", [STYLE.data[1], STYLE.neutral, STYLE.data[0]], N=257
)
FONT_SIZE = 9.0
SMALL = 8.0
MARGIN = 0.25  #: inches around everything
_TITLE_SIZE = 12.0

_RMSE = (
    "How far predicted and actual recall lie apart in groups of reviews with similar intervals, numbers of reviews and "
    "lapses. The limits of the groups are {limits}. Even a perfect algorithm does not reach 0."
)
#: Where the report speaks to one person, or of a metric as of one that stands beside it.
MEANINGS = {
    "log_loss": "How surprised the algorithm was by people's answers. It rewards honest probabilities and cannot be "
    "cheated, so it decides the order.",
    "rmse_bins": _RMSE.format(limits="those of the metric's own page"),
    "rmse_bins_benchmark": _RMSE.format(limits="those that the public benchmark and Anki use, as in published tables"),
}
_LETTER = 0.56  #: width of an average letter, in font sizes
_LINE = 1.45  #: height of a line, likewise
_NARROWEST = 6.5


def width_of(names: Sequence[str]) -> float:
    """Width of the longest name, in inches."""
    return max(map(len, names)) * _LETTER * FONT_SIZE / 72 + 0.1


class Sheet:
    """A figure whose panels are placed in inches, from the left and below the heading; ``top`` is where that ends."""

    def __init__(self, width: float, height: float, *, title: str, text: str) -> None:
        """``width`` and ``height``: inches that the panels need, with their labels."""
        self.width = max(width, _NARROWEST) + 2 * MARGIN
        letters = (self.width - 2 * MARGIN) * 72 / _LETTER
        titles, lines = (
            break_lines(title, int(letters / (1.1 * _TITLE_SIZE))),
            break_lines(text, int(letters / FONT_SIZE)),
        )
        heading = (len(titles) * _TITLE_SIZE + len(lines) * FONT_SIZE) * _LINE / 72 + 0.2
        self.height = height + heading + 2 * MARGIN
        self.figure = Figure(figsize=(self.width, self.height), facecolor=STYLE.canvas)
        self._write(titles, self.height - MARGIN, _TITLE_SIZE, STYLE.text, bold=True)
        self._write(lines, self.height - MARGIN - len(titles) * _TITLE_SIZE * _LINE / 72, FONT_SIZE, STYLE.subtle)

    def panel(self, left: float, bottom: float, width: float, height: float, *, beside: Axes | None = None) -> Axes:
        """Add a panel, in inches from the lower left corner within the margins; ``beside`` shares its vertical axis."""
        box = ((left + MARGIN) / self.width, (bottom + MARGIN) / self.height, width / self.width, height / self.height)
        axes = self.figure.add_axes(box, sharey=beside)
        axes.set_facecolor(STYLE.canvas)
        axes.tick_params(length=0, labelsize=FONT_SIZE, colors=STYLE.text, labelfontfamily=FALLBACK_FAMILY)
        for spine in axes.spines.values():
            spine.set_visible(False)
        return axes

    def save(self, stem: Path) -> list[Path]:
        """Write the figure as PNG and SVG. The same summary gives the same bytes."""
        files = [stem.with_name(stem.name + ending) for ending in (".png", ".svg")]
        with own_settings():
            self.figure.savefig(files[0], dpi=DOTS_PER_INCH, metadata={"Software": None})
            self.figure.savefig(files[1], metadata={"Date": None})
        return files

    def _write(self, lines: Sequence[str], top: float, size: float, colour: str, *, bold: bool = False) -> None:
        self.figure.text(
            MARGIN / self.width,
            top / self.height,
            "\n".join(lines),
            fontsize=size,
            fontweight="bold" if bold else "normal",
            fontfamily=FALLBACK_FAMILY,
            color=colour,
            verticalalignment="top",
            linespacing=_LINE / 1.2,
        )


def meaning(metric: str) -> str:
    """What a metric is, and which way is better."""
    words = VIEWS[metric]
    better = "Nearer to 0" if words.better == "zero" else words.better.capitalize()
    return f"{MEANINGS.get(metric, words.definition)} {better} is better."


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Name the rows, the first on top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)


def dress_value_axis(axes: Axes, label: str) -> None:
    """Set up a horizontal axis of values, with a grid."""
    axes.grid(visible=True, axis="x", color=STYLE.grid, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(axis="x", labelsize=SMALL, colors=STYLE.subtle)
    set_label(axes.xaxis, label)


def set_label(axis: Axis, label: str) -> None:
    """Label an axis."""
    axis.set_label_text(label, fontsize=FONT_SIZE, color=STYLE.text, fontfamily=FALLBACK_FAMILY)


def readable_on(colour: tuple[float, float, float, float]) -> str:
    """Colour of text on a coloured ground: dark or white, whichever stands out more."""
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in to_rgb(colour)
    )
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return STYLE.text if luminance > 0.2 else "#ffffff"

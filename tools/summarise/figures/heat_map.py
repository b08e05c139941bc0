"""A table of coloured cells with numbers, and the scale of its colours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from tools.summarise.figures.sheet import COLOURS, SMALL, STYLE, readable_on
from tools.summarise.results import Floats
from ui.charts.style import FALLBACK_FAMILY


def fill(axes: Axes, strength: Floats, texts: Sequence[Sequence[str]]) -> None:
    """Cells (rows, columns), orange or blue by ``strength`` from -1 to 1; NaN is empty, with faint text."""
    rows, columns = strength.shape
    shown = np.ma.masked_invalid(strength)
    # Squares as shapes rather than an image: an SVG stays sharp at any size.
    axes.pcolormesh(
        np.arange(columns + 1) - 0.5,
        np.arange(rows + 1) - 0.5,
        shown,
        cmap=COLOURS,
        vmin=-1,
        vmax=1,
        edgecolors=STYLE.canvas,
        linewidth=0.8,
    )
    for row in range(rows):
        for column in range(columns):
            value = strength[row, column]
            colour = STYLE.subtle if np.isnan(value) else readable_on(COLOURS((value + 1) / 2))
            axes.text(
                column,
                row,
                texts[row][column],
                fontsize=SMALL,
                color=colour,
                fontfamily=FALLBACK_FAMILY,
                horizontalalignment="center",
                verticalalignment="center_baseline",
            )
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_ylim(rows - 0.5, -0.5)


def name_columns(axes: Axes, names: Sequence[str], *, upright: bool) -> None:
    """Write names above the columns."""
    axes.xaxis.tick_top()
    axes.set_xticks(range(len(names)), names, rotation=90 if upright else 0)


def scale(axes: Axes, worst: str, middle: str, best: str) -> None:
    """Draw the scale of colours, with words below."""
    axes.imshow(np.linspace(0, 1, 257)[None, :], cmap=COLOURS, aspect="auto", extent=(0, 1, 0, 1))
    axes.set_yticks([])
    axes.set_xticks([0, 0.5, 1], [worst, middle, best])
    for label, side in zip(axes.get_xticklabels(), ("left", "center", "right"), strict=True):
        label.set(horizontalalignment=side, fontsize=SMALL)

"""Self-explanatory figures of a summary, each as PNG and SVG.

The sizes of the axes are set in inches, and each file is as large as its content.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from ui.charts import DOTS_PER_INCH  # isort: skip - before matplotlib
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tools.benchmark.results_format import METRICS
from tools.summarize.joined_results import BenchmarkResults, Floats
from tools.summarize.pairs import COMPARED, Pair
from tools.summarize.summary import WEIGHTINGS, Row, Summary
from ui.charts.matplotlib_settings import own_settings
from ui.charts.panels import DASHES
from ui.charts.style import LIGHT as STYLE
from ui.views.metric_views import VIEWS

#: Color scale from orange through gray to blue. Blue favors the algorithm.
COLORS = LinearSegmentedColormap.from_list("worse to better", [STYLE.data[1], STYLE.neutral, STYLE.data[0]])
#: Sizes of the text in points.
FONT_SIZE = 9.0
SMALL_SIZE = 8.0
TITLE_SIZE = 12.0
#: Height of a row and width of a panel of the distributions, in inches.
ROW_HEIGHT = 0.24
PANEL_WIDTH = 3.0
#: Minimum and maximum side of a matrix's cell, in inches.
MIN_CELL, MAX_CELL = 0.36, 0.62
#: Effect that has the strongest color. The largest possible effect is about 0.87.
FULL_EFFECT = 0.8
#: Percentiles of the collections that the lines and the bar of a distribution show.
QUANTILES = (5, 25, 50, 75, 95)

#: Meaning of RMSE (bins), whose limits differ.
_RMSE = (
    "How far apart predicted and actual recall are in groups of reviews with similar intervals, numbers of "
    "reviews and lapses. The limits of the groups are {limits}. Even a perfect algorithm does not reach 0."
)
#: Meanings of metrics for many collections, which replace those for one person.
MEANINGS = {
    "log_loss": "How surprised the algorithm was by people's answers. Log loss rewards honest probabilities and cannot "
    "be gamed, so the table is sorted by it.",
    "rmse_bins": _RMSE.format(limits="those of the metric's own page"),
    "rmse_bins_benchmark": _RMSE.format(limits="those that the public benchmark and Anki use, as in published tables"),
}
#: Sentence on the order of rows and columns.
_ORDER = "Algorithms are ordered by their mean log loss, weighted by reviews, the best first."


def save_figures(summary: Summary, results: BenchmarkResults, folder: Path) -> list[Path]:
    """Write all figures that are not empty, and return their files. The same summary gives the same bytes.

    Args:
        summary: the summary.
        results: the results that :func:`~tools.summarize.summary.summarize` returned with the summary.
        folder: the folder to write into.
    """
    files: list[Path] = []
    for name, draw in _drawings(summary, results):
        png, svg = (folder / f"{name}{ending}" for ending in (".png", ".svg"))
        # The settings must hold while the figure is saved too, because texts are laid out then.
        with own_settings():
            figure = draw()
            figure.savefig(png, dpi=DOTS_PER_INCH, bbox_inches="tight", metadata={"Software": None})
            figure.savefig(svg, bbox_inches="tight", metadata={"Date": None})
        files += [png, svg]
    return files


def _drawings(summary: Summary, results: BenchmarkResults) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Yield the file name and the drawing function of each figure that is not empty."""
    for metric in summary.pairs_by_metric:
        end = "" if metric == "log_loss" else f"-{metric.replace('_', '-')}"
        yield f"superiority{end}", partial(superiority, summary, metric)
        yield f"wilcoxon{end}", partial(effects, summary, metric)
    for metric in METRICS:
        if any(mean[metric] is not None for row in summary.rows for mean in row.means.values()):
            stem = f"{metric.replace('_', '-')}-distribution"
            yield stem, partial(distribution, summary, results, metric)


# --- matrices of all pairs --------------------------------------------------------------------------------------------


def superiority(summary: Summary, metric: str) -> Figure:
    """Draw a matrix of the percentages of collections on which the row is better than the column by a metric."""
    return _matrix(
        summary,
        metric,
        title="How often is the algorithm of the row better than that of the column?",
        text=f"Percent of the collections on which the row has the {VIEWS[metric].better} {COMPARED[metric]} (each on "
        f"the same reviews; equal ones count half). {_ORDER}",
        strength=lambda pair: None if pair.superiority is None else 2 * pair.superiority - 1,
        number=lambda pair: "" if pair.superiority is None else f"{100 * pair.superiority:.0f}",
        words=("row never better", "50%: even", "row always better"),
    )


def effects(summary: Summary, metric: str) -> Figure:
    """Draw a matrix of the effect sizes of Wilcoxon's test, with a dot if there is no evidence of a difference."""
    return _matrix(
        summary,
        metric,
        title="Effect size of the row against the column",
        text=f"Effect size r of Wilcoxon\N{RIGHT SINGLE QUOTATION MARK}s signed-rank test by {COMPARED[metric]}, "
        "collection by collection: 0.1 is small, 0.3 medium, 0.5 large; blue where the row is better, orange with a "
        f"minus sign where it is worse. A dot: no evidence of a difference (p above {summary.level:g}, with the "
        f"correction of Holm for the number of pairs). {_ORDER}",
        strength=lambda pair: pair.effect / FULL_EFFECT if pair.is_significant else None,
        number=lambda pair: _signed(pair.effect) if pair.is_significant else "\N{MIDDLE DOT}",
        words=(f"row worse, {_signed(-FULL_EFFECT)}", "0", f"row better, {_signed(FULL_EFFECT)}"),
    )


def _matrix(
    summary: Summary,
    metric: str,
    *,
    title: str,
    text: str,
    strength: Callable[[Pair], float | None],
    number: Callable[[Pair], str],
    words: tuple[str, str, str],
) -> Figure:
    """Draw a matrix of colored cells with numbers.

    Args:
        summary: the summary, whose rows are the matrix's rows and columns.
        metric: the metric by which the pairs are compared.
        title: the title.
        text: the explanation below it, which the numbers of collections follow.
        strength: the color of a pair's cell from -1 (orange) to 1 (blue). A cell with None is empty.
        number: the text in a pair's cell.
        words: the labels of the color scale at -1, 0 and 1.
    """
    names = [row.label for row in summary.rows]
    index = {row.algorithm: n for n, row in enumerate(summary.rows)}
    side = len(names) * min(max(7.0 / len(names), MIN_CELL), MAX_CELL)
    pairs = summary.pairs_by_metric[metric]
    figure, (axes,) = _figure(1, side, side, title=title, text=f"{text} {_collection_counts(pairs)} {summary.note}")
    values = np.full((len(names), len(names)), np.nan)
    for pair in pairs:
        row = index[pair.algorithm]
        column = index[pair.other]
        value = strength(pair)
        color = STYLE.subtle if value is None else "#ffffff" if value > 0.7 else STYLE.text
        values[row, column] = np.nan if value is None else value
        axes.text(column, row, number(pair), fontsize=SMALL_SIZE, color=color, ha="center", va="center_baseline")
    # Unlike an image, these shapes are sharp at any size of the SVG.
    edges = np.arange(len(names) + 1) - 0.5
    cells = axes.pcolormesh(
        edges, edges, np.ma.masked_invalid(values), cmap=COLORS, vmin=-1, vmax=1, edgecolors=STYLE.canvas, linewidth=0.8
    )
    axes.xaxis.tick_top()
    axes.set_xticks(range(len(names)), names, rotation=90)
    _label_rows(axes, names)
    scale = figure.colorbar(
        cells, cax=axes.inset_axes((0, -0.3 / side, max(1, 3.2 / side), 0.16 / side)), orientation="horizontal"
    )
    scale.outline.set_visible(False)
    scale.set_ticks([-1, 0, 1], labels=words)
    for label, alignment in zip(scale.ax.get_xticklabels(), ("left", "center", "right"), strict=True):
        label.set(horizontalalignment=alignment, fontsize=SMALL_SIZE)
    return figure


def _signed(effect: float) -> str:
    """Format a number with two decimals and no zero before them, as in ``.45``."""
    return ("\N{MINUS SIGN}" if effect < 0 else "") + f"{abs(effect):.2f}".removeprefix("0")


def _collection_counts(pairs: Sequence[Pair]) -> str:
    """Return a sentence on the number of collections of the pairs."""
    counts = [pair.collections for pair in pairs]
    low, high = min(counts), max(counts)
    return f"Collections: {high:,}." if low == high else f"Collections: {low:,} to {high:,}, whichever a pair shares."


# --- one metric over all collections ----------------------------------------------------------------------------------


def distribution(summary: Summary, results: BenchmarkResults, metric: str) -> Figure:
    """Draw a metric's distribution over the collections, its means, and its differences from the best algorithm.

    Each algorithm with the metric has a row.
    """
    rows = [row for row in summary.rows if row.means[WEIGHTINGS[0]][metric] is not None]
    values = results.metrics[metric][results.is_common][:, [results.names.index(row.algorithm) for row in rows]]
    label = VIEWS[metric].label
    best = rows[0].label
    figure, panels = _figure(
        3,
        PANEL_WIDTH,
        ROW_HEIGHT * len(rows),
        title=f"{label} (collections: {summary.collections:,})",
        text=f"{_meaning(metric)} The algorithms are ordered by log loss, all on the same reviews. Left and right: the "
        "thin line spans 9 of 10 collections, the thick one the middle half, the bar across is the median. Middle: "
        f"{_means_sentence(rows, summary)} Right: each collection\N{RIGHT SINGLE QUOTATION MARK}s value minus that of "
        f"{best} on the same collection. {summary.note}",
    )
    _draw_distributions(panels[0], values)
    _draw_means(panels[1], rows, metric)
    _draw_distributions(panels[2], values - values[:, :1])
    panels[2].axvline(0, linestyle=DASHES, linewidth=1, color=STYLE.subtle, zorder=1)
    axis_labels = (f"{label}, each collection", f"{label}, means", f"Difference from {best}")
    for axes, axis_label in zip(panels, axis_labels, strict=True):
        axes.grid(visible=True, axis="x", color=STYLE.grid, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.tick_params(axis="x", labelsize=SMALL_SIZE, colors=STYLE.subtle)
        axes.set_xlabel(axis_label, fontsize=FONT_SIZE, color=STYLE.text)
        axes.xaxis.set_major_locator(MaxNLocator(nbins=5))
    _label_rows(panels[0], [row.label for row in rows])
    panels[1].legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False, fontsize=SMALL_SIZE)
    return figure


def _draw_distributions(axes: Axes, values: Floats) -> None:
    """Draw the percentiles of each column that is not empty, as lines and a bar in its row."""
    row = np.flatnonzero(np.isfinite(values).any(axis=0))
    lowest, low, middle, high, highest = np.nanpercentile(values[:, row], QUANTILES, axis=0)
    axes.hlines(row, lowest, highest, color=STYLE.data[0], linewidth=1.0)
    axes.hlines(row, low, high, color=STYLE.data[0], linewidth=4.5, alpha=0.55)
    axes.vlines(middle, row - 0.32, row + 0.32, color=STYLE.text, linewidth=1.4)


def _draw_means(axes: Axes, rows: Sequence[Row], metric: str) -> None:
    """Draw the means of each row and their confidence intervals, for both weightings."""
    for weighting, color, marker, shift in zip(WEIGHTINGS, STYLE.data, ("o", "s"), (-0.17, 0.17), strict=True):
        means = [(n + shift, mean) for n, row in enumerate(rows) if (mean := row.means[weighting][metric]) is not None]
        positions = [position for position, _ in means]
        values = [mean.value for _, mean in means]
        axes.plot(values, positions, marker, markersize=4, color=color, linestyle="", label=weighting)
        for position, mean in means:
            if mean.low is not None and mean.high is not None:
                axes.hlines(position, mean.low, mean.high, color=color, linewidth=1.2)


def _meaning(metric: str) -> str:
    """Return sentences on the meaning of a metric, and on which direction is better."""
    words = VIEWS[metric]
    better = "Nearer to 0" if words.better == "zero" else words.better.capitalize()
    return f"{MEANINGS.get(metric, words.definition)} {better} is better."


def _means_sentence(rows: Sequence[Row], summary: Summary) -> str:
    """Return words on what the middle panel shows."""
    if any(mean is not None and mean.low is not None for row in rows for mean in row.means[WEIGHTINGS[0]].values()):
        return f"means with {100 * summary.confidence:g}% confidence intervals."
    return "means; there are too few collections for intervals."


# --- both -------------------------------------------------------------------------------------------------------------


def _figure(columns: int, width: float, height: float, *, title: str, text: str) -> tuple[Figure, Sequence[Axes]]:
    """Return a figure with columns of axes, each of that size in inches, below a title and an explaining text."""
    gap = 0.35
    total_width = columns * (width + gap) - gap
    figure = Figure(figsize=(total_width, height), facecolor=STYLE.canvas)
    figure.subplots_adjust(left=0, right=1, bottom=0, top=1, wspace=gap / width)
    panels = figure.subplots(1, columns, sharey=True, squeeze=False)[0]
    for axes in panels:
        axes.set_facecolor(STYLE.canvas)
        axes.tick_params(length=0, labelsize=FONT_SIZE, colors=STYLE.text)
        axes.spines[:].set_visible(False)
    # An inch has room for about 14 letters.
    lines = textwrap.fill(text, int(max(total_width, 6.0) * 14))
    pad = 24 if columns > 1 else 8
    subtitle = panels[0].set_title(lines, loc="left", fontsize=FONT_SIZE, color=STYLE.subtle, pad=pad)
    panels[0].annotate(
        title, (0, 1), (0, 6), xycoords=subtitle, textcoords="offset points", fontsize=TITLE_SIZE, fontweight="bold"
    )
    return figure, panels


def _label_rows(axes: Axes, names: Sequence[str]) -> None:
    """Label the rows of the axes, with the first one at the top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)

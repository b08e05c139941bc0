"""One metric over all collections: its spread, its means, and the difference from the best algorithm."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from tools.summarise.figures.sheet import SMALL, STYLE, Sheet, dress_value_axis, meaning, name_rows, width_of
from tools.summarise.results import Floats, Results
from tools.summarise.summary import WEIGHTINGS, Row, Summary
from ui.charts.panels import DASHES
from ui.charts.style import FALLBACK_FAMILY
from ui.views.metrics import VIEWS

_ROW, _AXIS, _LEGEND = 0.24, 0.55, 0.3  #: heights in inches
_PANEL, _GAP = 3.0, 0.35
#: What a line stands for: the share of collections from the first to the last of them.
_QUANTILES = (5, 25, 50, 75, 95)


def draw(summary: Summary, results: Results, metric: str) -> Sheet:
    """Three panels beside each other, with a row for each algorithm that has this metric."""
    shown = [row for row in summary.rows if row.means[WEIGHTINGS[0]][metric] is not None]
    names = [row.label for row in shown]
    values = results.metrics[metric][results.common][:, [results.names.index(row.algorithm) for row in shown]]
    label, best = VIEWS[metric].label, names[0]
    height, labels = _ROW * len(names), width_of(names)
    sheet = Sheet(
        labels + 3 * _PANEL + 2 * _GAP,
        height + _AXIS + _LEGEND,
        title=f"{label} on {summary.collections:,} collections",
        text=f"{meaning(metric)} The algorithms are ordered by log loss, all on the same reviews. Left and right: the "
        "thin line spans 9 of 10 collections, the thick one the middle half, the bar across is the median. Middle: "
        f"{_what_means(summary)} Right: each collection\N{RIGHT SINGLE QUOTATION MARK}s value minus that of {best} on "
        f"the same collection. {summary.note}".rstrip(),
    )
    panels: list[Axes] = []
    for number in range(3):
        left = labels + number * (_PANEL + _GAP)
        panels.append(sheet.panel(left, _AXIS, _PANEL, height, beside=panels[0] if panels else None))
    _draw_spread(panels[0], values)
    _draw_means(panels[1], shown, metric)
    _draw_spread(panels[2], values - values[:, :1])
    panels[2].axvline(0, linestyle=DASHES, linewidth=1, color=STYLE.diagonal, zorder=1)
    across = (f"{label}, each collection", f"{label}, means", f"Difference from {best}")
    for axes, shows in zip(panels, across, strict=True):
        dress_value_axis(axes, shows)
        axes.xaxis.set_major_locator(MaxNLocator(nbins=5))
        axes.tick_params(axis="y", labelleft=axes is panels[0])
    name_rows(panels[0], names)
    panels[1].legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=2,
        frameon=False,
        labelcolor=STYLE.text,
        handletextpad=0.3,
        prop={"family": FALLBACK_FAMILY, "size": SMALL},
    )
    return sheet


def _draw_spread(axes: Axes, values: Floats) -> None:
    row = np.flatnonzero(np.isfinite(values).any(axis=0))
    lowest, low, middle, high, highest = np.nanpercentile(values[:, row], _QUANTILES, axis=0)
    axes.hlines(row, lowest, highest, color=STYLE.data[0], linewidth=1.0)
    axes.hlines(row, low, high, color=STYLE.data[0], linewidth=4.5, alpha=0.55)
    axes.vlines(middle, row - 0.32, row + 0.32, color=STYLE.text, linewidth=1.4)


def _draw_means(axes: Axes, rows: list[Row], metric: str) -> None:
    for weighting, colour, marker, shift in zip(WEIGHTINGS, STYLE.data, ("o", "s"), (-0.17, 0.17), strict=True):
        for number, row in enumerate(rows):
            mean = row.means[weighting][metric]
            if mean is None:
                continue
            label = weighting if number == 0 else None
            axes.plot([mean.value], [number + shift], marker, markersize=4, color=colour, linestyle="", label=label)
            if mean.low is not None and mean.high is not None:
                axes.hlines(number + shift, mean.low, mean.high, color=colour, linewidth=1.2)


def _what_means(summary: Summary) -> str:
    means = [mean for row in summary.rows for by_metric in row.means.values() for mean in by_metric.values()]
    if any(mean is not None and mean.low is not None for mean in means):
        return f"means with {100 * summary.confidence:g} % confidence intervals."
    return "means; there are too few collections for intervals."

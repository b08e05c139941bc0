"""One metric against the number of reviews: does the order of algorithms depend on it?"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

from tools.summarise.figures import heat_map
from tools.summarise.figures.sheet import (
    FONT_SIZE,
    STYLE,
    Sheet,
    dress_value_axis,
    meaning,
    name_rows,
    set_label,
    width_of,
)
from tools.summarise.results import Floats, Ints, Results
from tools.summarise.summary import WEIGHTINGS, Summary
from ui.views.metrics import VIEWS

_MOST_CLASSES, _LEAST_IN_CLASS = 8, 5
_ROW, _COLUMN = 0.24, 0.92  #: of the cells, in inches
_CLOUD, _CLOUD_AXIS, _CLASSES, _SCALE = 2.6, 0.75, 0.75, 0.55
_VALUES = 0.6  #: what the cloud's own axis takes, with its label
_AROUND = 1.25  #: the factor by which the axis goes beyond the points
#: Of fewer collections a trend would show chance.
_LEAST_FOR_TREND = 30
#: From so many collections on, the axis leaves out the outermost hundredth of them.
_LEAST_TO_CUT = 100
#: So many points are drawn: more would only darken the cloud, and swell the SVG.
_MOST_POINTS = 3_000


def draw(summary: Summary, results: Results, metric: str) -> Sheet:
    """Above, each collection with the best algorithm; below, the mean of each algorithm in classes of equal number."""
    rows = [row for row in summary.rows if row.means[WEIGHTINGS[0]][metric] is not None]
    shown = [row.label for row in rows]
    columns = [results.names.index(row.algorithm) for row in rows]
    values = results.metrics[metric][results.common][:, columns]
    reviews = results.reviews[results.common, 0]
    known = np.isfinite(values).any(axis=1)
    values, reviews = values[known], reviews[known]
    classes = _classes(reviews)
    words, labels = VIEWS[metric], max(width_of(shown), _VALUES)
    cloud = np.isfinite(values[:, 0])
    across, height = max(_COLUMN * (classes.max() + 1), 5.5), _ROW * len(shown)
    sheet = Sheet(
        labels + across,
        _CLOUD + _CLOUD_AXIS + _CLASSES + height + _SCALE,
        title=f"{words.label} against the number of reviews",
        text=f"{meaning(metric)} Above: each dot is a collection under {shown[0]}"
        f"{_about_cloud(int(cloud.sum()))}. Below: the mean of each algorithm, unweighted, over collections with so "
        "many scored reviews. Colours compare the algorithms within a column, not the columns, since those are other "
        f"people. {summary.note}".rstrip(),
    )
    low = _SCALE + height + _CLASSES
    _draw_cloud(
        sheet.panel(labels, low + _CLOUD_AXIS, across, _CLOUD),
        reviews[cloud],
        values[cloud, 0],
        f"{words.label}, {shown[0]}",
    )
    cells = sheet.panel(labels, _SCALE, across, height)
    means = np.stack([_means(values[classes == c]) for c in range(int(classes.max()) + 1)], axis=1)
    texts = [["" if np.isnan(mean) else f"{mean:.4f}" for mean in row] for row in means]
    heat_map.fill(cells, _within_columns(means, better=words.better), texts)
    heat_map.name_columns(cells, _class_names(reviews, classes), upright=False)
    name_rows(cells, shown)
    heat_map.scale(
        sheet.panel(labels, 0.22, min(across, 4.5), 0.16), "worse than most here", "middle", "better than most here"
    )
    return sheet


def _means(values: Floats) -> Floats:
    """Means of columns over rows with a value; NaN where none has one."""
    known = np.isfinite(values)
    means = np.full(values.shape[1], np.nan)
    np.divide(np.where(known, values, 0).sum(axis=0), known.sum(axis=0), out=means, where=known.any(axis=0))
    return means


def _classes(reviews: Ints) -> Ints:
    """The class of each collection by size, from 0 on; classes are about equally large."""
    count = int(min(max(len(reviews) // _LEAST_IN_CLASS, 1), _MOST_CLASSES))
    limits = np.quantile(reviews, np.arange(1, count) / count)
    classes: Ints = np.unique(np.searchsorted(limits, reviews, side="left"), return_inverse=True)[1]
    return classes


def _class_names(reviews: Ints, classes: Ints) -> list[str]:
    names = []
    for one in range(int(classes.max()) + 1):
        inside = reviews[classes == one]
        least, most = (_short(int(value)) for value in (inside.min(), inside.max()))
        span = least if least == most else f"{least}\N{EN DASH}{most}"
        names.append(f"{span}\nreviews\n({len(inside):,} coll.)")
    return names


def _short(count: int) -> str:
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            return f"{count / size:.3g}{letter}" if count < 1000 * size else f"{count // size:,}{letter}"
    return str(count)


def _within_columns(means: Floats, *, better: str) -> Floats:
    """How much better than the column's median, -1 to 1; the outermost tenth is cut off."""
    means = np.abs(means) if better == "zero" else means
    deviation = means - np.nanmedian(means, axis=0)
    scale = np.nanquantile(np.abs(deviation), 0.9, axis=0)
    strength: Floats = np.divide(deviation, scale, out=np.zeros_like(deviation), where=scale > 0)
    return np.clip(strength if better == "higher" else -strength, -1, 1)


def _draw_cloud(axes: Axes, reviews: Ints, values: Floats, label: str) -> None:
    axes.set_xscale("log")
    axes.set_xlim(reviews.min() / _AROUND, reviews.max() * _AROUND)
    order = np.argsort(reviews, kind="stable")
    some = order[:: max(1, len(order) // _MOST_POINTS)]
    size = 3 if len(some) > _MOST_POINTS / 3 else 5
    axes.plot(reviews[some], values[some], ".", markersize=size, color=STYLE.data[0], alpha=0.4, markeredgewidth=0)
    if len(reviews) >= _LEAST_FOR_TREND:
        _draw_trend(axes, reviews, values)
    axes.xaxis.set_major_locator(LogLocator(base=10, subs=(1.0, 3.0)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _place: _short(round(value))))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
    dress_value_axis(axes, "Scored reviews of the collection")
    axes.grid(visible=True, axis="y", color=STYLE.grid, linewidth=0.8)
    low, high = np.percentile(values, (0.5, 99.5) if len(values) >= _LEAST_TO_CUT else (0, 100))
    room = 0.06 * (high - low) or 0.01
    axes.set_ylim(low - room, high + room)
    axes.tick_params(axis="y", labelsize=FONT_SIZE, colors=STYLE.subtle)
    set_label(axes.yaxis, label)


def _draw_trend(axes: Axes, reviews: Ints, values: Floats) -> None:
    classes = _classes(reviews)
    centre = [float(np.exp(np.log(reviews[classes == c]).mean())) for c in range(int(classes.max()) + 1)]
    quartiles = np.array([np.percentile(values[classes == c], (25, 50, 75)) for c in range(int(classes.max()) + 1)])
    for column, width in enumerate((1.0, 2.2, 1.0)):
        axes.plot(centre, quartiles[:, column], "-", linewidth=width, color=STYLE.text)


def _about_cloud(collections: int) -> str:
    cut = " (one in a hundred lies outside)" if collections >= _LEAST_TO_CUT else ""
    if collections < _LEAST_FOR_TREND:
        return cut
    return f"{cut}; the lines are the median and the middle half of the collections with about as many reviews"

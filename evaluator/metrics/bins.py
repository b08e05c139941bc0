"""RMSE (bins): predicted against observed recall in groups of reviews with a similar past.

A review's cell is given by its interval, its number and the card's lapses so far, each on a logarithmic scale. The
value is sqrt(sum over cells of n (mean recalled - mean predicted)^2 / N).

There are two published sets of constants. :data:`PAGE` is what the metric's own page gives (wiki of
open-spaced-repetition/fsrs4anki, "The Metric"); :data:`BENCHMARK` is what the benchmark's, the optimizers' and Anki's
code runs. A perfect model does not score 0 on either: a cell's share of recalled reviews scatters even if every
prediction is the true probability. :func:`rmse_bins_floor` says how much.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.histories import Numbers
from ..data.revlog import Ints
from .metric import Metric
from .scores import Floats, Outcomes


@dataclass(frozen=True)
class BinConstants:
    """How much larger each group is than the one before it, for one definition of RMSE (bins).

    A value x falls into the group floor(log x / log ratio). The published definitions label that group as
    round(first * ratio^group, digits). No two groups have the same label but those of intervals far below a day, see
    :data:`MIN_GROUP`, so neither ``first`` nor ``digits`` matters.
    """

    interval: float
    review_number: float
    lapses: float


PAGE = BinConstants(2.57, 1.58, 1.48)
BENCHMARK = BinConstants(3.62, 1.89, 1.73)


#: The benchmark's label of this group of intervals, and of all shorter ones, is 0.
MIN_GROUP = -5
#: Days; what the benchmark takes for an interval within a day.
MIN_INTERVAL = 1e-6


def _group(x: Numbers, ratio: float) -> Ints:
    group: Ints = np.floor(np.log(x) / np.log(ratio)).astype(np.int64)
    return group


def cells(constants: BinConstants, elapsed_days: Numbers, review_number: Ints, lapses: Ints) -> Ints:
    """Return the number of each review's cell, from 0. No lapses and an interval of no days have their own groups."""
    key = np.maximum(_group(np.maximum(elapsed_days, MIN_INTERVAL), constants.interval), MIN_GROUP) - MIN_GROUP
    number = _group(review_number, constants.review_number)
    lapse = np.where(lapses == 0, 0, 1 + _group(np.maximum(lapses, 1), constants.lapses))
    for part in (number, lapse):
        key = key * (part.max(initial=0) + 1) + part
    cell: Ints = np.cumsum(np.bincount(key) > 0, dtype=np.int32)[key] - 1
    return cell


def rmse_bins(predicted: Floats, recalled: Outcomes, cell: Ints) -> float:
    """Return the root of the mean squared difference between mean prediction and recall per cell, weighted by count."""
    count = np.bincount(cell)
    difference = np.bincount(cell, recalled - predicted) / np.maximum(count, 1)
    return float(np.sqrt((count * difference**2).sum() / count.sum()))


def rmse_bins_floor(predicted: Floats, cell: Ints) -> float:
    """Return the RMSE (bins) of predictions (n,) in cells (n,), were they the true probabilities.

    floor^2 = (1/N) sum_b (1/n_b) sum_{i in b} p_i (1 - p_i), the expected *square* of RMSE (bins): the weighted
    variance of each cell's share of recalled reviews. It holds whatever the dependence between reviews of one card or
    one day, as long as each p_i is the probability given all that happened before. A model that is right only on
    average, and does not see good and bad days, scores more than the floor without being wrong on average.

    Predictions of 0 or 1 add nothing, because they leave nothing to chance.
    """
    count = np.bincount(cell)
    variance = np.bincount(cell, predicted * (1 - predicted))
    return float(np.sqrt((variance / np.maximum(count, 1)).sum() / count.sum()))


def rmse_bins_excess(predicted: Floats, recalled: Outcomes, cell: Ints) -> float:
    """Return the part of RMSE (bins) due to the model's own errors: sqrt(value^2 - floor^2), 0 if the floor is higher.

    That of a perfect model is 0 about half of the time and otherwise small; its mean square is the error of the cells'
    means, as value^2 is, on average, floor^2 + (1/N) sum_b n_b (error of cell b)^2.
    """
    value, floor = rmse_bins(predicted, recalled, cell), rmse_bins_floor(predicted, cell)
    return float(np.sqrt(max(0.0, value**2 - floor**2)))


METRICS = (
    Metric(
        "rmse_bins",
        lambda scored: rmse_bins(scored.predicted, scored.table.recalled, scored.table.page_cells),
        "with the constants of the metric's own page",
    ),
    Metric(
        "rmse_bins_benchmark",
        lambda scored: rmse_bins(scored.predicted, scored.table.recalled, scored.table.benchmark_cells),
        "with those that the benchmark and Anki run",
    ),
    Metric(
        "rmse_bins_benchmark_floor",
        lambda scored: rmse_bins_floor(scored.predicted, scored.table.benchmark_cells),
        "what chance alone would make of it, were all predictions true",
    ),
    Metric(
        "rmse_bins_benchmark_excess",
        lambda scored: rmse_bins_excess(scored.predicted, scored.table.recalled, scored.table.benchmark_cells),
        "sqrt(value^2 - floor^2), 0 if the floor is higher",
    ),
)

"""RMSE (bins): predicted against observed recall in groups of reviews with a similar past.

A review's cell is given by its interval, its number and the card's lapses so far, each on a logarithmic scale. The
value is sqrt(sum over cells of n (mean recalled - mean predicted)^2 / N).

There are two published sets of constants. :data:`WIKI` is from the page "The Metric" in the wiki of
open-spaced-repetition/fsrs4anki. :data:`BENCHMARK` is from the code of the benchmark, the optimizers and Anki. A
perfect model does not score 0 on either, because a cell's share of recalled reviews scatters even if every prediction
is the true probability. :func:`rmse_bins_floor` computes by how much.
"""

from __future__ import annotations

from typing import Tuple

import numpy as np

from ..data.histories import Numbers
from ..data.revlog import Ints
from ..derivatives import Floats
from .metric import Metric

#: One definition of RMSE (bins): (first, ratio, digits) for the interval, the review number and the lapses. A value x
#: is in the group with the label round(first * ratio^floor(log x / log ratio), digits). No lapses are a group too.
BinConstants = Tuple[Tuple[float, float, int], ...]

WIKI: BinConstants = ((2.48, 2.57, 2), (1.52, 1.58, 0), (1.4, 1.48, 0))
BENCHMARK: BinConstants = ((2.48, 3.62, 2), (1.99, 1.89, 0), (1.65, 1.73, 0))

#: Minimum interval in days. The benchmark counts an interval of no days as this long.
MIN_INTERVAL = 1e-6


def _group(x: Numbers, first: float, ratio: float, digits: int) -> Ints:
    """Return the position of each value's label among all labels. Powers with the same label are one group."""
    power = np.asarray(np.floor(np.log(x) / np.log(ratio)), dtype=np.int64)
    lowest = power.min(initial=0)
    labels = np.round(first * ratio ** np.arange(lowest, power.max(initial=0) + 1), digits)
    group: Ints = np.unique(labels, return_inverse=True)[1][power - lowest]
    return group


def cells(constants: BinConstants, elapsed_days: Numbers, review_number: Ints, lapses: Ints) -> Ints:
    """Return the cell of each review (n,), numbered from 0.

    Cards without lapses have a group of their own.

    Args:
        constants: the definition of the groups.
        elapsed_days: days since the card was last seen (n,).
        review_number: number of days on which the card has been seen (n,).
        lapses: number of earlier lapses of the card (n,).
    """
    interval_constants, number_constants, lapse_constants = constants
    key = _group(np.maximum(elapsed_days, MIN_INTERVAL), *interval_constants)
    number_group = _group(review_number, *number_constants)
    lapse_group = np.where(lapses == 0, 0, 1 + _group(np.maximum(lapses, 1), *lapse_constants))
    for group in (number_group, lapse_group):
        key = key * (group.max(initial=0) + 1) + group
    cell: Ints = np.cumsum(np.bincount(key) > 0, dtype=np.int32)[key] - 1
    return cell


def rmse_bins(predicted: Floats, recalled: Ints, cell: Ints) -> float:
    """Return the root of the mean squared difference between mean prediction and recall per cell.

    Cells are weighted by their number of reviews.

    Args:
        predicted: probabilities of recall (n,).
        recalled: 1 or 0 (n,).
        cell: the cell of each review (n,), numbered from 0.
    """
    count = np.bincount(cell)
    difference = np.bincount(cell, recalled - predicted) / np.maximum(count, 1)
    return float(np.sqrt((count * difference**2).sum() / count.sum()))


def rmse_bins_floor(predicted: Floats, cell: Ints) -> float:
    """Return the RMSE (bins) that predictions (n,) in cells (n,) would have if they were the true probabilities.

    Its square is the expected *square* of RMSE (bins), the weighted variance of each cell's share of recalled reviews:
    floor^2 = (1/N) sum_b (1/n_b) sum_{i in b} p_i (1 - p_i). Reviews of one card or one day may depend on each other,
    as long as each p_i is the probability given all that happened before. A model that does not see good and bad days
    scores more than the floor, even if it is right on average.

    Predictions of 0 or 1 add nothing, because they leave nothing to chance.
    """
    count = np.bincount(cell)
    variance = np.bincount(cell, predicted * (1 - predicted))
    return float(np.sqrt((variance / np.maximum(count, 1)).sum() / count.sum()))


def rmse_bins_excess(predicted: Floats, recalled: Ints, cell: Ints) -> float:
    """Return the part of RMSE (bins) that is due to the model's own errors.

    It is sqrt(value^2 - floor^2), or 0 if the floor is higher. For a perfect model it is 0 about half of the time and
    otherwise small. Its square estimates the mean squared error of the cells' mean predictions, because value^2 is on
    average floor^2 + (1/N) sum_b n_b (error of cell b)^2.
    """
    value = rmse_bins(predicted, recalled, cell)
    floor = rmse_bins_floor(predicted, cell)
    return float(np.sqrt(max(0.0, value**2 - floor**2)))


METRICS = (
    Metric(
        "rmse_bins",
        lambda scored: rmse_bins(scored.predicted, scored.recalled, scored.scoring.wiki_cells),
        'RMSE (bins) with the constants of the wiki page "The Metric"',
    ),
    Metric(
        "rmse_bins_benchmark",
        lambda scored: rmse_bins(scored.predicted, scored.recalled, scored.scoring.benchmark_cells),
        "RMSE (bins) with the constants of the benchmark and of Anki",
    ),
    Metric(
        "rmse_bins_benchmark_floor",
        lambda scored: rmse_bins_floor(scored.predicted, scored.scoring.benchmark_cells),
        "the `rmse_bins_benchmark` that chance alone would cause if all predictions were true",
    ),
    Metric(
        "rmse_bins_benchmark_excess",
        lambda scored: rmse_bins_excess(scored.predicted, scored.recalled, scored.scoring.benchmark_cells),
        "sqrt(`rmse_bins_benchmark`^2 - floor^2), 0 if the floor is higher",
    ),
)

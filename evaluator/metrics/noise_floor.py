"""The noise floor of RMSE (bins): what a perfect model would have scored on the same reviews.

RMSE (bins) compares a cell's share of recalled reviews with its mean prediction. The share scatters even where every
prediction is the true probability, so a perfect model does not score 0, and the fewer reviews, the more it scores.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..revlog import Ints
from .bins import rmse_bins
from .metric import Metric
from .scores import Floats, Outcomes


@dataclass(frozen=True)
class NoiseFloor:
    """RMSE (bins) of one algorithm beside what chance alone would have made of it. All are probabilities."""

    value: float  #: RMSE (bins)
    floor: float  #: root mean square of the RMSE (bins) of a perfect model that predicts the same
    excess: float  #: sqrt(max(0, value^2 - floor^2)): what is left for the model's own errors


def rmse_bins_floor(predicted: Floats, cell: Ints) -> float:
    """The RMSE (bins) that these predictions (n,) would have in these cells (n,) if they were the true probabilities.

    floor^2 = (1/N) sum_b (1/n_b) sum_{i in b} p_i (1 - p_i), the expected *square* of RMSE (bins): the weighted
    variance of each cell's share of recalled reviews. It holds whatever the dependence between reviews of one card or
    one day, as long as each p_i is the probability given all that happened before. A model that is right only on
    average, and does not see good and bad days, scores more than the floor without being wrong on average.

    ``cell`` is numbered from 0, as :func:`evaluator.metrics.bins.cells` returns it, with either set of constants.
    Predictions of 0 or 1 add nothing: they claim that there is no chance. Follows from the definition in
    :mod:`evaluator.metrics.bins`. Raises ValueError where there are no reviews.
    """
    if not len(predicted):
        raise ValueError("no reviews")
    count = np.bincount(cell)
    variance = np.bincount(cell, predicted * (1 - predicted))
    return float(np.sqrt((variance / np.maximum(count, 1)).sum() / count.sum()))


def noise_floor(predicted: Floats, recalled: Outcomes, cell: Ints) -> NoiseFloor:
    """RMSE (bins) with its floor and its excess over it; all arrays (n,). Raises ValueError where n = 0.

    The excess of a perfect model is 0 about half of the time and small else; its mean square is the error of the
    cells' means, as value^2 is, on average, floor^2 + (1/N) sum_b n_b (error of cell b)^2 (to first order: the floor
    takes the variances from the predictions).
    """
    floor = rmse_bins_floor(predicted, cell)
    value = rmse_bins(predicted, recalled, cell)
    return NoiseFloor(value=value, floor=floor, excess=float(np.sqrt(max(0.0, value**2 - floor**2))))


METRICS = (
    Metric("rmse_bins", lambda scored: scored.rmse_bins.value, "with the constants of the metric's own page"),
    Metric(
        "rmse_bins_floor",
        lambda scored: scored.rmse_bins.floor,
        "what chance alone would make of it, were all predictions true",
    ),
    Metric(
        "rmse_bins_excess",
        lambda scored: scored.rmse_bins.excess,
        "sqrt(value^2 - floor^2), 0 where the floor is higher",
    ),
    Metric(
        "rmse_bins_benchmark",
        lambda scored: scored.rmse_bins_benchmark.value,
        "with those that the benchmark and Anki run",
    ),
    Metric("rmse_bins_benchmark_floor", lambda scored: scored.rmse_bins_benchmark.floor, "as above"),
    Metric("rmse_bins_benchmark_excess", lambda scored: scored.rmse_bins_benchmark.excess, "as above"),
)

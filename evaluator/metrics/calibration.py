"""Calibration: groups of reviews with similar predictions, and the old metrics over such groups.

The old RMSE and MAE over groups of the *prediction* can be cheated: whoever always predicts the average has one group,
in which prediction and recall agree. They are kept as what they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Tuple

import numpy as np

from ..report import Calibration, CalibrationBin
from ..revlog import Ints
from ..statistics.paired import paired_difference
from .metric import Metric
from .scores import Floats, Outcomes

if TYPE_CHECKING:
    from ..scoring import Scored

BINS = 20

#: Left and right edges of the benchmark's groups, ln(b + 1) / ln(21): finer near 1.
LOG_SPACED_EDGES: Floats = np.log(np.arange(1, BINS + 2)) / np.log(BINS + 1)
EQUAL_WIDTH_EDGES: Floats = np.arange(BINS + 1) / BINS


def log_spaced_bin(predicted: Floats) -> Ints:
    """The number of each prediction's group in the benchmark's calibration graph, min(floor(exp(ln(21) p)) - 1, 19)."""
    bins: Ints = np.minimum(np.floor(np.exp(np.log(BINS + 1) * predicted)) - 1, BINS - 1).astype(np.int64)
    return bins


def equal_width_bin(predicted: Floats) -> Ints:
    """The number of each prediction's group, in steps of 5 percentage points; 1 belongs to the last."""
    bins: Ints = np.minimum(np.floor(predicted * BINS), BINS - 1).astype(np.int64)
    return bins


def calibration(predicted: Floats, recalled: Outcomes) -> Calibration:
    """Predicted against observed recall in both kinds of groups."""
    return Calibration(
        log_spaced=_curve(log_spaced_bin(predicted), LOG_SPACED_EDGES, predicted, recalled),
        equal_width=_curve(equal_width_bin(predicted), EQUAL_WIDTH_EDGES, predicted, recalled),
    )


def _curve(group: Ints, edges: Floats, predicted: Floats, recalled: Outcomes) -> Tuple[CalibrationBin, ...]:
    count = np.bincount(group, minlength=BINS)
    sum_predicted = np.bincount(group, predicted, minlength=BINS)
    sum_recalled = np.bincount(group, recalled, minlength=BINS)
    return tuple(
        CalibrationBin(
            left=float(edges[b]),
            right=float(edges[b + 1]),
            predicted=float(sum_predicted[b] / count[b]),
            recalled=float(sum_recalled[b] / count[b]),
            reviews=int(count[b]),
        )
        for b in np.flatnonzero(count)
    )


def rmse_prediction_bins(bins: Tuple[CalibrationBin, ...]) -> float:
    """sqrt(sum n (recalled - predicted)^2 / N) over groups of the prediction: can be cheated, see the module's text."""
    n, gap = _counts_and_gaps(bins)
    return float(np.sqrt((n * gap**2).sum() / n.sum()))


def mae_prediction_bins(bins: Tuple[CalibrationBin, ...]) -> float:
    """sum n |recalled - predicted| / N over groups of the prediction: can be cheated, see the module's text."""
    n, gap = _counts_and_gaps(bins)
    return float((n * np.abs(gap)).sum() / n.sum())


def _counts_and_gaps(bins: Tuple[CalibrationBin, ...]) -> Tuple[Floats, Floats]:
    return (
        np.array([b.reviews for b in bins], dtype=float),
        np.array([b.recalled - b.predicted for b in bins], dtype=float),
    )


def mean_bias_error(scored: Scored) -> float:
    """The mean of prediction minus outcome; above 0 where predictions are too high on the whole.

    0 on average for a perfect model, and for whoever always says the average of the scored reviews.
    """
    return float(scored.too_high.mean())


METRICS = (
    Metric(
        "rmse_prediction_bins",
        lambda scored: rmse_prediction_bins(scored.groups.equal_width),
        "the old RMSE over bins of the prediction, which can be cheated",
    ),
    Metric(
        "mae_prediction_bins",
        lambda scored: mae_prediction_bins(scored.groups.equal_width),
        "likewise the mean absolute error",
    ),
    Metric(
        "mbe",
        mean_bias_error,
        "mean bias error, mean predicted probability minus share recalled: above 0 it is too high; 0 on average for a "
        "perfect model",
        interval=lambda scored: paired_difference(scored.too_high, scored.table.clusters),
    ),
    Metric("mean_predicted", lambda scored: float(scored.predicted.mean()), "mean predicted probability of recall"),
)

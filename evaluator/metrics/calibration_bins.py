"""Calibration: groups of reviews with similar predictions, and the old RMSE and the MAE over such groups.

An error over groups of the *prediction* can be gamed: a model that always predicts the average has one group, in which
prediction and recall agree.
"""

from __future__ import annotations

from typing import Tuple

import numpy as np

from ..data.revlog import Ints
from ..derivatives import Floats
from ..report import CalibrationBin
from .bins import rmse_bins
from .metric import Metric

#: Number of groups.
BINS = 20

#: Left and right edges of the benchmark's groups, ln(b + 1) / ln(21): finer near 1.
LOG_SPACED_EDGES: Floats = np.log(np.arange(1, BINS + 2)) / np.log(BINS + 1)


def log_spaced_bin(predicted: Floats) -> Ints:
    """Return each prediction's group in the benchmark's calibration graph, min(floor(exp(ln(21) p)) - 1, 19)."""
    return np.asarray(np.minimum(np.floor(np.exp(np.log(BINS + 1) * predicted)) - 1, BINS - 1), dtype=np.int64)


def equal_width_bin(predicted: Floats) -> Ints:
    """Return each prediction's group in steps of 5 percentage points. A prediction of 1 is in the last group."""
    return np.asarray(np.minimum(np.floor(predicted * BINS), BINS - 1), dtype=np.int64)


def calibration(predicted: Floats, recalled: Ints) -> Tuple[CalibrationBin, ...]:
    """Return predicted against observed recall in the groups of the benchmark's calibration graph.

    Groups without reviews are left out.
    """
    group = log_spaced_bin(predicted)
    columns = (np.bincount(group, values, BINS).tolist() for values in (None, predicted, recalled))
    edges = LOG_SPACED_EDGES.tolist()
    return tuple(
        CalibrationBin(left, right, predicted_sum / n_reviews, recalled_sum / n_reviews, n_reviews)
        for left, right, n_reviews, predicted_sum, recalled_sum in zip(edges, edges[1:], *columns)
        if n_reviews
    )


def mae_prediction_bins(predicted: Floats, recalled: Ints) -> float:
    """Return the mean absolute error over the groups of the calibration graph, which can be gamed.

    Groups are weighted by their number of reviews.
    """
    groups = calibration(predicted, recalled)
    return sum(group.reviews * abs(group.recalled - group.predicted) for group in groups) / len(predicted)


METRICS = (
    Metric(
        "mae_prediction_bins",
        lambda scored: mae_prediction_bins(scored.predicted, scored.recalled),
        "mean of |mean predicted - share recalled| over the groups of the calibration graph, weighted by reviews; it "
        "can be gamed: always predicting the average scores 0",
    ),
    Metric(
        "rmse_prediction_bins",
        lambda scored: rmse_bins(scored.predicted, scored.recalled, equal_width_bin(scored.predicted)),
        "the old RMSE over bins of the prediction, which can be gamed",
    ),
    Metric(
        "mbe",
        lambda scored: float((scored.predicted - scored.recalled).mean()),
        "mean bias error, mean predicted probability minus share recalled: above 0 it is too high; 0 on average for a "
        "perfect model",
    ),
)

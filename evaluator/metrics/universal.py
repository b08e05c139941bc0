"""Universal Metric and Universal Metric+: an algorithm's calibration in groups that another algorithm makes.

Groups of its own predictions can be cheated by always predicting the average; in groups of an opponent that knows more,
that shows. Each is sqrt(sum over groups of n (mean recalled - mean predicted)^2 / N). Neither is proper or has an
interval, both depend on the opponent, and chance alone makes them more than 0 for a perfect algorithm.

Reference: open-spaced-repetition/fsrs-vs-sm17, "Universal Metric" and "Universal Metric+", after Wozniak's universal
metric for cross-comparison of algorithms (2018).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..revlog import Ints
from .metric import PairMetric
from .scores import Floats, Outcomes

#: Groups of the opponent's prediction, and of the difference of two predictions, are so many to 1.
BINS, BINS_APART = 10, 20

#: Predictions and their differences count as equal where they agree to so many digits after the point: 0.9 - 0.8 is to
#: reach 0.1.
DIGITS = 10


def difference_of(predicted: Floats, predicted_by_other: Floats) -> Floats:
    """How much surer of recall the algorithm is, for each review (n,), to :data:`DIGITS` digits."""
    return np.round(predicted - predicted_by_other, DIGITS)


def groups_apart(predicted: Floats, predicted_by_other: Floats) -> Ints:
    """The group of each review (n,): the difference of the predictions in twentieths, rounded, half to even."""
    group: Ints = np.rint(BINS_APART * difference_of(predicted, predicted_by_other)).astype(np.int64)
    return group


def um_of_all(predicted: Floats, recalled: Outcomes) -> Floats:
    """(k, k): the Universal Metric of each algorithm (k, n) by each, in groups of the latter's prediction in tenths."""
    errors = recalled - predicted
    found = np.empty((len(predicted), len(predicted)))
    for column, judge in enumerate(predicted):
        group = np.rint(BINS * np.round(judge, DIGITS)).astype(np.int64)
        count = np.bincount(group)
        found[:, column] = [_root_mean_square(np.bincount(group, error), count) for error in errors]
    return found


def um_plus_of_all(predicted: Floats, recalled: Outcomes) -> Floats:
    """(k, k): the Universal Metric+ of each algorithm (k, n) against each; both of a pair are in the same groups."""
    errors = recalled - predicted
    found = np.zeros((len(predicted), len(predicted)))
    for one, other in zip(*np.triu_indices(len(predicted), 1)):
        group = groups_apart(predicted[one], predicted[other]) + BINS_APART
        count = np.bincount(group)
        found[one, other], found[other, one] = (
            _root_mean_square(np.bincount(group, errors[which]), count) for which in (one, other)
        )
    return found


def _root_mean_square(total: npt.NDArray[Any], count: Ints) -> float:
    """sqrt(sum over groups of n mean^2 / N), from the groups' sums of errors and their sizes."""
    return float(np.sqrt((total**2 / np.maximum(count, 1)).sum() / count.sum()))


METRICS = (
    PairMetric(
        "um",
        um_of_all,
        "Universal Metric: RMSE over groups of the prediction of another algorithm, in tenths; by the name of that one",
    ),
    PairMetric(
        "um_plus",
        um_plus_of_all,
        "Universal Metric+: likewise over groups of the difference of the two predictions, in twentieths",
    ),
)

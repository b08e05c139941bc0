"""Skill against simple forecasters that know only earlier outcomes: 1 - score / score of the forecaster.

One forecaster predicts the running average of all outcomes so far, the other one the running average of outcomes after
similar intervals. A model that is worse than the first one is worse than guessing the user's average.
"""

from __future__ import annotations

from typing import Optional

import numpy as np

from ..data.reviews import is_run_start, runs, stable_argsort
from ..data.revlog import Ints
from ..derivatives import Floats
from .metric import Metric


def skill(score: float, reference: float) -> Optional[float]:
    """Return 1 - score / reference, for scores that are best at 0.

    It is 1 for perfect predictions, 0 if they are as good as the reference, below 0 if they are worse, and None if the
    reference scores 0. A perfect model's value depends on how much can be known at all. It is 0 if true recall is the
    same for all reviews.
    """
    return 1 - score / reference if reference > 0 else None


def running_average(recalled: Ints, training: Ints) -> Floats:
    """Return the predictions (n,) of a forecaster that predicts the average of all earlier outcomes.

    With k recalled of the N earlier reviews, the prediction is (k + 1/2) / (N + 1). So it is never 0 or 1, and no
    outcome has an infinite loss.

    Args:
        recalled: outcomes to predict (n,), in chronological order.
        training: earlier outcomes (m,), possibly none.

    Reference: Krichevsky & Trofimov (1981), The performance of universal encoding, IEEE Trans. Inf. Theory 27:199, doi
    10.1109/TIT.1981.1056331.
    """
    earlier = training.sum() + np.cumsum(recalled) - recalled
    predicted: Floats = (earlier + 0.5) / (len(training) + np.arange(len(recalled)) + 1)
    return predicted


def running_average_by_class(recalled: Ints, label: Ints, training: Ints, training_label: Ints) -> Floats:
    """Return the predictions (n,) of a forecaster that predicts the average of earlier outcomes in each review's class.

    With k recalled of the N earlier reviews of the class, the prediction is (k + r) / (N + 1), where r is the
    prediction of :func:`running_average`. So a class without earlier reviews starts at r.

    Args:
        recalled: outcomes to predict (n,), in chronological order.
        label: their classes (n,), any integers.
        training: earlier outcomes (m,), possibly none.
        training_label: their classes (m,).
    """
    outcomes = np.append(training, recalled)
    labels = np.append(training_label, label)
    order = stable_argsort(labels - labels.min(initial=0))
    ordered = outcomes[order]
    ordered_labels = labels[order]
    first = np.repeat(*runs(is_run_start(ordered_labels)))
    earlier = np.cumsum(ordered) - ordered
    k = np.empty(len(order))
    n = np.empty(len(order))
    k[order] = earlier - earlier[first]
    n[order] = np.arange(len(order)) - first
    m = len(training)
    predicted: Floats = (k[m:] + running_average(recalled, training)) / (n[m:] + 1)
    return predicted


METRICS = (
    Metric(
        "skill_average",
        lambda scored: skill(scored.log_loss, scored.scoring.average_loss),
        "1 - log loss / that of the running average of all earlier reviews",
    ),
    Metric(
        "skill_interval_average",
        lambda scored: skill(scored.log_loss, scored.scoring.interval_average_loss),
        "1 - log loss / that of the running average of earlier reviews after similar intervals",
    ),
)

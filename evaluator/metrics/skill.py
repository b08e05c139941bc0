"""Skill against forecasters that anyone could have run: 1 - score / score of the reference.

Both references know only outcomes of the past. (a) The running average of all outcomes so far. (b) The running average
within the review's class of elapsed days. What is worse than (a) is worse than guessing one's average.
"""

from __future__ import annotations

from typing import Optional

import numpy as np

from ..data.reviews import is_run_start, runs, stable_argsort
from ..data.revlog import Ints
from .metric import Metric
from .scores import Floats, Outcomes


def skill(score: float, reference: float) -> Optional[float]:
    """Return 1 - score / reference, for scores that are best at 0.

    1 is perfect, 0 as good as the reference, below 0 worse. None if the reference scores 0. A perfect model's value
    depends on how much can be known at all. It is 0 if true recall is the same for all reviews.
    """
    return 1 - score / reference if reference > 0 else None


def running_average(recalled: Outcomes, training: Outcomes) -> Floats:
    """Return what the average of all earlier outcomes predicts for each of ``recalled`` (n,), in chronological order.

    ``training`` (m,) are the outcomes of the part before, all of them earlier; it may be empty. With k recalled of the
    N earlier reviews the prediction is (k + 1/2) / (N + 1), so that it is never 0 or 1 and nothing surprises without
    limit. Reference: Krichevsky & Trofimov (1981), The performance of universal encoding, IEEE Trans. Inf. Theory
    27:199, doi 10.1109/TIT.1981.1056331.
    """
    earlier = training.sum() + np.cumsum(recalled) - recalled
    predicted: Floats = (earlier + 0.5) / (len(training) + np.arange(len(recalled)) + 1)
    return predicted


def running_average_by_class(recalled: Outcomes, label: Ints, training: Outcomes, training_label: Ints) -> Floats:
    """Return the average of earlier outcomes in each review's own class, in chronological order.

    ``label`` (n,) and ``training_label`` (m,) are the classes of ``recalled`` (n,) and of ``training`` (m,): any
    integers, such as classes of elapsed days. With k recalled of the N earlier reviews of the class it is (k + r) / (N
    + 1), r being what :func:`running_average` predicts: an unseen class starts there.
    """
    outcomes, labels = np.concatenate((training, recalled)), np.concatenate((training_label, label))
    order = stable_argsort(labels - labels.min(initial=0))
    ordered, ordered_labels = outcomes[order], labels[order]
    first = np.repeat(*runs(is_run_start(ordered_labels)))  # start of each review's class
    earlier = np.cumsum(ordered) - ordered
    k, n = np.empty(len(order)), np.empty(len(order))
    k[order], n[order] = earlier - earlier[first], np.arange(len(order)) - first
    m = len(training)
    predicted: Floats = (k[m:] + running_average(recalled, training)) / (n[m:] + 1)
    return predicted


METRICS = (
    Metric(
        "skill_average",
        lambda scored: skill(scored.log_loss, scored.table.average),
        "1 - log loss / that of the running average of all earlier reviews",
    ),
    Metric(
        "skill_interval_average",
        lambda scored: skill(scored.log_loss, scored.table.interval_average),
        "likewise of the earlier reviews after similar intervals",
    ),
)

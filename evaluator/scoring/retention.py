"""Recall near the desired retention: when the scheduler said 90%, how much was remembered?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ..errors import DecksUnknown
from ..interval import NO_REVIEWS, ConfidenceInterval
from ..metrics.scores import Floats, Outcomes, logit
from ..report import RecallNear
from ..statistics.paired import Clusters, paired_difference

if TYPE_CHECKING:
    from .evidence import Evidence

Bools = npt.NDArray[np.bool_]

#: Anki's default, for presets without a valid value.
DEFAULT = 0.9
#: Predictions within this many logits of the desired retention count as near: 87.5 to 92.0% for 90%. In logits the
#: window gets narrower near 1, as intervals do. Wider windows hold more reviews, and more of what is not 90%.
NEAR = 0.25


def recall_near(
    predicted: Floats, recalled: Outcomes, clusters: Clusters, desired_retention: Optional[float]
) -> RecallNear:
    """Observed recall among the predictions (n,) within :data:`NEAR` logits of the desired retention; None: among all.

    ``recalled`` (n,) is 0 or 1. A perfect model has the desired retention as recall. The interval is clustered by the
    cards and the days of these reviews. It may reach beyond 0 and 1 if recall is close to either.
    """
    if desired_retention is not None:
        inside = np.abs(logit(predicted) - logit(np.array([desired_retention]))) <= NEAR
        predicted, recalled, clusters = predicted[inside], recalled[inside], clusters.take(inside)
    if not len(predicted):
        return RecallNear(0, None, ConfidenceInterval(None, reason=NO_REVIEWS))
    mean = float(predicted.mean())
    return RecallNear(len(predicted), mean, paired_difference(recalled - predicted, clusters).shift_by(mean))


def most_used_retention(evidence: Evidence) -> Tuple[float, Bools]:
    """Return the desired retention with the most scored reviews, and which reviews have it (n,).

    A deck's own goes before that of its preset. Cards that no longer exist count for the most used preset.
    """
    data, first = evidence.data, evidence.data.folds[0].test_start
    try:
        of_preset, of_deck = (data.label(by)[first:] for by in ("preset", "deck"))
    except DecksUnknown:
        return DEFAULT, np.ones(len(evidence.tested), dtype=bool)
    groups = [(of_preset == preset.preset_id, preset.desired_retention) for preset in data.presets]
    groups.sort(key=lambda group: int(group[0].sum()))
    desired = np.full(len(of_preset), _or_default(groups[-1][1] if groups else None))
    groups += [(of_deck == deck.deck_id, deck.desired_retention) for deck in data.decks if deck.desired_retention]
    for reviews, stored in groups:
        desired[reviews] = _or_default(stored)
    values, counts = np.unique(desired, return_counts=True)
    most_used = float(values[counts.argmax()])
    return most_used, desired == most_used


def _or_default(stored: Optional[float]) -> float:
    return float(stored) if stored is not None and 0 < stored < 1 else DEFAULT

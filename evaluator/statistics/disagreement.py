"""Outcomes of reviews for which two algorithms predicted clearly different things.

Of two equally good forecasters the more confident one often looks better on both sides, so each side is only described.
"""

from __future__ import annotations

import numpy as np

from ..data.revlog import Ints
from ..interval import MIN_CARDS, MIN_DAYS
from ..report import Disagreement, Side
from .paired import Clusters, Floats

#: Minimum difference of predictions that disagree: the second if too few reviews reach the first. The choice depends on
#: no outcome.
THRESHOLD, SMALLER_THRESHOLD, MIN_APART = 0.10, 0.05, 200

#: Predictions are compared to this many decimals, so that 0.9 - 0.8 reaches 0.1.
DIGITS = 10

#: A side is described from this many reviews, and as many cards and days as an interval needs.
MIN_REVIEWS = 50


def disagreement(predicted: Floats, predicted_by_baseline: Floats, recalled: Ints, clusters: Clusters) -> Disagreement:
    """Describe the reviews that the algorithm predicted clearly higher, and those that it predicted clearly lower.

    Args:
        predicted: probabilities of recall by the algorithm (n,).
        predicted_by_baseline: and by the baseline (n,).
        recalled: 1 or 0 (n,).
        clusters: the reviews' cards and days.
    """
    difference = np.round(predicted - predicted_by_baseline, DIGITS)
    threshold = THRESHOLD if (np.abs(difference) >= THRESHOLD).sum() >= MIN_APART else SMALLER_THRESHOLD
    predicted_higher, predicted_lower = (
        _side(np.flatnonzero(mask), predicted, predicted_by_baseline, recalled, clusters)
        for mask in (difference >= threshold, difference <= -threshold)
    )
    return Disagreement(threshold, predicted_higher, predicted_lower)


def _side(indices: Ints, predicted: Floats, predicted_by_baseline: Floats, recalled: Ints, clusters: Clusters) -> Side:
    taken = clusters.take(indices)
    counts = len(indices), taken.cards, taken.days
    if any(count < least for count, least in zip(counts, (MIN_REVIEWS, MIN_CARDS, MIN_DAYS))):
        return Side(*counts, None, None, None)
    return Side(*counts, *(float(x[indices].mean()) for x in (recalled, predicted, predicted_by_baseline)))

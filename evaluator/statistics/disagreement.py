"""Outcomes of reviews for which two algorithms have clearly different predictions.

They are only described, and not tested. The more confident of two equally good algorithms often looks better both where
it predicts more and where it predicts less.
"""

from __future__ import annotations

import numpy as np

from ..data.revlog import Ints
from ..interval import MIN_CARDS, MIN_DAYS
from ..report import Disagreement, Side
from .paired import Clusters, Floats

#: Minimum difference of predictions that disagree. The smaller one is used if fewer than ``MIN_REVIEWS_APART`` reviews
#: reach the other, a choice that does not depend on the outcomes.
THRESHOLD, SMALLER_THRESHOLD, MIN_REVIEWS_APART = 0.10, 0.05, 200

#: Number of decimals of a difference, rounded so that 0.9 - 0.8 reaches 0.1.
DIGITS = 10

#: Minimum number of reviews of a side that is described. It also needs the cards and days that an interval needs.
MIN_REVIEWS = 50


def disagreement(predicted: Floats, predicted_by_baseline: Floats, recalled: Ints, clusters: Clusters) -> Disagreement:
    """Describe the reviews that the algorithm predicted clearly higher, and those that it predicted clearly lower.

    Args:
        predicted: The algorithm's probabilities of recall (n,).
        predicted_by_baseline: The baseline's probabilities of recall (n,).
        recalled: The outcomes, 1 or 0 (n,).
        clusters: The reviews' cards and days.
    """
    difference = np.round(predicted - predicted_by_baseline, DIGITS)
    threshold = THRESHOLD if (np.abs(difference) >= THRESHOLD).sum() >= MIN_REVIEWS_APART else SMALLER_THRESHOLD
    predicted_higher, predicted_lower = (
        _side(np.flatnonzero(mask), predicted, predicted_by_baseline, recalled, clusters)
        for mask in (difference >= threshold, difference <= -threshold)
    )
    return Disagreement(threshold, predicted_higher, predicted_lower)


def _side(indices: Ints, predicted: Floats, predicted_by_baseline: Floats, recalled: Ints, clusters: Clusters) -> Side:
    side_clusters = clusters.take(indices)
    counts = len(indices), side_clusters.cards, side_clusters.days
    if any(count < minimum for count, minimum in zip(counts, (MIN_REVIEWS, MIN_CARDS, MIN_DAYS))):
        return Side(*counts, None, None, None)
    return Side(*counts, *(float(x[indices].mean()) for x in (recalled, predicted, predicted_by_baseline)))

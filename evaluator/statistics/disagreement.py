"""What happened where two algorithms predicted different things.

Of two equally good forecasters the surer one often looks nearer on both sides, so each side is only described.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..interval import (
    MIN_CARDS,
    MIN_DAYS,
    NO_REVIEWS,
    TOO_FEW,
    Interval,
)
from ..metrics.universal import difference_of
from ..report import Disagreement, Side
from ..revlog import Ints
from .paired import Clusters, paired_difference

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

#: So far apart are predictions that disagree: by the second only where fewer than so many reviews reach the first. The
#: choice depends on no outcome.
THRESHOLD, SMALLER_THRESHOLD, LEAST_APART = 0.10, 0.05, 200

#: A side is described from so many reviews on, and as many cards and days as an interval needs.
MIN_REVIEWS = 50


def disagreement(predicted: Floats, predicted_by_baseline: Floats, recalled: Ints, clusters: Clusters) -> Disagreement:
    """Describe both sides: where the algorithm was surer, and where it was less sure.

    Args:
        predicted: probabilities of recall by the algorithm (n,).
        predicted_by_baseline: and by the baseline (n,).
        recalled: 1 or 0 (n,).
        clusters: the reviews' cards and days.
    """
    apart = difference_of(predicted, predicted_by_baseline)
    reach = np.abs(apart)
    threshold = THRESHOLD if (reach >= THRESHOLD).sum() >= LEAST_APART else SMALLER_THRESHOLD
    surer, less_sure = (
        describe(here, predicted, predicted_by_baseline, recalled, clusters)
        for here in (apart >= threshold, apart <= -threshold)
    )
    return Disagreement(threshold, MIN_REVIEWS, surer, less_sure)


def describe(here: Bools, predicted: Floats, predicted_by_baseline: Floats, recalled: Ints, clusters: Clusters) -> Side:
    """Describe the reviews where ``here`` (n,) holds, if there are enough of them."""
    chosen = np.flatnonzero(here)
    own = clusters.take(chosen)
    counts = len(chosen), own.cards, own.days
    if any(count < least for count, least in zip(counts, (MIN_REVIEWS, MIN_CARDS, MIN_DAYS))):
        unknown = Interval(None, reason=TOO_FEW if len(chosen) else NO_REVIEWS)
        return Side(*counts, None, None, None, unknown, unknown)
    y, first, second = recalled[chosen].astype(np.float64), predicted[chosen], predicted_by_baseline[chosen]
    return Side(
        *counts,
        recalled=float(y.mean()),
        predicted=float(first.mean()),
        predicted_by_baseline=float(second.mean()),
        gap=paired_difference(y - first, own),
        gap_of_baseline=paired_difference(y - second, own),
    )

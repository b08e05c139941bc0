"""What happened where two algorithms predicted different things.

Of two equally good forecasters the surer one often looks nearer on both sides, so each side is only described. What is
said of both together rests on the difference of the Brier scores.
"""

from __future__ import annotations

from typing import Iterator, Tuple

import numpy as np
import numpy.typing as npt

from ..interval import NO_REVIEWS, TOO_FEW, Interval, judge
from ..metrics.bins import rmse_bins
from ..metrics.scores import brier_per_review
from ..report import Disagreement, Side
from ..revlog import Ints
from .paired import Clusters, paired_difference

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

#: So far apart are predictions that disagree: by the second only where fewer than so many reviews reach the first. The
#: choice depends on no outcome.
THRESHOLD, SMALLER_THRESHOLD, LEAST_APART = 0.10, 0.05, 200

#: A side is described from so many reviews, cards and days on.
MIN_REVIEWS, MIN_CARDS, MIN_DAYS = 50, 20, 8

#: Groups of the difference of two predictions are so many to 1.
BINS_TO_ONE = 20

#: Differences count as equal where they agree to so many digits after the point: 0.9 - 0.8 is to reach 0.1.
DIGITS = 10


def disagreement(predicted: Floats, predicted_by_baseline: Floats, recalled: Ints, clusters: Clusters) -> Disagreement:
    """Describe both sides, and say what their Brier scores allow to say.

    Exchanging the two algorithms exchanges the sides, and turns the share into 1 - share.

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
    difference = share = Interval(None, reason=TOO_FEW)
    if surer.recalled is not None or less_sure.recalled is not None:
        both = np.flatnonzero(reach >= threshold)
        own = _clusters_of(both, clusters)
        y, first, second = recalled[both], predicted[both], predicted_by_baseline[both]
        difference = paired_difference(brier_per_review(first, y) - brier_per_review(second, y), own)
        share = share_of_the_way(first, second, y, own)
    return Disagreement(threshold, MIN_REVIEWS, surer, less_sure, difference, judge(difference, margin=0.0), share)


def difference_of(predicted: Floats, predicted_by_baseline: Floats) -> Floats:
    """How much surer of recall the algorithm is, for each review (n,), to :data:`DIGITS` digits."""
    return np.round(predicted - predicted_by_baseline, DIGITS)


def describe(here: Bools, predicted: Floats, predicted_by_baseline: Floats, recalled: Ints, clusters: Clusters) -> Side:
    """Describe the reviews where ``here`` (n,) holds, if there are enough of them."""
    chosen = np.flatnonzero(here)
    own = _clusters_of(chosen, clusters)
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


def share_of_the_way(predicted: Floats, predicted_by_baseline: Floats, recalled: Ints, clusters: Clusters) -> Interval:
    """How far from the baseline's predictions to the algorithm's lay what happened, on n reviews.

    share = sum (p_A - p_B) (y - p_B) / sum (p_A - p_B)^2, the least-squares weight of A in the best mixture of the two.
    At 1/2 both have the same Brier score. Its interval is that of the mean of the linearised ratio,
    ((p_A - p_B) (y - p_B) - share (p_A - p_B)^2) / mean (p_A - p_B)^2. The predictions must not be equal everywhere.

    Reference: Bates & Granger (1969), The combination of forecasts, Oper. Res. Q. 20:451.
    """
    apart = predicted - predicted_by_baseline
    product, square = apart * (recalled - predicted_by_baseline), apart**2
    share = float(product.sum() / square.sum())
    return paired_difference((product - share * square) / square.mean(), clusters).moved(share)


def groups_apart(predicted: Floats, predicted_by_baseline: Floats) -> Ints:
    """The group of each review (n,): the difference of the predictions in twentieths, rounded, half to even."""
    group: Ints = np.rint(BINS_TO_ONE * difference_of(predicted, predicted_by_baseline)).astype(np.int64)
    return group


def universal_metric_plus(predicted: Floats, predicted_by_other: Floats, recalled: Ints) -> float:
    """Universal Metric+ of an algorithm against another, on n reviews, at least one.

    sqrt(sum over groups of n (mean recalled - mean predicted)^2 / N), the groups being those of :func:`groups_apart`.
    It is not proper, has no interval, and is about the noise of the groups for a perfect algorithm, not 0.

    Reference: open-spaced-repetition/fsrs-vs-sm17, "Universal Metric+".
    """
    return rmse_bins(predicted, recalled, groups_apart(predicted, predicted_by_other) + BINS_TO_ONE)


def sides_by_group(
    predicted: Floats, predicted_by_baseline: Floats, recalled: Ints, clusters: Clusters
) -> Iterator[Tuple[int, float, Side]]:
    """The number, the mean difference of the predictions, and the description of each group that has a review."""
    group, apart = groups_apart(predicted, predicted_by_baseline), predicted - predicted_by_baseline
    for number in np.unique(group).tolist():
        here = group == number
        side = describe(here, predicted, predicted_by_baseline, recalled, clusters)
        yield number, float(apart[here].mean()), side


def _clusters_of(chosen: Ints, clusters: Clusters) -> Clusters:
    return Clusters.of(clusters.card[chosen], clusters.day[chosen])

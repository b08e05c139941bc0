"""What happened where two algorithms predicted different things.

Of two equally good forecasters the surer one often looks nearer on both sides, so each side is only described. What is
said of both together rests on the difference of the Brier scores.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Iterator, Tuple

import numpy as np
import numpy.typing as npt

from ..interval import (
    BETTER,
    CANNOT_TELL,
    MIN_CARDS,
    MIN_DAYS,
    MIN_RARER,
    NO_REVIEWS,
    RARE,
    TOO_FEW,
    WORSE,
    Interval,
    judge,
)
from ..metrics.scores import brier_per_review
from ..metrics.universal import difference_of, groups_apart
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

#: The share of the way at which both are equally good.
EQUAL = 0.5

#: The ends of the interval of the share are found in so many steps.
STEPS = 3


def disagreement(predicted: Floats, predicted_by_baseline: Floats, recalled: Ints, clusters: Clusters) -> Disagreement:
    """Describe both sides, and say what their Brier scores allow to say.

    Exchanging the two algorithms exchanges the sides, and turns the share into 1 - share. No more is said where fewer
    than :data:`MIN_RARER` reviews of the rarer outcome were to be expected on both sides, halfway between the two
    predictions: if 3 of 66 were to be forgotten, and none was, that would look like certainty. How many really were
    forgotten does not matter, since so few may be the very thing that one of the two had not expected.

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
        there = (reach >= threshold).astype(np.float64)
        cards_and_days = clusters.of_any_outcome
        difference = brier_difference(predicted, predicted_by_baseline, recalled, there, cards_and_days)
        share = share_of_the_way(predicted, predicted_by_baseline, recalled, there, cards_and_days)
        expected = float((there * (predicted + predicted_by_baseline)).sum()) / 2
        if min(expected, there.sum() - expected) < MIN_RARER:
            difference, share = (Interval(one.estimate, reason=RARE) for one in (difference, share))
    code = judge(difference, margin=0.0)
    if share.ends is not None:  # at 1/2 both are equally near, which the code says, or denies
        low, high = share.ends
        if code == CANNOT_TELL:
            low, high = min(low, EQUAL), max(high, EQUAL)
        elif code == BETTER:
            low = max(low, EQUAL)
        elif code == WORSE:
            high = min(high, EQUAL)
        share = replace(share, low=low, high=high)
    return Disagreement(threshold, MIN_REVIEWS, surer, less_sure, difference, code, share)


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


def brier_difference(
    predicted: Floats, predicted_by_baseline: Floats, recalled: Ints, there: Floats, clusters: Clusters
) -> Interval:
    """Mean Brier score of the algorithm minus that of the baseline where ``there`` (n,) is 1 and not 0.

    The interval is that of the mean over all n reviews, the others counting 0, divided by how many are there. If only
    those that are there were looked at, two equally good forecasters that drift would be told apart in 9 to 19 % of
    simulated cases, since the few weeks in which they are far apart decide which reviews are there, too; so in 3 to 7.
    """
    difference = brier_per_review(predicted, recalled) - brier_per_review(predicted_by_baseline, recalled)
    return paired_difference(difference * there / there.mean(), clusters)


def share_of_the_way(
    predicted: Floats, predicted_by_baseline: Floats, recalled: Ints, there: Floats, clusters: Clusters
) -> Interval:
    """How far from the baseline's predictions to the algorithm's lay what happened where ``there`` (n,) is 1, not 0.

    share = sum (p_A - p_B) (y - p_B) / sum (p_A - p_B)^2, the least-squares weight of A in the best mixture of the two.
    At 1/2 both have the same Brier score. The predictions must not be equal everywhere there.

    The interval of such a ratio holds all values at which the mean of u = (p_A - p_B) (y - p_B) - value (p_A - p_B)^2
    may be 0 by its own interval; its ends are found by inserting them :data:`STEPS` times. The first step is the usual
    linearised interval, which misses the truth far too often for forecasters that drift.

    References: Bates & Granger (1969), The combination of forecasts, Oper. Res. Q. 20:451; Fieller (1954), Some
    problems in interval estimation, J. R. Stat. Soc. B 16:175.
    """
    apart = (predicted - predicted_by_baseline) * there
    product, square = apart * (recalled - predicted_by_baseline), apart**2
    share, per_review = float(product.sum() / square.sum()), float(square.mean())
    low = high = share
    for _ in range(STEPS):
        below, above = (paired_difference(product - end * square, clusters) for end in (low, high))
        if below.low is None or above.high is None:
            return Interval(share, reason=below.reason)
        low = share - (below.known - below.low) / per_review
        high = share + (above.high - above.known) / per_review
    return Interval(share, low, high)


def sides_by_group(
    predicted: Floats, predicted_by_baseline: Floats, recalled: Ints, clusters: Clusters
) -> Iterator[Tuple[int, float, Side]]:
    """The number, the mean difference of the predictions, and the description of each group that has a review."""
    group, apart = groups_apart(predicted, predicted_by_baseline), predicted - predicted_by_baseline
    for number in np.unique(group).tolist():
        here = group == number
        side = describe(here, predicted, predicted_by_baseline, recalled, clusters)
        yield number, float(apart[here].mean()), side

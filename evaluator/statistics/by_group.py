"""Paired differences of two forecasts in each of several groups of the reviews (presets or decks), and in all.

Per group: the mean of (loss of one - loss of the other) with the clustered interval of :mod:`.paired`, and what that
says. Among many groups some look better by chance, so the groups' p-values are adjusted after Holm (1979, Scand. J.
Stat. 6:65); the intervals are not, and may exclude 0 where the adjusted p-value does not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import List, Optional, Tuple

import numpy as np

from ..report import MARGIN
from ..revlog import Ints
from .equivalence import smallest_detectable
from .paired import CONFIDENCE, Clusters, Floats, paired_difference
from .tails import holm, student_t_p_value


@dataclass(frozen=True)
class GroupDifference:
    """One forecast minus the other in one group, or in all."""

    group: Optional[int]  #: None: all groups together
    reviews: int
    cards: int
    days: int
    difference: float  #: mean loss; below 0 where the first one predicts better
    standard_error: Optional[float]  #: None, as the interval and the p-values, where there are too few cards or days
    low: Optional[float]
    high: Optional[float]
    p_value: Optional[float]  #: of no difference
    adjusted_p_value: Optional[float]  #: among all groups; of all together the plain one
    outcome: str  #: "better", "worse", "equivalent", "cannot_tell" or "no_interval"

    @property
    def smallest_detectable(self) -> Optional[float]:
        """The true difference that such reviews would have shown four times in five, looked at alone."""
        if self.standard_error is None:
            return None
        return smallest_detectable(self.standard_error, min(self.cards, self.days) - 1)


def differences_by_group(
    difference: Floats, group: Ints, clusters: Clusters, *, margin: float = MARGIN
) -> Tuple[GroupDifference, ...]:
    """What one forecast gains or loses against another in each group, by the groups' numbers.

    "equivalent" where the whole 95 % interval is within the margin, even if it excludes 0. Otherwise "better" or
    "worse" where the adjusted p-value is below 0.05. Equal losses are equivalent. Where the two are truly alike in all
    groups, some group is called better or worse in at most about 5 % of collections.

    Args:
        difference: loss of each review with one forecast minus that with the other (n,).
        group: the number of each review's preset or deck (n,).
        clusters: the reviews' cards and days.
        margin: what is of no practical account, in units of the loss.

    No reviews, no groups. Raises ValueError where the arrays differ in length, or the margin is below 0.
    """
    if not len(difference) == len(group) == len(clusters.card):
        raise ValueError(f"arrays of different lengths: {len(difference)}, {len(group)}, {len(clusters.card)}")
    order = np.argsort(group, kind="stable")
    labels, start = np.unique(group[order], return_index=True)
    parts: List[GroupDifference] = []
    for label, part in zip(labels, np.split(order, start[1:])):
        own = Clusters.of(clusters.card[part], clusters.day[part])
        parts.append(_compare(int(label), difference[part], own))
    tested = [k for k, part in enumerate(parts) if part.p_value is not None]
    for k, p_value in zip(tested, holm([parts[k].p_value or 0.0 for k in tested])):
        parts[k] = replace(parts[k], adjusted_p_value=p_value)
    return tuple(_judged(part, margin) for part in parts)


def difference_of_all(difference: Floats, clusters: Clusters, *, margin: float = MARGIN) -> GroupDifference:
    """The same of all reviews together. Raises ValueError where there are none, or as :func:`differences_by_group`."""
    if not len(difference) == len(clusters.card):
        raise ValueError(f"arrays of different lengths: {len(difference)}, {len(clusters.card)}")
    if not len(difference):
        raise ValueError("no reviews")
    return _judged(_compare(None, difference, clusters), margin)


def _compare(group: Optional[int], difference: Floats, clusters: Clusters) -> GroupDifference:
    """With the plain p-value in both places, and no outcome yet."""
    d = paired_difference(difference, clusters)
    p_value = None
    if d.standard_error is not None:
        far = d.mean / d.standard_error if d.standard_error > 0 else float("inf") if d.mean else 0.0
        p_value = student_t_p_value(far, min(clusters.cards, clusters.days) - 1)
    return GroupDifference(
        group=group,
        reviews=len(difference),
        cards=clusters.cards,
        days=clusters.days,
        difference=d.mean,
        standard_error=d.standard_error,
        low=d.low,
        high=d.high,
        p_value=p_value,
        adjusted_p_value=p_value,
        outcome="no_interval",
    )


def _judged(part: GroupDifference, margin: float) -> GroupDifference:
    if not margin >= 0:
        raise ValueError(f"margin {margin}; it must be at least 0")
    if part.low is None or part.high is None or part.adjusted_p_value is None:
        return part
    if -margin <= part.low and part.high <= margin:
        return replace(part, outcome="equivalent")
    if part.adjusted_p_value < 1 - CONFIDENCE:
        return replace(part, outcome="better" if part.difference < 0 else "worse")
    return replace(part, outcome="cannot_tell")

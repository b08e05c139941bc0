"""Whether each preset (or deck) should have parameters of its own: shared against own ones on the same reviews.

Per group and in all: the mean of (loss with own parameters - loss with shared ones) with the clustered interval of
:mod:`.paired`, and what that says. Among many groups some look better by chance, so the groups' p-values are adjusted
after Holm (1979, Scand. J. Stat. 6:65); the intervals are not, and may exclude 0 where the adjusted p-value does not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import List, Optional, Tuple

import numpy as np

from ..report import MARGIN
from ..revlog import Ints
from .paired import CONFIDENCE, Clusters, Floats, paired_difference
from .tails import holm, student_t_p_value

_RECOMMENDATION = {"better": "split", "worse": "keep_together", "equivalent": "keep_together"}


@dataclass(frozen=True)
class GroupSplit:
    """Own against shared parameters in one group, or in all."""

    group: Optional[int]  #: None: all groups together
    reviews: int
    cards: int
    days: int
    difference: float  #: own - shared, mean loss; below 0 where own parameters predict better
    standard_error: Optional[float]  #: None, as the interval and the p-values, where there are too few cards or days
    low: Optional[float]
    high: Optional[float]
    p_value: Optional[float]  #: of no difference
    adjusted_p_value: Optional[float]  #: among all groups; of all together the plain one
    outcome: str  #: "better", "worse", "equivalent", "cannot_tell" or "no_interval"

    @property
    def recommendation(self) -> str:
        """Where own parameters are better "split", where worse or equivalent "keep_together", else "cannot_tell"."""
        return _RECOMMENDATION.get(self.outcome, "cannot_tell")


@dataclass(frozen=True)
class Splitting:
    """All groups by their label, and the whole."""

    groups: Tuple[GroupSplit, ...]
    total: GroupSplit
    margin: float

    @property
    def recommendation(self) -> str:
        """For splitting all groups or none: that of the total."""
        return self.total.recommendation


def compare_splitting(
    own: Floats, shared: Floats, group: Ints, clusters: Clusters, *, margin: float = MARGIN
) -> Splitting:
    """What own parameters per group gain or lose.

    "equivalent" where the whole 95 % interval is within the margin, even if it excludes 0: one set of parameters is
    simpler. Otherwise "better" or "worse" where the adjusted p-value is below 0.05. Equal losses are equivalent. Where
    all groups truly have the same parameters, some group is called better in at most about 5 % of collections.

    Args:
        own: loss of each tested review with its group's parameters (n,).
        shared: likewise with the parameters of all (n,).
        group: the number of each review's preset or deck (n,).
        clusters: the reviews' cards and days.
        margin: what is of no practical account, in units of the loss.

    Raises:
        ValueError: there are no reviews, the arrays differ in length, or the margin is below 0.
    """
    if not len(own) == len(shared) == len(group) == len(clusters.card):
        raise ValueError(f"arrays of different lengths: {len(own)}, {len(shared)}, {len(group)}, {len(clusters.card)}")
    if not len(own):
        raise ValueError("no reviews")
    if not margin >= 0:
        raise ValueError(f"margin {margin}; it must be at least 0")
    difference = own - shared
    total = _compare(None, difference, clusters)
    order = np.argsort(group, kind="stable")
    labels, start = np.unique(group[order], return_index=True)
    parts: List[GroupSplit] = []
    for label, part in zip(labels, np.split(order, start[1:])):
        parts.append(_compare(int(label), difference[part], Clusters.of(clusters.card[part], clusters.day[part])))
    tested = [k for k, part in enumerate(parts) if part.p_value is not None]
    for k, p_value in zip(tested, holm([parts[k].p_value or 0.0 for k in tested])):
        parts[k] = replace(parts[k], adjusted_p_value=p_value)
    return Splitting(tuple(_judged(part, margin) for part in parts), _judged(total, margin), margin)


def _compare(group: Optional[int], difference: Floats, clusters: Clusters) -> GroupSplit:
    """With the plain p-value in both places, and no outcome yet."""
    d = paired_difference(difference, clusters)
    p_value = None
    if d.standard_error is not None:
        far = d.mean / d.standard_error if d.standard_error > 0 else float("inf") if d.mean else 0.0
        p_value = student_t_p_value(far, min(clusters.cards, clusters.days) - 1)
    return GroupSplit(
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


def _judged(part: GroupSplit, margin: float) -> GroupSplit:
    if part.low is None or part.high is None or part.adjusted_p_value is None:
        return part
    if -margin <= part.low and part.high <= margin:
        return replace(part, outcome="equivalent")
    if part.adjusted_p_value < 1 - CONFIDENCE:
        return replace(part, outcome="better" if part.difference < 0 else "worse")
    return replace(part, outcome="cannot_tell")

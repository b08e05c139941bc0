"""Recall near the desired retention: when the scheduler said 90%, how much was remembered?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ..errors import DecksUnknown
from ..interval import NO_REVIEWS, Interval
from ..metrics.scores import Floats, Outcomes, logit
from ..report import RecallNear
from ..statistics.paired import Clusters, paired_difference

if TYPE_CHECKING:
    from .evidence import Evidence

Bools = npt.NDArray[np.bool_]

#: Anki's own, where a preset does not say.
DEFAULT = 0.9
#: Predictions within so many logits of the desired retention count as near: 87.5 to 92.0 % for 90 %. In logits the
#: window gets narrower near 1, as intervals do. Wider windows hold more reviews, and more of what is not 90 %.
NEAR = 0.25
#: Desired retentions that are shown: those with the most reviews.
MOST_GROUPS = 5


@dataclass(frozen=True)
class RetentionOfAlgorithm:
    """One algorithm at one desired retention."""

    algorithm: str
    in_sample: bool  #: its parameters may have been fitted on these very reviews
    near: RecallNear


@dataclass(frozen=True)
class RetentionGroup:
    """The reviews of the presets and decks with one desired retention; a deck's own goes before that of its preset."""

    desired_retention: float  #: as set in these presets and decks
    assumed: bool  #: the source does not say it; Anki's default was taken
    presets: Tuple[str, ...]  #: their names; none where they are not known
    decks: Tuple[str, ...]  #: the names of those with one of their own
    reviews: int
    algorithms: Tuple[RetentionOfAlgorithm, ...]  #: the person's own parameters, the verdict's, and the best


def recall_near(
    predicted: Floats, recalled: Outcomes, clusters: Clusters, desired_retention: Optional[float]
) -> RecallNear:
    """Observed recall among the predictions (n,) within :data:`NEAR` logits of the desired retention; None: among all.

    ``recalled`` (n,) is 0 or 1. A perfect model has the desired retention as recall. The interval is clustered by the
    cards and the days of these reviews. It may reach beyond 0 and 1 where recall is close to either.
    """
    if desired_retention is not None:
        inside = np.abs(logit(predicted) - logit(np.array([desired_retention]))) <= NEAR
        predicted, recalled, clusters = predicted[inside], recalled[inside], clusters.take(inside)
    if not len(predicted):
        return RecallNear(0, None, Interval(None, reason=NO_REVIEWS))
    mean = float(predicted.mean())
    return RecallNear(len(predicted), mean, paired_difference(recalled - predicted, clusters).moved(mean))


def retention_groups(evidence: Evidence) -> List[Tuple[RetentionGroup, Bools]]:
    """Those with most reviews, the largest first, without algorithms yet; and which tested reviews are theirs (n,)."""
    first, reviews = evidence.data.folds[0].test_start, len(evidence.tested)
    unknown = (RetentionGroup(DEFAULT, True, (), (), reviews, ()), np.ones(reviews, dtype=bool))
    try:
        label = evidence.data.label("preset")[first:]
    except DecksUnknown:
        return [unknown]
    presets = {preset.preset_id: preset for preset in evidence.data.presets}
    values, counts = np.unique(label, return_counts=True)
    by_size = [int(value) for value in values[np.argsort(-counts, kind="stable")] if int(value) in presets]
    if not by_size:
        return [unknown]
    label = np.where(np.isin(label, by_size), label, by_size[0])  # of cards that no longer exist: the most used one
    of_deck = evidence.data.label("deck")[first:]
    own = np.zeros(len(label))
    for deck in evidence.data.decks:
        own[of_deck == deck.deck_id] = deck.desired_retention or 0.0
    alike: Dict[Tuple[float, bool], List[Tuple[int, float]]] = {}
    for value, desired in sorted(set(zip(label.tolist(), own.tolist()))):
        stored = desired or presets[value].desired_retention
        known = stored is not None and 0 < stored < 1
        alike.setdefault((float(stored or 0) if known else DEFAULT, not known), []).append((value, desired))
    groups = []
    for (desired, assumed), members in alike.items():
        mask = np.zeros(len(label), dtype=bool)
        for value, of_own in members:
            mask |= (label == value) & (own == of_own)
        names = tuple(presets[value].name for value, of_own in members if not of_own)
        there = of_deck[mask & (own > 0)]
        decks = tuple(deck.name for deck in evidence.data.decks if deck.deck_id in there)
        groups.append((RetentionGroup(desired, assumed, names, decks, int(mask.sum()), ()), mask))
    return sorted(groups, key=lambda one: -one[0].reviews)[:MOST_GROUPS]

"""Whether the winner depends on how it was asked: one row per variant of an evaluation.

A variant is another choice that somebody might have made: a filter on or off, another start, one half of the tested
reviews. Its winner has the lowest mean loss. Winner and runner-up are chosen on the same reviews that their interval
is from, so that interval flatters the winner; it says how close the race was and is no test. What is looked at is
agreement: where another algorithm wins, is it clearly better there than the reference's winner?
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Mapping, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..revlog import Ints
from .paired import Clusters, Floats, paired_difference

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class PairedLoss:
    """Mean loss of ``algorithm`` minus that of ``against``; without an interval where cards or days are too few."""

    algorithm: str
    against: str
    difference: float
    low: Optional[float]
    high: Optional[float]


@dataclass(frozen=True)
class Variant:
    """One way to ask."""

    name: str
    reviews: int
    cards: int
    days: int
    losses: Tuple[Tuple[str, float], ...]  #: (algorithm, mean loss), lowest first; equal ones as they were given
    runner_up: PairedLoss  #: the winner against the second: never above 0
    #: the winner against the reference's winner on these reviews; None where they are the same, and where it is unknown
    upset: Optional[PairedLoss] = None

    @property
    def winner(self) -> str:
        """The algorithm with the lowest mean loss."""
        return self.losses[0][0]


@dataclass(frozen=True)
class Agreement:
    """Variants beside the one that they are held against."""

    reference: Variant
    variants: Tuple[Variant, ...]

    @property
    def codes(self) -> Tuple[str, ...]:
        """Per variant: "same" winner, "other" (another one, not clearly better), or "other_clearly"."""
        return tuple(self._code(variant) for variant in self.variants)

    @property
    def changes(self) -> bool:
        """Whether any variant has another winner."""
        return any(code != "same" for code in self.codes)

    def _code(self, variant: Variant) -> str:
        if variant.winner == self.reference.winner:
            return "same"
        upset = variant.upset
        return "other_clearly" if upset is not None and upset.high is not None and upset.high < 0 else "other"


def variant(
    name: str, algorithms: Sequence[str], losses: Floats, clusters: Clusters, *, against: Optional[str] = None
) -> Variant:
    """Who wins on some reviews.

    Args:
        name: of the variant.
        algorithms: K names, at least two.
        losses: of each algorithm on each review (K, N), N at least 1.
        clusters: the reviews' cards and days.
        against: the winner that this one's is held against, if it is another.

    Raises:
        ValueError: fewer than two algorithms, no reviews, shapes that do not fit, or an unknown ``against``.
    """
    if len(algorithms) < 2:
        raise ValueError(f"{len(algorithms)} algorithms; at least 2 are needed")
    if losses.shape != (len(algorithms), len(clusters.card)) or not losses.size:
        raise ValueError(f"losses {losses.shape} of {len(algorithms)} algorithms on {len(clusters.card)} reviews")
    if against is not None and against not in algorithms:
        raise ValueError(f"{against} is none of {list(algorithms)}")
    mean = losses.mean(axis=1)
    order = np.argsort(mean, kind="stable")

    def pair(a: int, b: int) -> PairedLoss:
        d = paired_difference(losses[a] - losses[b], clusters)
        return PairedLoss(algorithms[a], algorithms[b], d.mean, d.low, d.high)

    first, second = int(order[0]), int(order[1])
    other = None if against in (None, algorithms[first]) else list(algorithms).index(str(against))
    return Variant(
        name,
        losses.shape[1],
        clusters.cards,
        clusters.days,
        tuple((algorithms[k], float(mean[k])) for k in order),
        pair(first, second),
        None if other is None else pair(first, other),
    )


def agreement(
    algorithms: Sequence[str], losses: Floats, clusters: Clusters, masks: Mapping[str, Bools], *, reference: str = "all"
) -> Agreement:
    """Variants that are parts of the same tested reviews, held against all of them.

    Args:
        algorithms: K names, at least two.
        losses: of each algorithm on each tested review (K, N).
        clusters: the tested reviews' cards and days.
        masks: by the variant's name which reviews count (N,), e.g. :func:`halves`.
        reference: the name of all reviews together.

    Raises:
        ValueError: as :func:`variant`; a mask that is empty or does not fit.
    """
    whole = variant(reference, algorithms, losses, clusters)
    parts = []
    for name, mask in masks.items():
        if mask.shape != clusters.card.shape or not mask.any():
            raise ValueError(f"{name}: {int(mask.sum())} of {len(mask)} reviews; there are {len(clusters.card)}")
        own = Clusters.of(clusters.card[mask], clusters.day[mask])
        parts.append(variant(name, algorithms, losses[:, mask], own, against=whole.winner))
    return Agreement(whole, tuple(parts))


def held_against(reference: Variant, variants: Sequence[Variant]) -> Agreement:
    """Variants that come from evaluations of their own, on other reviews than the reference.

    Whether another winner is clearly better is known where its ``upset`` is against the reference's winner, or where
    that one is the runner-up.
    """
    return Agreement(reference, tuple(_with_upset(each, reference.winner) for each in variants))


def halves(day: Ints) -> Mapping[str, Bools]:
    """The earlier and the later half of the reviews by time, as masks (N,); a day is never divided.

    The border is the day at which the two come closest to equal, the earlier of two such. Of one day there are no
    halves: no masks.

    Args:
        day: of each review (N,), in any order.
    """
    days, count = np.unique(day, return_counts=True)
    if len(days) < 2:
        return {}
    before = np.cumsum(count)[:-1]
    border = days[1 + int(np.argmin(np.abs(2 * before - len(day))))]
    return {"earlier half": day < border, "later half": day >= border}


def _with_upset(each: Variant, winner: str) -> Variant:
    if each.winner == winner:
        return replace(each, upset=None)
    for known in (each.upset, each.runner_up):
        if known is not None and known.against == winner:
            return replace(each, upset=known)
    return replace(each, upset=None)

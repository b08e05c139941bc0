"""Accuracy of the headline algorithm and of the baseline in each preset and in each deck."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

import numpy as np

from ..data.revlog import Ints
from ..errors import DecksUnknown
from ..interval import ConfidenceInterval
from ..metrics.skill import running_average_by_class, skill
from ..progress import Progress
from ..report import Comparison, Failure, Report
from ..scoring.evidence import Evidence
from ..scoring.review_groups import KINDS, ReviewGroup, group_indices, review_groups, same_partition
from ..statistics.paired import Floats, comparisons_by_group, realized_difference
from .section import Section

#: Minimum number of remembered reviews, and of forgotten ones, in a group with a skill. With fewer, the
#: skill would be noise.
MIN_OF_EITHER = 10


@dataclass(frozen=True)
class AlgorithmInGroup:
    """One algorithm's numbers in one group, on the group's scored reviews alone."""

    algorithm: str
    log_loss: float  #: not comparable between groups, because it depends on how much is forgotten in each
    #: 1 - log loss / log loss of guessing the group's average up to each review. It is comparable between groups. None
    #: if fewer than 10 reviews were remembered, or fewer than 10 forgotten.
    skill: Optional[float]
    #: Above 0 if more was remembered than predicted, on just these reviews. The interval holds for all groups at once.
    recalled_minus_predicted: ConfidenceInterval
    #: The code takes account of the number of groups (Holm), but the interval does not. None for the baseline.
    against_baseline: Optional[Comparison]


@dataclass(frozen=True)
class Group:
    """A preset or a deck with scored reviews."""

    label: Optional[int]  #: Anki's id, or None for cards that no longer exist
    name: str  #: name in Anki, or the id if that has no name, or empty for cards that no longer exist
    reviews: int  #: scored reviews
    cards: int  #: number of cards with scored reviews
    recalled: float  #: share of the reviews that were not Again
    algorithms: Tuple[AlgorithmInGroup, ...]  #: the headline algorithm, then the baseline


@dataclass(frozen=True)
class Grouping:
    """Accuracy in all presets, or in all decks."""

    by: str  #: "preset" or "deck" (a card's home deck, without its subdecks)
    groups: Tuple[Group, ...] = ()  #: largest first, but cards that no longer exist last
    baseline: Optional[str] = None
    error: Optional[Failure] = None  #: why there are no groups


def compute(report: Report, evidence: Evidence, _names: Sequence[str], progress: Progress) -> Tuple[Grouping, ...]:
    """Compare the algorithm of the verdict, or else the best one, with the baseline in each preset and in each deck.

    Decks are left out if each preset has one deck only, because they would be the same groups.
    """
    shown = report.best if report.verdict.rivalry is None else report.verdict.algorithm
    names = [name for name in dict.fromkeys((shown, report.baseline)) if name]
    groupings = []
    presets: List[ReviewGroup] = []
    for done, by in enumerate(KINDS if names else ()):
        progress(done / len(KINDS))
        try:
            groups = review_groups(evidence, by)
        except DecksUnknown as error:
            groupings.append(Grouping(by, error=Failure.of(error)))
            continue
        if same_partition(presets, groups):
            continue
        presets = groups
        loss_of_guessing = _loss_of_guessing(evidence, by)
        columns = []
        for number, name in enumerate(names):
            progress((done + (number + 1) / (len(names) + 1)) / len(KINDS))
            columns.append(_algorithm_in_groups(name, report.baseline, evidence, groups, loss_of_guessing))
        results = tuple(_group(group, evidence, algorithms) for group, algorithms in zip(groups, zip(*columns)))
        groupings.append(Grouping(by, results, report.baseline))
    return tuple(groupings)


def _loss_of_guessing(evidence: Evidence, by: str) -> Floats:
    """Return the loss (n,) of always guessing the average so far of the review's own group."""
    label, recalled = evidence.data.label(by), evidence.data.reviews.recalled
    start = len(label) - len(evidence.tested)
    guess = running_average_by_class(recalled[start:], label[start:], recalled[:start], label[:start])
    return evidence.scoring.loss(guess)


def _algorithm_in_groups(
    name: str, baseline: Optional[str], evidence: Evidence, groups: Sequence[ReviewGroup], loss_of_guessing: Floats
) -> List[AlgorithmInGroup]:
    """Return the algorithm's numbers in each group, given the loss of guessing each review (n,)."""
    scoring, recalled = evidence.scoring, evidence.tested.recalled
    predicted = evidence.fitted[name].predicted
    number, loss = group_indices(groups, len(predicted)), scoring.loss(predicted)
    comparisons: Sequence[Optional[Comparison]] = [None] * len(groups)
    if baseline is not None and baseline != name:
        difference = loss - scoring.loss(evidence.fitted[baseline].predicted)
        comparisons = comparisons_by_group(name, baseline, difference, number, scoring.clusters)
    result = []
    for group, comparison in zip(groups, comparisons):
        review = group.review
        clusters = scoring.clusters.take(review)
        gap = realized_difference(recalled[review] - predicted[review], clusters, n_intervals=len(groups))
        log_loss, guessing = (float(column[review].mean()) for column in (loss, loss_of_guessing))
        own_skill = skill(log_loss, guessing) if _has_enough_outcomes(recalled[review]) else None
        result.append(AlgorithmInGroup(name, log_loss, own_skill, gap, comparison))
    return result


def _has_enough_outcomes(recalled: Ints) -> bool:
    return int(np.bincount(recalled, minlength=2).min()) >= MIN_OF_EITHER


def _group(group: ReviewGroup, evidence: Evidence, algorithms: Sequence[AlgorithmInGroup]) -> Group:
    label, reviews = group.label if group.exists else None, len(group.review)
    cards = len(np.unique(evidence.scoring.clusters.card[group.review]))
    recalled = float(evidence.tested.recalled[group.review].mean())
    return Group(label, group.name, reviews, cards, recalled, tuple(algorithms))


SECTION = Section("groups", Tuple[Grouping, ...], compute)

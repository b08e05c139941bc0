"""Comparison of own with shared parameters in each preset, each deck, and each part named by a search.

FSRS-6 is trained on each group's reviews before a fold, and predicts the group's reviews in the fold. Its loss is
compared with that of FSRS-6 trained on all reviews before the fold. Both have the same reviews and folds, so the
difference depends neither on how much is forgotten in a group nor on its size.

The prior of a group's own parameters is centered at the shared ones of the same fold, and as wide as people differ.
With few reviews they stay close to these, and with many they follow the data. The algorithm FSRS-6 preset does the
same, so its predictions are used if it has run. Anki's optimizer begins at the published parameters instead, which
loses more the fewer reviews there are.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy as np

from ..algorithms.fsrs6 import ALGORITHMS, FSRS_6
from ..algorithms.your_parameters import preset_names
from ..data.revlog import DELETED_CARD, Ints
from ..derivatives import Floats
from ..errors import DecksUnknown
from ..fitting.fit import Fitted, fit_and_predict
from ..fitting.training import TrainingSet, train
from ..interval import BETTER, CANNOT_TELL, MARGIN, MIN_CARDS, MIN_DAYS, TOO_FEW, WORSE
from ..progress import Progress
from ..report import Comparison, Failure
from ..scoring.evidence import Evidence
from ..statistics.paired import compare, compare_by_group
from .section import Section

#: Own parameters are tested in groups with at least this number of scored reviews, MIN_CARDS cards and MIN_DAYS days.
MIN_REVIEWS = 100
#: Kinds of groups besides the parts. A deck is a card's home deck, without its subdecks.
KINDS = ("preset", "deck")


@dataclass(frozen=True)
class Split:
    """Comparison of own with shared parameters in one group or in all groups, on the same reviews.

    Codes: "split" (own ones predict better), "either" (better, but by less than :attr:`Report.margin`),
    "keep_together" (worse, or the interval rules out that they are better by more than the margin), "cannot_tell",
    "too_few" (own parameters were not tried, or there is no interval, as there are too few reviews, cards or days),
    "rare_outcome" (there is no interval, as there are too few reviews of the rarer outcome).
    """

    #: Anki's id of the preset or deck. For a part it is the number of its search from 1, or 0 if no search found its
    #: cards. None for all groups together.
    label: Optional[int]
    #: Name in Anki, or the id. For a part it is the search. Empty for cards that no search found and for all groups.
    name: str
    reviews: int  #: scored reviews
    cards: int
    days: int
    shared_log_loss: float  #: with the shared parameters
    #: Own minus shared, or None if own parameters were not tried. Its code takes account of the number of groups.
    comparison: Optional[Comparison]
    code: str
    #: Whether a preset has parameters of its own in Anki now. None for decks, parts, and all groups together.
    own_now: Optional[bool] = None


@dataclass(frozen=True)
class Splitting:
    """Comparisons for all presets, all decks or all parts, without cards that no longer exist."""

    by: str  #: "preset", "deck" (a card's home deck, without its subdecks) or "part" (what searches find, and the rest)
    algorithm: str  #: the algorithm trained
    in_use: int = 0  #: number of presets, decks or parts with scored reviews
    groups: Tuple[Split, ...] = ()  #: largest first, or empty if fewer than two are in use
    #: Comparison with own parameters for each group that is large enough, and shared ones for the other groups.
    total: Optional[Split] = None
    error: Optional[Failure] = None  #: why nothing could be tried
    #: Whether these presets have the same desired retention. Otherwise one preset for all decks would change it.
    same_retention: bool = True


class ReviewGroup(NamedTuple):
    """The scored reviews of one preset, deck or part."""

    label: int  #: as in :class:`Split`
    name: str  #: as in :class:`Split`
    indices: Ints  #: indices of its reviews among the scored ones


def compute(evidence: Evidence, progress: Progress) -> Tuple[Splitting, ...]:
    """Test own parameters for each preset, each deck, and each part named by a search.

    Decks are left out if each preset has one deck only, because they would be the same groups.
    """
    kinds: Tuple[str, ...] = KINDS
    if evidence.snapshot is not None and evidence.snapshot.parts:
        kinds = (*KINDS, "part")
        evidence = replace(evidence, data=replace(evidence.data, cards=evidence.snapshot.cards))
    n_stages = len(kinds) + 1
    shared_fit = evidence.fitted.get(FSRS_6.name)
    if shared_fit is None:
        shared_fit = fit_and_predict(FSRS_6, evidence.data, progress=progress.part(0, 1 / n_stages))
    result: List[Splitting] = []
    presets: List[ReviewGroup] = []
    for stage, by in enumerate(kinds, start=1):
        progress(stage / n_stages)
        try:
            groups = review_groups(evidence, by)
        except DecksUnknown as error:
            result.append(Splitting(by, FSRS_6.name, error=Failure.of(error)))
            continue
        if by == "part" or not groups or _partition(groups) != _partition(presets):
            part_progress = progress.part(stage / n_stages, (stage + 1) / n_stages)
            result.append(_test_groups(evidence, by, groups, shared_fit, part_progress))
        presets = groups
    return tuple(result)


def review_groups(evidence: Evidence, by: str) -> List[ReviewGroup]:
    """Return the presets, decks or parts with scored reviews of existing cards, the largest first.

    Raises:
        DecksUnknown: if the source does not say which deck or preset a card belongs to.
    """
    data = evidence.data
    names = {deck.deck_id: deck.name for deck in data.decks} if by == "deck" else preset_names(data.presets)
    if by == "part":
        names = dict(enumerate(("", *(evidence.snapshot.parts if evidence.snapshot else ()))))
    label = data.label(by)[-len(evidence.tested) :]
    labels = set(label.tolist()) - {DELETED_CARD}
    groups = [ReviewGroup(value, names.get(value, str(value)), np.flatnonzero(label == value)) for value in labels]
    return sorted(groups, key=lambda group: (-len(group.indices), group.label))


def _partition(groups: Sequence[ReviewGroup]) -> Set[bytes]:
    """Return which reviews are in the same group, whatever its label and name."""
    return {group.indices.tobytes() for group in groups}


def _test_groups(
    evidence: Evidence, by: str, groups: List[ReviewGroup], shared_fit: Fitted, progress: Progress
) -> Splitting:
    """Test own parameters in each group that is large enough."""
    shared_loss = evidence.scoring.loss(shared_fit.predicted)
    clusters = evidence.scoring.clusters
    splits = [_untested_split(evidence, group, shared_loss) for group in groups] if len(groups) > 1 else []
    large_groups = [
        group
        for group, split in zip(groups, splits)
        if split.reviews >= MIN_REVIEWS and split.cards >= MIN_CARDS and split.days >= MIN_DAYS
    ]
    predicted = _own_predictions(evidence, by, large_groups, shared_fit, progress)
    difference = evidence.scoring.loss(predicted) - shared_loss
    tests = compare_by_group("own", "shared", difference, [group.indices for group in large_groups], clusters)
    test_by_label = {group.label: test for group, test in zip(large_groups, tests)}
    has_own = _has_own_parameters(evidence, groups) if by == "preset" else {}
    compared_splits = tuple(
        replace(_with_comparison(split, test_by_label.get(group.label)), own_now=has_own.get(group.label))
        for group, split in zip(groups, splits)
    )
    total = None
    if large_groups:
        indices = np.sort(np.concatenate([group.indices for group in groups]))
        untested = replace(_untested_split(evidence, ReviewGroup(0, "", indices), shared_loss), label=None)
        total = _with_comparison(untested, compare("own", "shared", difference[indices], clusters.take(indices)))
    in_use = {group.label for group in groups}
    retentions = {preset.desired_retention for preset in evidence.data.presets if preset.preset_id in in_use}
    same_retention = by != "preset" or len(retentions) == 1
    return Splitting(by, FSRS_6.name, len(groups), compared_splits, total, same_retention=same_retention)


def _own_predictions(
    evidence: Evidence, by: str, large_groups: Sequence[ReviewGroup], shared_fit: Fitted, progress: Progress
) -> Floats:
    """Return the predictions (n,) with own parameters for the large groups, and shared ones for other reviews.

    They are those of FSRS-6 preset or a similar algorithm if it has run. Otherwise the parameters are trained here.
    """
    predicted = shared_fit.predicted.copy()
    own_algorithms = (item.name for item in ALGORITHMS if item.training is not None and item.training.by == by)
    fitted = evidence.fitted.get(next(own_algorithms, ""))
    if fitted is not None:
        for group in large_groups:
            predicted[group.indices] = fitted.predicted[group.indices]
        return predicted
    by_label = {group.label: group.indices for group in large_groups}
    done = 0
    n_reviews = sum(map(len, by_label.values()))
    for label, _, data in evidence.data.partitions(by):
        if label in by_label:
            indices = by_label[label]
            part_progress = progress.part(done / n_reviews, (done + len(indices)) / n_reviews)
            predicted[indices] = train(TrainingSet(FSRS_6, data), shared_fit.parameters, part_progress)[2]
            done += len(indices)
    return predicted


def _untested_split(evidence: Evidence, group: ReviewGroup, shared_loss: Floats) -> Split:
    """Return the sizes of a group, and its log loss with shared parameters, without a comparison."""
    clusters = evidence.scoring.clusters
    indices = group.indices
    cards, days = (len(np.unique(column[indices])) for column in (clusters.card, clusters.day))
    return Split(group.label, group.name, len(indices), cards, days, float(shared_loss[indices].mean()), None, TOO_FEW)


def _with_comparison(split: Split, own_and_shared: Optional[Comparison]) -> Split:
    """Return the split with this comparison of own with shared parameters and the code that follows from it."""
    return replace(split, comparison=own_and_shared, code=split_code(own_and_shared))


def split_code(own_and_shared: Optional[Comparison]) -> str:
    """Return the code of :class:`Split`, given the comparison of own with shared parameters, or None without one."""
    if own_and_shared is None:
        return TOO_FEW
    difference = own_and_shared.difference
    if difference.low is None:
        return own_and_shared.code
    # Shared parameters are simpler, so they are kept if little can be gained.
    if own_and_shared.code == WORSE or difference.low >= -MARGIN:
        return "keep_together"
    if own_and_shared.code == BETTER:
        return "split" if difference.value <= -MARGIN else "either"
    return CANNOT_TELL


def _has_own_parameters(evidence: Evidence, groups: Sequence[ReviewGroup]) -> Dict[int, bool]:
    """Return for each preset in use, by its id, whether it has parameters that no other preset in use has."""
    in_use = {group.label for group in groups}
    stored = {preset.preset_id: preset.parameters for preset in evidence.data.presets if preset.preset_id in in_use}
    count = Counter(stored.values())
    return {label: bool(parameters) and count[parameters] == 1 for label, parameters in stored.items()}


SECTION = Section(Tuple[Splitting, ...], compute, slow=True, whole_day_only=True)

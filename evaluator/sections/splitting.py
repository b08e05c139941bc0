"""Whether each preset, deck or part named by a search should have its own parameters.

FSRS-6 is trained again on each group's reviews before a fold, and predicts the group's reviews in it; so does FSRS-6
trained on all reviews before the fold. The same reviews, the same folds: the difference of the two losses is neither
about how much is forgotten in a group nor about its size.

A group's own parameters are believed to be near the shared ones of the same fold: the prior of every parameter is
centered there and as wide as people differ. With few reviews they stay close, with many they follow the data. (As
in the algorithm FSRS-6 preset, whose predictions are taken if there are any. Anki's optimizer begins at the
published parameters instead, which loses more the fewer reviews there are.)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Dict, List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms.fsrs6 import ALGORITHMS, FSRS_6
from ..errors import DecksUnknown
from ..fitting.fit import Fitted, fit_and_predict
from ..fitting.training import train
from ..interval import BETTER, CANNOT_TELL, MARGIN, MIN_CARDS, MIN_DAYS, TOO_FEW, WORSE
from ..progress import Progress
from ..report import Comparison, Failure, Report
from ..scoring.evidence import Evidence
from ..scoring.review_groups import KINDS, ReviewGroup, group_indices, review_groups, same_partition
from ..statistics.paired import Floats, comparison, comparisons_by_group
from .section import Section

#: Groups with fewer scored reviews, or fewer than MIN_CARDS cards or MIN_DAYS days, get no own parameters.
MINIMUM = 100


@dataclass(frozen=True)
class Split:
    """Own against shared parameters in one group, or in all of them, on the same reviews.

    Codes: "split" (own ones predict better), "either" (better, but by less than :attr:`Report.margin`),
    "keep_together" (worse, or the interval rules out that they are better by more than the margin), "cannot_tell", and
    "too_few" or "rare_outcome": own parameters were not tried, or there is no interval, for want of reviews, cards or
    days, or of reviews of the rarer outcome.
    """

    label: Optional[int]  #: Anki's id of the preset or deck, or the number of the search, from 1; None: all of them
    name: str  #: name in Anki, or its id; for a part the search, empty for the rest (label 0); empty for all
    reviews: int  #: scored reviews
    cards: int
    days: int
    shared_log_loss: float  #: with the shared parameters
    #: Own minus shared; None if own parameters were not tried. Its code takes account of how many groups there are.
    comparison: Optional[Comparison]
    code: str
    #: Whether a preset has parameters of its own in Anki now; None for others, and for all.
    own_now: Optional[bool] = None


@dataclass(frozen=True)
class Splitting:
    """All presets, all decks, or all parts. Cards that no longer exist are excluded."""

    by: str  #: "preset", "deck" (a card's home deck, without its subdecks) or "part" (what searches find, and the rest)
    algorithm: str  #: the algorithm trained
    in_use: int = 0  #: number of them with scored reviews
    groups: Tuple[Split, ...] = ()  #: sorted by number of reviews, largest first; empty if fewer than two are in use
    #: With own parameters for each group large enough, and the shared ones for the others.
    total: Optional[Split] = None
    error: Optional[Failure] = None  #: why nothing could be tried


def compute(_report: Report, evidence: Evidence, _names: Sequence[str], progress: Progress) -> Tuple[Splitting, ...]:
    """Compare by preset, by deck unless each preset has one deck only, and by the parts named by searches, if any."""
    kinds: Tuple[str, ...] = KINDS
    if evidence.snapshot is not None and evidence.snapshot.parts:
        kinds = (*KINDS, "part")
        evidence = replace(evidence, data=replace(evidence.data, cards=evidence.snapshot.cards))
    stages = len(kinds) + 1
    shared = evidence.fitted.get(FSRS_6.name)
    if shared is None:
        shared = fit_and_predict(FSRS_6, evidence.data, progress=progress.part(0, 1 / stages))
    result: List[Splitting] = []
    presets: List[ReviewGroup] = []
    for stage, by in enumerate(kinds, start=1):
        progress(stage / stages)
        try:
            parts = [part for part in review_groups(evidence, by) if part.exists]
        except DecksUnknown as error:
            result.append(Splitting(by, FSRS_6.name, error=Failure.of(error)))
            continue
        if by == "part" or not (presets and same_partition(presets, parts)):
            part_progress = progress.part(stage / stages, (stage + 1) / stages)
            result.append(_split(evidence, by, parts, shared, part_progress))
        presets = parts
    return tuple(result)


def _split(evidence: Evidence, by: str, parts: Sequence[ReviewGroup], shared: Fitted, progress: Progress) -> Splitting:
    tried = [part for part in parts if _is_large(part, evidence)] if len(parts) > 1 else []
    predicted = _own_predictions(evidence, by, tried, shared, progress)
    shared_loss, clusters = evidence.scoring.loss(shared.predicted), evidence.scoring.clusters
    difference, number = evidence.scoring.loss(predicted) - shared_loss, group_indices(tried, len(predicted))
    among = number >= 0
    compared = comparisons_by_group("own", "shared", difference[among], number[among], clusters.take(among))
    comparisons = {part.label: item for part, item in zip(tried, compared)}
    own_now = _own_now(evidence, parts) if by == "preset" else {}
    groups = tuple(
        replace(_describe(evidence, part, shared_loss, comparisons.get(part.label)), own_now=own_now.get(part.label))
        for part in (parts if len(parts) > 1 else ())
    )
    total = None
    if tried:
        review = np.sort(np.concatenate([part.review for part in parts]))
        compared_all = comparison("own", "shared", difference[review], clusters.take(review))
        total = replace(_describe(evidence, ReviewGroup(0, "", review), shared_loss, compared_all), label=None)
    return Splitting(by, FSRS_6.name, len(parts), groups, total)


def _own_predictions(
    evidence: Evidence, by: str, tried: Sequence[ReviewGroup], shared: Fitted, progress: Progress
) -> Floats:
    """Return each scored review's prediction with its own group's parameters, or the shared ones if not tried."""
    predicted = shared.predicted.copy()
    with_own = (item.name for item in ALGORITHMS if item.training is not None and item.training.by == by)
    fitted = evidence.fitted.get(next(with_own, ""))
    if fitted is not None:
        for part in tried:
            predicted[part.review] = fitted.predicted[part.review]
        return predicted
    by_label = {part.label: part.review for part in tried}
    done, reviews = 0, sum(map(len, by_label.values()))
    for label, _, data in evidence.data.partitions(by):
        if label in by_label:
            review = by_label[label]
            part_progress = progress.part(done / reviews, (done + len(review)) / reviews)
            predicted[review] = train(FSRS_6, data, shared.parameters, part_progress)[2]
            done += len(review)
    return predicted


def _describe(evidence: Evidence, part: ReviewGroup, shared_loss: Floats, compared: Optional[Comparison]) -> Split:
    clusters, review = evidence.scoring.clusters, part.review
    cards, days = (len(np.unique(column[review])) for column in (clusters.card, clusters.day))
    loss = float(shared_loss[review].mean())
    return Split(part.label, part.name, len(review), cards, days, loss, compared, advise(compared))


def advise(compared: Optional[Comparison]) -> str:
    """Return what a comparison of own with shared parameters advises, see :class:`Split`."""
    if compared is None:
        return TOO_FEW
    if compared.difference.low is None:
        return compared.code
    # Shared ones are simpler, so it is enough that little can be gained.
    if compared.code == WORSE or compared.difference.low >= -MARGIN:
        return "keep_together"
    if compared.code == BETTER:
        return "split" if compared.difference.value <= -MARGIN else "either"
    return CANNOT_TELL


def _is_large(part: ReviewGroup, evidence: Evidence) -> bool:
    clusters, review = evidence.scoring.clusters, part.review
    cards, days = (len(np.unique(column[review])) for column in (clusters.card, clusters.day))
    return len(review) >= MINIMUM and cards >= MIN_CARDS and days >= MIN_DAYS


def _own_now(evidence: Evidence, parts: Sequence[ReviewGroup]) -> Dict[int, bool]:
    """Return whether each preset in use has parameters in Anki that no other has."""
    in_use = {part.label for part in parts}
    stored = {preset.preset_id: preset.parameters for preset in evidence.data.presets if preset.preset_id in in_use}
    times = Counter(stored.values())
    return {label: bool(parameters) and times[parameters] == 1 for label, parameters in stored.items()}


SECTION = Section("splitting", Tuple[Splitting, ...], compute, slow=True, whole_day_only=True)

"""The subjects of the findings: the whole that is evaluated, its presets, and its decks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterator, Optional, Tuple

import numpy as np

from ..algorithms.your_parameters import preset_names
from ..data.dataset import Dataset
from ..data.revlog import Bools, Preset
from ..report import DECK, PRESET, WHOLE, Finding
from ..scoring.evidence import Evidence
from .thresholds import MIN_OF_DECK, MIN_OF_PRESET

#: What Anki puts between the name of a deck and that of its subdeck.
_SUBDECK = "::"


@dataclass(frozen=True, eq=False)
class Subject:
    """A set of reviews, trained on or scored, with the presets in use among them."""

    kind: str  #: "whole", "preset" or "deck"
    name: str  #: name in Anki, empty for the whole
    label: Optional[int]  #: Anki's id of the preset or deck
    is_member: Bools  #: (N,) which reviews of the table belong to it
    presets: Tuple[Preset, ...]  #: the presets of these reviews, the most used first


def subjects_of(evidence: Evidence) -> Iterator[Subject]:
    """Yield the whole, then each preset with enough scored reviews, followed by its decks.

    With one preset, the whole is that preset.
    """
    data = evidence.data
    in_use = evidence.in_use
    yield Subject(WHOLE, "", None, np.ones(len(data.reviews), dtype=bool), in_use.presets)
    names = preset_names(data.presets)
    for preset in in_use.presets:
        is_member = (in_use.predicting_preset_ids == preset.preset_id) & ~in_use.is_deleted
        if len(in_use.presets) > 1:
            if _count_scored(data, is_member) < MIN_OF_PRESET:
                continue
            yield Subject(PRESET, names[preset.preset_id], preset.preset_id, is_member, (preset,))
        yield from _decks(data, preset, is_member)


def _decks(data: Dataset, preset: Preset, is_of_preset: Bools) -> Iterator[Subject]:
    """Yield the top-level decks of a preset if it has several, with their subdecks that have this preset."""
    ids = {deck.name: deck.deck_id for deck in data.decks}
    deck_id = data.label("deck")
    by_name: Dict[str, Bools] = {}
    for deck in data.decks:
        is_member = is_of_preset & (deck_id == deck.deck_id)
        if is_member.any():
            top_name = deck.name.split(_SUBDECK)[0]
            by_name[top_name] = by_name.get(top_name, False) | is_member
    for name, is_member in sorted(by_name.items()):
        if len(by_name) > 1 and name in ids and _count_scored(data, is_member) >= MIN_OF_DECK:
            yield Subject(DECK, name, ids[name], is_member, (preset,))


def _count_scored(data: Dataset, is_member: Bools) -> int:
    """Return the number of scored ones among these reviews (N,)."""
    return int(np.count_nonzero(is_member[data.folds[0].test_start :]))


def testable_reviews(evidence: Evidence) -> Bools:
    """Return which reviews of the evidence (n,) can test the parameters of the presets in use."""
    is_testable: Bools = evidence.in_use.testable_reviews(evidence.in_use.presets)[evidence.taken]
    return is_testable


def evidence_on(evidence: Evidence, finding: Optional[Finding]) -> Evidence:
    """Return the evidence on the reviews of a finding's subject. That of the whole stays as it is."""
    if finding is None or finding.kind == WHOLE:
        return evidence
    return evidence.take(reviews_of(evidence, finding))


def reviews_of(evidence: Evidence, finding: Finding) -> Bools:
    """Return which reviews of the table (N,) belong to the subject of a finding.

    Raises:
        KeyError: if there is no such subject.
    """
    key = (finding.kind, finding.label, finding.preset_id)
    for subject in subjects_of(evidence):
        preset_id = subject.presets[0].preset_id if len(subject.presets) == 1 else None
        if (subject.kind, subject.label, preset_id) == key:
            return subject.is_member
    raise KeyError(key)

"""The subjects of the findings: the whole that is evaluated, its presets, and its decks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Dict, Iterator, Optional, Sequence, Tuple

import numpy as np

from ..algorithms.your_parameters import is_published, preset_names, presets_by_label
from ..data.dataset import Dataset
from ..data.revlog import DELETED_CARD, Bools, Ints, Preset
from ..derivatives import Floats
from ..errors import DecksUnknown, NoParameters
from ..report import DECK, DEFAULT_RETENTION, PRESET, WHOLE, Finding
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


class PresetsInUse:
    """The presets of the scored reviews, and the preset of each review.

    Cards that no longer exist have the only preset in use. If there are several, they have none, but their reviews are
    predicted with the parameters of the most used one.
    """

    def __init__(self, data: Dataset) -> None:
        """Find the presets in use. There are none if the source does not say which preset a card has."""
        self._data = data
        self._start = data.folds[0].test_start
        n_reviews = len(data.reviews)
        #: (N,) which reviews are of cards that no longer exist, and have no preset.
        self.is_deleted: Bools = np.zeros(n_reviews, dtype=bool)
        #: (N,) the id of the preset whose parameters predict each review.
        self.parameters_of: Ints = np.full(n_reviews, DELETED_CARD)
        #: The presets with scored reviews, the most used first.
        self.presets: Tuple[Preset, ...] = ()
        try:
            label = data.label("preset")
            by_label = presets_by_label(data)
        except (DecksUnknown, NoParameters):
            return
        self.is_deleted = data.label_with_deleted() == DELETED_CARD
        for value, preset in by_label.items():
            self.parameters_of[label == value] = preset.preset_id
        has_preset = ~self.is_deleted[self._start :]
        counts = Counter(self.parameters_of[self._start :][has_preset].tolist())
        by_id = {preset.preset_id: preset for preset in data.presets}
        self.presets = tuple(by_id[preset_id] for preset_id, _count in counts.most_common())

    @property
    def all_deleted(self) -> bool:
        """Whether no scored card exists any more, so that its preset is not known."""
        return not self.presets and bool(self.is_deleted[self._start :].all())

    def testable(self, presets: Sequence[Preset]) -> Bools:
        """Return which scored reviews (n,) can test the parameters of these presets.

        The published parameters were fitted to none of them. Other parameters can only be tested on reviews made since
        the preset was last changed, or on none if that is not known.
        """
        preset_id = self.parameters_of[self._start :]
        review_id = self._data.reviews.review_id[self._start :]
        result: Bools = np.zeros(len(review_id), dtype=bool)
        for preset in presets:
            if is_published(preset):
                result |= preset_id == preset.preset_id
            elif preset.changed is not None:
                result |= (preset_id == preset.preset_id) & (review_id > preset.changed * 1000)
        return result

    def desired_retentions(self) -> Floats:
        """Return the desired retention of each scored review (n,), which is the deck's own or that of its preset."""
        preset_id = self.parameters_of[self._start :]
        retentions = np.full(len(preset_id), DEFAULT_RETENTION)
        groups = [(preset_id == preset.preset_id, preset.desired_retention) for preset in self._data.presets]
        if self.presets and self._data.decks:
            deck_id = self._data.label("deck")[self._start :]
            decks = (deck for deck in self._data.decks if deck.desired_retention is not None)
            groups += [(deck_id == deck.deck_id, deck.desired_retention) for deck in decks]
        for is_member, value in groups:
            if value is not None and 0 < value < 1:
                retentions[is_member] = value
        return retentions

    def subjects(self) -> Iterator[Subject]:
        """Yield the whole, then each preset with enough scored reviews, followed by its decks.

        With one preset, the whole is that preset.
        """
        yield Subject(WHOLE, "", None, np.ones(len(self._data.reviews), dtype=bool), self.presets)
        names = preset_names(self._data.presets)
        for preset in self.presets:
            is_member = (self.parameters_of == preset.preset_id) & ~self.is_deleted
            if len(self.presets) > 1:
                if self._count(is_member) < MIN_OF_PRESET:
                    continue
                yield Subject(PRESET, names[preset.preset_id], preset.preset_id, is_member, (preset,))
            yield from self._decks(preset, is_member)

    def _decks(self, preset: Preset, is_of_preset: Bools) -> Iterator[Subject]:
        """Yield the top-level decks of a preset if it has several, with their subdecks that have this preset."""
        ids = {deck.name: deck.deck_id for deck in self._data.decks}
        deck_id = self._data.label("deck")
        by_name: Dict[str, Bools] = {}
        for deck in self._data.decks:
            is_member = is_of_preset & (deck_id == deck.deck_id)
            if is_member.any():
                top_name = deck.name.split(_SUBDECK)[0]
                by_name[top_name] = by_name.get(top_name, False) | is_member
        for name, is_member in sorted(by_name.items()):
            if len(by_name) > 1 and name in ids and self._count(is_member) >= MIN_OF_DECK:
                yield Subject(DECK, name, ids[name], is_member, (preset,))

    def _count(self, is_member: Bools) -> int:
        """Return the number of scored ones among these reviews (N,)."""
        return int(np.count_nonzero(is_member[self._start :]))


def testable_reviews(evidence: Evidence) -> Bools:
    """Return which reviews of the evidence (n,) can test the parameters of the presets in use."""
    presets = PresetsInUse(evidence.data)
    testable = presets.testable(presets.presets)
    return testable if evidence.taken is None else testable[evidence.taken]


def evidence_on(evidence: Evidence, finding: Optional[Finding]) -> Evidence:
    """Return the evidence on the reviews of a finding's subject. That of the whole stays as it is."""
    if finding is None or finding.kind == WHOLE:
        return evidence
    return evidence.take(reviews_of(evidence.data, finding))


def reviews_of(data: Dataset, finding: Finding) -> Bools:
    """Return which reviews of the table (N,) belong to the subject of a finding.

    Raises:
        KeyError: if there is no such subject.
    """
    key = (finding.kind, finding.label, finding.preset_id)
    for subject in PresetsInUse(data).subjects():
        preset_id = subject.presets[0].preset_id if len(subject.presets) == 1 else None
        if (subject.kind, subject.label, preset_id) == key:
            return subject.is_member
    raise KeyError(key)

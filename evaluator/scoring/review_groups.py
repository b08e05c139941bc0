"""The presets, decks or parts of the scored reviews, with their names."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, List, Sequence, Tuple

import numpy as np

from ..data.revlog import DELETED_CARD, Ints, Preset
from ..errors import DecksUnknown

if TYPE_CHECKING:
    from .evidence import Evidence

#: What reviews are grouped by; a deck is a card's home deck, without its subdecks.
KINDS = ("preset", "deck")


@dataclass(frozen=True)
class ReviewGroup:
    """The scored reviews of one preset, deck or part."""

    label: int  #: Anki's number of it, or DELETED_CARD; of a part its place among the searches, from 1, or 0: the rest
    name: str  #: empty for the rest
    review: Ints  #: which of the scored reviews, in review order

    @property
    def exists(self) -> bool:
        """False if its cards no longer exist, so that their deck is unknown."""
        return self.label != DELETED_CARD


def review_groups(evidence: Evidence, by: str) -> List[ReviewGroup]:
    """Return the presets, decks or parts with scored reviews, the largest first, deleted cards last.

    Raises:
        DecksUnknown: the source does not say which deck or preset a card belongs to.
    """
    label = evidence.data.label(by)[-len(evidence.tested) :]  # all reviews but those that are only trained on
    order = np.argsort(label, kind="stable")
    labels, start = np.unique(label[order], return_index=True)
    names = _names(evidence, by)
    result = [
        ReviewGroup(int(value), "" if value == DELETED_CARD else names.get(int(value), str(value)), review)
        for value, review in zip(labels, np.split(order, start[1:]))
    ]
    return sorted(result, key=lambda group: (not group.exists, -len(group.review), group.label))


def presets_in_use(evidence: Evidence) -> List[Tuple[ReviewGroup, Preset]]:
    """Return each preset with its scored reviews, or none if it is not known which preset a card has."""
    presets = {preset.preset_id: preset for preset in evidence.data.presets}
    try:
        return [(group, presets[group.label]) for group in review_groups(evidence, "preset") if group.label in presets]
    except DecksUnknown:
        return []


def group_indices(groups: Sequence[ReviewGroup], reviews: int) -> Ints:
    """Return for each scored review the index of its group, or -1 if it is in none."""
    number = np.full(reviews, -1, dtype=np.int64)
    for index, group in enumerate(groups):
        number[group.review] = index
    return number


def same_partition(groups: Sequence[ReviewGroup], others: Sequence[ReviewGroup]) -> bool:
    """Return whether two groupings hold the same reviews, under other numbers and names."""
    return {part.review.tobytes() for part in groups} == {part.review.tobytes() for part in others}


def count_distinct(label: Ints) -> int:
    """Return how many different labels there are."""
    return len(np.unique(label))


def _names(evidence: Evidence, by: str) -> Dict[int, str]:
    """Return their names by number. Presets of the same name get their numbers added."""
    data = evidence.data
    if by == "part":
        return dict(enumerate(("", *(evidence.snapshot.parts if evidence.snapshot else ()))))
    if by == "deck":
        return {deck.deck_id: deck.name for deck in data.decks}
    twins = Counter(preset.name for preset in data.presets)
    return {
        preset.preset_id: preset.name if twins[preset.name] == 1 else f"{preset.name} ({preset.preset_id})"
        for preset in data.presets
    }

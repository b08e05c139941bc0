"""The scored reviews of each preset, deck or part of the collection."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, List, Sequence

import numpy as np

from ..data.revlog import DELETED_CARD, Ints, Preset

if TYPE_CHECKING:
    from .evidence import Evidence

#: Kinds of review groups. A deck is a card's home deck, without its subdecks.
KINDS = ("preset", "deck")


@dataclass(frozen=True)
class ReviewGroup:
    """The scored reviews of one preset, deck or part."""

    #: Anki's id of the preset or deck, or DELETED_CARD. For a part, the number of its search from 1, or 0 if no search
    #: found its cards.
    label: int
    name: str  #: empty for the part that no search found
    review: Ints  #: indices of its reviews among the scored ones

    @property
    def exists(self) -> bool:
        """Whether its cards still exist, so that their deck is known."""
        return self.label != DELETED_CARD


def review_groups(evidence: Evidence, by: str) -> List[ReviewGroup]:
    """Return the presets, decks or parts with scored reviews, the largest first, deleted cards last.

    Raises:
        DecksUnknown: if the source does not say which deck or preset a card belongs to.
    """
    label = evidence.data.label(by)[-len(evidence.tested) :]
    order = np.argsort(label, kind="stable")
    labels, start = np.unique(label[order], return_index=True)
    names = _names_by_label(evidence, by)
    result = [
        ReviewGroup(int(value), "" if value == DELETED_CARD else names.get(int(value), str(value)), review)
        for value, review in zip(labels, np.split(order, start[1:]))
    ]
    return sorted(result, key=lambda group: (not group.exists, -len(group.review), group.label))


def group_indices(groups: Sequence[ReviewGroup], reviews: int) -> Ints:
    """Return for each scored review the index of its group, or -1 if it is in none."""
    group_index = np.full(reviews, -1, dtype=np.int64)
    for index, group in enumerate(groups):
        group_index[group.review] = index
    return group_index


def same_partition(groups: Sequence[ReviewGroup], other_groups: Sequence[ReviewGroup]) -> bool:
    """Return whether two groupings hold the same reviews, under other numbers and names."""
    return {group.review.tobytes() for group in groups} == {group.review.tobytes() for group in other_groups}


def _names_by_label(evidence: Evidence, by: str) -> Dict[int, str]:
    """Return the names of the presets, decks or parts."""
    data = evidence.data
    if by == "part":
        return dict(enumerate(("", *(evidence.snapshot.parts if evidence.snapshot else ()))))
    if by == "deck":
        return {deck.deck_id: deck.name for deck in data.decks}
    return preset_names(data.presets)


def preset_names(presets: Sequence[Preset]) -> Dict[int, str]:
    """Return the names of the presets by id. Presets of the same name get their ids added."""
    count = Counter(preset.name for preset in presets)
    return {
        preset.preset_id: preset.name if count[preset.name] == 1 else f"{preset.name} ({preset.preset_id})"
        for preset in presets
    }

"""Restricting a snapshot to a deck, a preset or the cards of a search."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from difflib import get_close_matches
from typing import Dict, Iterable, List, Optional, Sequence, Tuple

import numpy as np

from ..errors import DecksUnknown, PartEmpty, PartFollowsAnswers, PartsOverlap, SearchImpossible, UnknownName
from ..scope import ScopeChoice
from .revlog import Ints, Selection, Snapshot

#: Separator of nested decks in Anki.
SEPARATOR = "::"

_MAX_SUGGESTIONS = 3


def select(snapshot: Snapshot, choice: ScopeChoice, card_ids: Optional[Iterable[int]] = None) -> Snapshot:
    """Return the snapshot restricted to some of its cards.

    The review log stays whole, because the row accounting counts every row.

    Args:
        snapshot: the whole collection.
        choice: the requested part. Names of decks and presets may be typed in lower or upper case.
        card_ids: ids of the selected cards, for the kinds "search" and "cards".

    Raises:
        DecksUnknown: if the source does not say which deck or preset a card belongs to.
        UnknownName: if there is no such deck or preset.
    """
    if choice.kind == "collection":
        return snapshot
    if choice.kind == "deck":
        choice, cards = _cards_of_deck(snapshot, choice.name)
    elif choice.kind == "preset":
        choice, cards = _cards_of_preset(snapshot, choice.name)
    else:
        cards = np.array(list(card_ids or ()), dtype=np.int64)
    return replace(snapshot, selection=Selection(choice, cards))


#: Search terms of Anki's browser that depend on answers.
_ANSWER_TERMS = re.compile(r"\b(prop|is|rated|resched):|tag:leech\b", re.IGNORECASE)


def with_parts(snapshot: Snapshot, parts: Sequence[Tuple[str, Sequence[int]]]) -> Snapshot:
    """Return the snapshot with its cards divided into parts.

    Args:
        snapshot: the collection.
        parts: for each part its search, and the ids of the cards that it finds.

    Raises:
        SearchImpossible: if the source has no cards.
        PartEmpty: if a search finds no card.
        PartsOverlap: if two searches find the same card.
        PartFollowsAnswers: if a search depends on answers.
    """
    if snapshot.cards is None:
        raise SearchImpossible
    card_id = snapshot.cards.card_id
    searches = tuple(search for search, _ in parts)
    part = np.zeros(len(card_id), dtype=np.int64)
    for number, (search, cards) in enumerate(parts, start=1):
        if _ANSWER_TERMS.search(search):
            raise PartFollowsAnswers(search=search)
        matches = np.isin(card_id, np.array(cards, dtype=np.int64))
        if not matches.any():
            raise PartEmpty(search=search)
        if part[matches].any():
            earlier = int(part[matches].max())
            raise PartsOverlap(one=searches[earlier - 1], other=search, cards=int((part[matches] == earlier).sum()))
        part[matches] = number
    return replace(snapshot, cards=replace(snapshot.cards, part=part), parts=searches)


def _cards_of_deck(snapshot: Snapshot, name: str) -> Tuple[ScopeChoice, Ints]:
    """Return the choice as the collection spells it, and the ids of the cards in the deck and its subdecks.

    If the source does not name its decks, ``name`` is the id of a deck, and no subdecks are known.
    """
    cards = snapshot.cards
    if cards is None:
        raise DecksUnknown(what="deck")
    if snapshot.decks is None:
        known_ids = [str(deck_id) for deck_id in np.unique(cards.deck_id)]
        deck_id = _find_by_name(name, known_ids, "deck")
        return ScopeChoice("deck_id", deck_id), cards.card_id[cards.deck_id == int(deck_id)]
    deck_name = _find_by_name(name, [deck.name for deck in snapshot.decks], "deck")
    deck_ids = [deck.deck_id for deck in snapshot.decks if f"{deck.name}{SEPARATOR}".startswith(deck_name + SEPARATOR)]
    return ScopeChoice("deck", deck_name), cards.card_id[np.isin(cards.deck_id, deck_ids)]


def _cards_of_preset(snapshot: Snapshot, name: str) -> Tuple[ScopeChoice, Ints]:
    """Return the choice as the collection spells it, and the ids of the cards with a preset of that name."""
    cards = snapshot.cards
    if cards is None or cards.preset_id is None or snapshot.presets is None:
        raise DecksUnknown(what="preset")
    preset_name = _find_by_name(name, [preset.name for preset in snapshot.presets], "preset")
    # Anki allows several presets of the same name.
    preset_ids = [preset.preset_id for preset in snapshot.presets if preset.name == preset_name]
    return ScopeChoice("preset", preset_name), cards.card_id[np.isin(cards.preset_id, preset_ids)]


def _find_by_name(name: str, names: Sequence[str], what: str) -> str:
    """Return the name as the collection spells it.

    Raises:
        UnknownName: if no name is equal apart from case, composed characters and outer blanks.
    """
    if name in names:
        return name
    # Reversed, so that the first of several similar names is found.
    by_folded: Dict[str, str] = {_fold(item): item for item in reversed(names)}
    folded_name = _fold(name)
    if folded_name in by_folded:
        return by_folded[folded_name]
    raise UnknownName(what=what, name=name, suggestions=_suggest(folded_name, by_folded), known=sorted(names))


def _fold(name: str) -> str:
    """Return a name without the differences that users do not see or type: case, composed characters, outer blanks."""
    return unicodedata.normalize("NFC", name).strip().casefold()


def _suggest(folded_name: str, by_folded: Dict[str, str]) -> List[str]:
    """Return similar names, first those of subdecks with that last part, such as ``A::B`` for ``B``."""
    similar = [folded for folded in by_folded if folded_name and folded.split(SEPARATOR)[-1] == folded_name]
    similar += get_close_matches(folded_name, by_folded, _MAX_SUGGESTIONS)
    by_last_part = {folded.split(SEPARATOR)[-1]: folded for folded in by_folded}
    similar += [by_last_part[part] for part in get_close_matches(folded_name, by_last_part, _MAX_SUGGESTIONS)]
    return [by_folded[folded] for folded in dict.fromkeys(similar)][:_MAX_SUGGESTIONS]

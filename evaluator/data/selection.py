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
    """Return the snapshot with a choice of its cards; its review log stays whole, so that every row is accounted for.

    Args:
        snapshot: of the whole collection.
        choice: the requested part. Names of decks and presets may be typed in lower or upper case.
        card_ids: the cards themselves, for the kinds "search" and "cards".

    Raises:
        DecksUnknown: the source does not say which deck or preset a card belongs to.
        UnknownName: there is no such deck or preset.
    """
    if choice.kind == "collection":
        return snapshot
    if choice.kind == "deck":
        choice, cards = _of_deck(snapshot, choice.name)
    elif choice.kind == "preset":
        choice, cards = _of_preset(snapshot, choice.name)
    else:
        cards = np.array(list(card_ids or ()), dtype=np.int64)
    return replace(snapshot, selection=Selection(choice, cards))


#: Search terms of Anki's browser that depend on answers.
_OF_ANSWERS = re.compile(r"\b(prop|is|rated|resched):|tag:leech\b", re.IGNORECASE)


def with_parts(snapshot: Snapshot, parts: Sequence[Tuple[str, Sequence[int]]]) -> Snapshot:
    """Return the snapshot with its cards divided into parts: for each a search, and the cards that it finds.

    Raises:
        SearchImpossible: the source has no cards.
        PartEmpty, PartsOverlap: a search finds no card, or a card of another search.
        PartFollowsAnswers: a search depends on the answers to predict.
    """
    if snapshot.cards is None:
        raise SearchImpossible
    card_id, searches = snapshot.cards.card_id, tuple(search for search, _ in parts)
    part = np.zeros(len(card_id), dtype=np.int64)
    for number, (search, cards) in enumerate(parts, start=1):
        if _OF_ANSWERS.search(search):
            raise PartFollowsAnswers(search=search)
        its = np.isin(card_id, np.array(cards, dtype=np.int64))
        if not its.any():
            raise PartEmpty(search=search)
        if part[its].any():
            other = int(part[its].max())
            raise PartsOverlap(one=searches[other - 1], other=search, cards=int((part[its] == other).sum()))
        part[its] = number
    return replace(snapshot, cards=replace(snapshot.cards, part=part), parts=searches)


def _of_deck(snapshot: Snapshot, name: str) -> Tuple[ScopeChoice, Ints]:
    cards = snapshot.cards
    if cards is None:
        raise DecksUnknown(what="deck")
    if snapshot.decks is None:
        numbers = [str(number) for number in np.unique(cards.deck_id)]
        number = _spelled(name, numbers, "deck")
        return ScopeChoice("deck_id", number), cards.card_id[cards.deck_id == int(number)]
    result = _spelled(name, [deck.name for deck in snapshot.decks], "deck")
    belongs = [deck.deck_id for deck in snapshot.decks if f"{deck.name}{SEPARATOR}".startswith(result + SEPARATOR)]
    return ScopeChoice("deck", result), cards.card_id[np.isin(cards.deck_id, belongs)]


def _of_preset(snapshot: Snapshot, name: str) -> Tuple[ScopeChoice, Ints]:
    cards = snapshot.cards
    if cards is None or cards.preset_id is None or snapshot.presets is None:
        raise DecksUnknown(what="preset")
    result = _spelled(name, [preset.name for preset in snapshot.presets], "preset")
    presets = [preset.preset_id for preset in snapshot.presets if preset.name == result]  # Anki allows twins
    return ScopeChoice("preset", result), cards.card_id[np.isin(cards.preset_id, presets)]


def _spelled(name: str, known: Sequence[str], what: str) -> str:
    """Return the name as the collection spells it. Raises UnknownName."""
    if name in known:
        return name
    by_folded: Dict[str, str] = {_folded(item): item for item in reversed(known)}
    typed = _folded(name)
    if typed in by_folded:
        return by_folded[typed]
    raise UnknownName(what=what, name=name, suggestions=_near(typed, by_folded), known=sorted(known))


def _folded(name: str) -> str:
    """Return a name without what people may type differently: case, composed letters, blanks at its ends."""
    return unicodedata.normalize("NFC", name).strip().casefold()


def _near(typed: str, by_folded: Dict[str, str]) -> List[str]:
    """Return similar names: first those with the same ending, as ``A::B`` and ``B``, then those spelled alike."""
    alike = [folded for folded in by_folded if typed and folded.split(SEPARATOR)[-1] == typed]
    alike += get_close_matches(typed, by_folded, _MAX_SUGGESTIONS)
    last = {folded.split(SEPARATOR)[-1]: folded for folded in by_folded}
    alike += [last[end] for end in get_close_matches(typed, last, _MAX_SUGGESTIONS)]
    return [by_folded[folded] for folded in dict.fromkeys(alike)][:_MAX_SUGGESTIONS]

"""Anki's Deck Options, opened on the deck that an advice is about."""

from __future__ import annotations

from typing import Optional

import aqt
from anki.decks import DeckId
from aqt.deckoptions import display_options_for_deck_id


def open_deck_options(preset_id: Optional[int]) -> None:
    """Open the options of a deck that uses the preset, or of the current deck.

    The current deck is preferred, if it uses the preset. A filtered deck has none, so another deck stands in for it.
    """
    decks = aqt.mw.col.decks
    usual = [DeckId(deck.id) for deck in decks.all_names_and_ids(include_filtered=False)]
    usual.sort(key=lambda deck: deck != decks.get_current_id())
    using = [deck for deck in usual if decks.config_dict_for_deck_id(deck)["id"] == preset_id]
    display_options_for_deck_id((using or usual)[0])

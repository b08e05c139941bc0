from __future__ import annotations

from dataclasses import replace
from typing import List, Optional

import numpy as np
import pytest
from made_logs import CLOCK, card, log_of
from sentence_matching import contains_sentence

from evaluator.data.revlog import Cards, Deck, Preset, Snapshot
from evaluator.data.selection import select
from evaluator.errors import DecksUnknown, UnknownName
from evaluator.scope import WHOLE_COLLECTION, ScopeChoice
from ui.text.error_sentences import error_sentence

DECKS = (
    Deck(1, "Default"),
    Deck(2, "Languages"),
    Deck(3, "Languages::Español"),
    Deck(4, "Languages::Español::Verbs"),
    Deck(5, "Languages old"),
)
PRESETS = (Preset(10, "Usual", ()), Preset(20, "Hard ones", ()), Preset(30, "Hard ones", ()))


def snapshot() -> Snapshot:
    """Return a snapshot of five cards.

    Card n is in deck n. Preset 10 has cards 1 and 5, preset 20 has cards 2 and 3, and preset 30 has card 4.
    """
    ids = np.arange(1, 6)
    cards = Cards(ids, ids.copy(), np.array([10, 20, 20, 30, 10]))
    return Snapshot(log_of(card(1, 3, (1, 3))), CLOCK, cards, PRESETS, DECKS)


def selected_cards(kind: str, name: str, search_result: Optional[List[int]] = None) -> List[int]:
    selection = select(snapshot(), ScopeChoice(kind, name), search_result).selection
    return selection.card_id.tolist()


def test_deck_includes_its_subdecks():
    assert selected_cards("deck", "Languages") == [2, 3, 4]
    assert selected_cards("deck", "Languages::Español") == [3, 4]
    assert selected_cards("deck", "Default") == [1]


def test_preset_includes_the_cards_of_all_its_decks():
    assert selected_cards("preset", "Usual") == [1, 5]
    assert selected_cards("preset", "Hard ones") == [2, 3, 4]


def test_search_selects_the_cards_of_its_result():
    assert selected_cards("search", "is:due", [5, 1]) == [5, 1]
    assert selected_cards("cards", "Leeches", []) == []


def test_whole_collection_is_no_selection():
    assert select(snapshot(), WHOLE_COLLECTION).selection is None


@pytest.mark.parametrize("typed", ["languages::español", " Languages::Español ", "Languages::Espan\u0303ol"])
def test_deck_name_matches_in_any_spelling(typed):
    selection = select(snapshot(), ScopeChoice("deck", typed)).selection
    assert selection.choice == ScopeChoice("deck", "Languages::Español")


@pytest.mark.parametrize(
    ("stored", "typed"),
    [("Foo ", "Foo "), (" Foo", "foo"), ("Cafe\u0301", "Cafe\u0301"), ("Cafe\u0301", "Caf\u00e9"), ("FOO ", "FOO ")],
)
def test_names_with_outer_blanks_or_decomposed_characters_are_found(stored, typed):
    presets = (Preset(20, "Foo", ()), Preset(10, stored, ()))
    if stored == " Foo":
        # "foo" would also match the preset "Foo".
        presets = presets[1:]
    renamed = replace(snapshot(), presets=presets, decks=(Deck(3, stored),))
    for kind, cards in (("deck", [3]), ("preset", [1, 5])):
        selection = select(renamed, ScopeChoice(kind, typed)).selection
        assert (selection.choice, selection.card_id.tolist()) == (ScopeChoice(kind, stored), cards)


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("deck", "Verbs", "There is no deck 'Verbs'. Did you mean 'Languages::Español::Verbs'?"),
        ("deck", "Langages", "There is no deck 'Langages'. Did you mean 'Languages', 'Languages old' or"),
        ("deck", "Español::Verbs", "Did you mean 'Languages::Español::Verbs'"),
        ("preset", "Hard one", "There is no preset 'Hard one'. Did you mean 'Hard ones'?"),
        ("preset", "x", "There is no preset 'x'. Available: 'Hard ones', 'Hard ones', 'Usual'."),
        ("deck", "", "There is no deck ''. Available: 'Default', 'Languages', "),
    ],
)
def test_unknown_name_gets_suggestions(kind, name, expected):
    with pytest.raises(UnknownName) as caught:
        select(snapshot(), ScopeChoice(kind, name))
    assert contains_sentence(error_sentence(caught.value), expected)


def test_decks_without_names_are_selected_by_id():
    nameless = replace(snapshot(), decks=None, presets=None)
    selection = select(nameless, ScopeChoice("deck", "2")).selection
    assert selection.choice == ScopeChoice("deck_id", "2")
    assert selection.card_id.tolist() == [2]
    with pytest.raises(UnknownName, match="'name': '6'"):
        select(nameless, ScopeChoice("deck", "6"))
    with pytest.raises(DecksUnknown, match="preset"):
        select(nameless, ScopeChoice("preset", "Usual"))
    for kind in ("deck", "preset"):
        with pytest.raises(DecksUnknown, match=kind):
            select(replace(nameless, cards=None), ScopeChoice(kind, "2"))

from __future__ import annotations

import contextlib
import json
from unittest.mock import Mock

import numpy as np
import pytest
from anki.collection import Collection, SearchNode
from sentence_matching import contains_sentence

from evaluator.errors import BadSearch, DecksUnknown, PartsOverlap, SearchImpossible, UnknownName
from evaluator.scope import ScopeChoice
from tools import evaluate as command
from tools import sources


@pytest.fixture
def nested(collection):
    """Return a collection, the cards of its first deck, and the deck's preset.

    The deck is made a subdeck, and three of its cards are in a filtered deck.
    """
    col = Collection(str(collection))
    first = next(deck for deck in col.decks.all_names_and_ids() if deck.name != "Default")
    col.decks.rename(first.id, "Outer::Inner")
    cards = [int(card) for card in col.find_cards("deck:Outer")]
    filtered = col.decks.new_filtered("Cram")
    col.db.executemany(f"update cards set odid = did, did = {int(filtered)} where id = ?", [[c] for c in cards[:3]])
    col.close()
    return collection, cards, first.name


#: A search whose SQL is nested too deep for the database.
LONG_SEARCH = " or ".join(["cid:1"] * 1100)
TOO_DEEP = "has brackets nested 10,000 deep, but at most 200 are allowed. Shorten it."


def selected(path, kind: str, name: str, **options):
    return sources.read(path, scope=ScopeChoice(kind, name), **options).selection


def test_deck_and_preset_are_found_by_name_and_cards_by_home_deck(nested):
    path, cards, preset = nested
    for kind, typed in (("preset", preset), ("deck", "Outer"), ("deck", "outer::inner")):
        selection = selected(path, kind, typed)
        assert sorted(selection.card_id.tolist()) == sorted(cards)
    assert selection.choice.name == "Outer::Inner"
    with pytest.raises(UnknownName, match="'Outer::Inner'"):
        selected(path, "deck", "Inner")
    assert {deck.name for deck in sources.read(path).decks} >= {"Outer", "Outer::Inner", "Default"}


@pytest.mark.parametrize(("name", "typed"), [("Cram", " cram"), ('A_b *"c', 'A_b *"c')])
def test_filtered_deck_is_the_search_for_its_present_cards(name, typed, nested):
    path, cards, _ = nested
    col = Collection(str(path))
    col.decks.rename(col.decks.id_for_name("Cram"), name)
    stored = col.decks.name(col.db.scalar("select did from cards where id = ?", cards[0]))
    search = col.build_search_string(SearchNode(deck=stored))
    col.close()
    selection = selected(path, "deck", typed)
    assert selection.choice == ScopeChoice("search", search)
    assert sorted(selection.card_id.tolist()) == sorted(cards[:3])


@pytest.mark.parametrize("name", ["collection", "colpkg", "old_colpkg", "apkg", "old_apkg"])
def test_search_matches_the_browser(name, files, collection):
    search = "Front:*7 -is:new"
    with contextlib.closing(Collection(str(collection))) as col:
        expected = sorted(col.find_cards(search))
    selection = selected(getattr(files, name), "search", search)
    assert sorted(selection.card_id.tolist()) == expected != []
    assert selection.choice == ScopeChoice("search", search)


def test_search_is_nested_as_deep_as_allowed(files):
    # Brackets in quotes, escaped ones and those next to each other are not nested.
    search = "(" * 200 + r'"((" or \(\(' + ")" * 200 + " (a)" * 300
    assert selected(files.collection, "search", search).choice.name == search


def test_panic_while_searching_is_blamed_on_the_search(files, monkeypatch):
    panic = type("PanicException", (BaseException,), {})
    monkeypatch.setattr("anki.collection.Collection.find_cards", Mock(side_effect=panic("out of range")))
    with pytest.raises(BadSearch, match="out of range"):
        selected(files.collection, "search", "deck:a")


def test_csv_knows_decks_by_their_ids(files, simulation):
    deck_id = int(sources.read(files.csv, cards=files.cards).cards.deck_id[0])
    selection = selected(files.csv, "deck", str(deck_id), cards=files.cards)
    assert selection.choice == ScopeChoice("deck_id", str(deck_id))
    assert set(selection.card_id) == set(simulation.cards.card_id[simulation.cards.deck_id == deck_id])
    for kind, error in (("deck", DecksUnknown), ("preset", DecksUnknown), ("search", SearchImpossible)):
        with pytest.raises(error):
            selected(files.csv, kind, "1")
    with pytest.raises(DecksUnknown):
        selected(files.csv, "preset", "1", cards=files.cards)


def test_report_and_terminal_state_the_choices(nested, tmp_path, capsys):
    path, cards, _ = nested
    out = tmp_path / "r.json"
    options = ["--no-same-day", "--no-outlier-filter", "--algorithms", "AVG,SM-2", "--sections", "parameters"]
    assert command.main([str(path), "--deck", "outer", *options, "--json", str(out)]) == 0
    report = json.loads(out.read_text())
    scope = report["scope"]
    assert [scope[key] for key in ("kind", "name", "same_day", "outlier_filter")] == ["deck", "Outer", False, False]
    assert scope["cards"] <= len(cards)
    steps = {step["step"]: step["rows"] for step in report["funnel"]}
    assert steps["outside_scope"] > 0
    assert steps["same_day_left_out"] > 0
    assert steps["same_day"] == steps["outlier"] == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert contains_sentence(printed, "Deck Outer with subdecks. Tested:")
    assert contains_sentence(printed, "Same-day reviews were hidden from every algorithm. The outlier filter was off.")
    assert f"{steps['outside_scope']:,} rows of other cards" in printed


def test_parts_by_searches_have_a_table(files, tmp_path, capsys):
    out = tmp_path / "r.json"
    options = ["--split-by", "Front:*7", "--split-by", "Front:*8", "--algorithms", "FSRS-6", "--json", str(out)]
    assert command.main([str(files.collection), *options]) == 0
    printed = capsys.readouterr().out
    preset_start, part_start = (printed.index(f"Separate parameters for each {unit}?") for unit in ("preset", "part"))
    assert 0 < preset_start < part_start
    assert all(f"\n{name} " in printed for name in ("Front:*7", "Front:*8", "(the rest)", "All parts"))
    splitting = json.loads(out.read_text())["splitting"][-1]
    assert (splitting["by"], splitting["in_use"]) == ("part", 3)
    assert sum(part["reviews"] for part in splitting["groups"]) == splitting["total"]["reviews"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--search", "caf\udce9"], "finds no cards. Correct it, or leave it out."),
        (["--search", "\ud800"], "finds no cards. Correct it, or leave it out."),
        (
            ["--search", "rated:x"],
            """Anki cannot search for 'rated:x': expected a positive whole number in "rated:", but found "x".""",
        ),
        (["--search", LONG_SEARCH], "(Expression tree is too large (maximum depth 1000)). Shorten it"),
        (["--split-by", LONG_SEARCH], "(Expression tree is too large (maximum depth 1000)). Shorten it"),
        (["--search", "prop:d=nan"], "Anki's database refuses the search 'prop:d=nan' (no such column: NaN). Shorten"),
        (["--split-by=prop:d=nan"], "Anki's database refuses the search 'prop:d=nan' (no such column: NaN). Shorten"),
        (["--search", "("], "Anki cannot search for '(': an opening bracket ( was found, but there was no closing"),
        (["--search", "(" * 10_000], TOO_DEEP),
        (["--search=" + "-(" * 10_000 + "a" + ")" * 10_000], TOO_DEEP),
        (["--search", '(")" \\)' * 10_000], TOO_DEEP),
        (["--split-by", "(" * 10_000], TOO_DEEP),
        (["--deck", "Nowhere"], "There is no deck 'Nowhere'. "),
        (["--preset", "Nowhere"], "There is no preset 'Nowhere'. "),
        (["--search", "nid:1"], "The search 'nid:1' finds no cards. Correct it, or leave it out."),
        (["--deck", "Default"], "Deck Default with subdecks: there are no reviews yet (cards: 0)."),
        (["--split-by=(", "--split-by=Front:*1"], "Anki cannot search for '(': an opening bracket"),
        (["--split-by=Front:*1", "--split-by=Front:nothing"], "The search 'Front:nothing' finds no cards. Correct it"),
        (
            [f"--split-by={search}" for search in ("Front:*1", "Front:*2", "Front:*21 or Front:*22")],
            "The searches 'Front:*2' and 'Front:*21 or Front:*22'",
        ),
        (["--split-by=Front:*1", "--split-by=Front:*11"], "Add -(Front:*1) to the second."),
        (["--split-by=Front:*1", "--split-by=Front:*1"], "The search 'Front:*1' is given twice."),
        (["--split-by=prop:lapses>1"], "The search 'prop:lapses>1' depends on your answers"),
        (["--split-by=Front:*1 -(is:due or Rated:7)"], "depends on your answers"),
        (["--split-by=tag:leech"], "depends on your answers"),
    ],
)
def test_unusable_scope_is_reported_in_one_sentence(options, expected, files, capsys):
    assert command.main([str(files.collection), *options]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert contains_sentence(printed.err, expected)
    assert printed.err.count("\n") == 1


def test_parts_that_overlap_are_counted(files):
    with pytest.raises(PartsOverlap) as caught:
        sources.read(files.collection, parts=["Front:*1", "Front:*2", "Front:*12"])
    part = sources.read(files.collection, parts=["Front:*12"]).cards.part
    assert caught.value.facts["cards"] == np.count_nonzero(part)


def test_parts_need_a_collection(files):
    with pytest.raises(SearchImpossible):
        sources.read(files.csv, cards=files.cards, parts=["Front:*1"])


def test_second_scope_is_refused(files, capsys):
    with pytest.raises(SystemExit) as caught:
        command.main([str(files.collection), "--deck", "A", "--search", "B"])
    assert caught.value.code == 2
    assert "not allowed with argument --deck" in capsys.readouterr().err

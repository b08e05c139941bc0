"""Write small collections for the scenarios, with Anki's own API and simulated reviews."""

from __future__ import annotations

import csv
import gzip
import shutil
import subprocess
from pathlib import Path

from session import TOOLS_PYTHON, make_once

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"


def write_simulated(path: Path, log: str = "sim-a") -> None:
    """Write a collection with a simulated review log and three new cards."""
    shutil.copy(make_once(f"{log}.anki2", lambda draft: _make_simulated(draft, log)), path)


def write_short(path):
    """Write a collection with a short review log."""
    write_simulated(path, "sim-c")


def write_nested(path):
    """Write 60 days of a simulated learner with nested decks, a deck without reviews, and a filtered deck."""
    shutil.copy(make_once("nested.anki2", _make_nested), path)


def write_studied(path: Path, days: int = 120) -> None:
    """Write the cards, decks and reviews of a simulated learner who has studied for this many days."""
    shutil.copy(make_once(f"studied-{days}.anki2", lambda draft: _make_studied(draft, days)), path)


def write_several(path):
    """Write 120 days of a simulated learner with four presets: one of two decks, and one with few reviews."""
    shutil.copy(make_once("several.anki2", _make_several), path)


def _make_several(path):
    from anki.collection import Collection

    write_studied(path, 120)
    col = Collection(str(path))
    decks = {"Law": "Law", "Kanji I": "Kanji", "Kanji II": "Kanji", "<b>Music</b>": "<b>Music</b>", "Rare": "Rare"}
    presets = {name: col.decks.add_config(name) for name in dict.fromkeys(decks.values())}
    ids = [col.decks.add_normal_deck_with_name(name).id for name in decks]
    for deck, preset in zip(ids, decks.values()):
        col.decks.set_config_id_for_deck_dict(col.decks.get(deck), presets[preset]["id"])
    cards = col.db.list("select id from cards order by id")
    # Every 20th card is in the last deck.
    moved = [(ids[-1] if number % 20 == 0 else ids[number % 4], card) for number, card in enumerate(cards)]
    col.db.executemany("update cards set did = ? where id = ?", moved)
    col.set_config("fsrs", True)
    col.db.execute("update deck_config set mtime_secs = 1500000000")
    col.close()


def _make_simulated(path: Path, log: str) -> None:
    from anki.collection import Collection

    col = Collection(str(path))
    notetype = col.models.by_name("Basic")
    deck = col.decks.id("Default")
    for number in range(3):
        note = col.new_note(notetype)
        note["Front"], note["Back"] = f"front {number}", f"back {number}"
        col.add_note(note, deck)
    with gzip.open(DATA / log / "revlog.csv.gz", "rt", newline="") as file:
        rows = [[int(cell) for cell in row] for row in list(csv.reader(file))[1:]]
    insert = "insert into revlog values (?,?,-1,?,?,?,?,?,?)"
    # Without a transaction, each row waits for the disk.
    col.db.transact(lambda: col.db.executemany(insert, rows))
    col.close()


def _make_nested(path):
    from anki.collection import Collection

    write_studied(path, 60)
    col = Collection(str(path))
    first, second = [deck for deck in col.decks.all_names_and_ids() if deck.name != "Default"]
    col.decks.rename(first.id, "Languages::Spanish::Verbs")
    col.decks.rename(second.id, "Geography of the European continent, its rivers and its capitals")
    col.decks.id("Languages::French")
    filtered = col.decks.new_filtered("Cram")
    cards = list(col.find_cards('deck:"Languages::Spanish::Verbs"'))[:5]
    col.db.execute(f"update cards set odid = did, did = {filtered} where id in ({','.join(map(str, cards))})")
    col.close()


def _make_studied(path: Path, days: int) -> None:
    """Make the collection in another process, because the simulator needs the checkout on the path of imports.

    The add-on in this process must not need it.
    """
    program = (
        "import sys; from pathlib import Path; from tools.simulate import Learner, simulate, write_collection; "
        "write_collection(simulate(Learner(seed=3, days=int(sys.argv[2]))), Path(sys.argv[1]))"
    )
    command = [TOOLS_PYTHON, "-c", program, str(path), str(days)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)

"""Small collections for the scenarios, made through Anki's own API from the simulated logs."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data"


def write_simulated(path: Path, log: str = "sim-a") -> None:
    """A simulated review log, and three new cards to study."""
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
    col.db.executemany("insert into revlog values (?,?,-1,?,?,?,?,?,?)", rows)
    col.close()


def write_empty(path: Path) -> None:
    """A collection without a review."""
    from anki.collection import Collection

    Collection(str(path)).close()

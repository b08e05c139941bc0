"""Ask Anki's backend for the next intervals of cards, in a process of its own, in which Anki does not fuzz.

Arguments of the program: a file with the cases that :func:`backend_days` takes, as JSON, and one to write the days to.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import numpy.typing as npt

#: Days that the collection is old: a card that is due on its first day has none to Anki, in a filtered deck.
AGE = 40_000
SECONDS_PER_DAY = 86_400

COLUMNS = ("ivl", "factor", "type", "queue", "left", "due", "did", "odid", "odue", "data")

LEARNING, REVIEW, RELEARNING = 1, 2, 3


def backend_days(cases: List[Dict[str, Any]], folder: Path) -> List[npt.NDArray[np.int64]]:
    """The days after Again, Hard, Good and Easy, (4, cards) for each case.

    A case has ``fsrs`` (whether it is switched on), ``preset`` (what differs from Anki's defaults, by dotted key) and
    ``cards``, a list for each column: ``interval`` and ``elapsed`` (days); for SM-2 ``ease`` (permille), ``filtered``
    (whether in a filtered deck); for FSRS ``stability`` and ``difficulty``; ``kind`` (else 2) is the card's type.
    """
    requested, answered = folder / "asked.json", folder / "answered.json"
    requested.write_text(json.dumps(cases))
    environment = {**os.environ, "ANKI_TEST_MODE": "1"}
    subprocess.run([sys.executable, __file__, str(requested), str(answered)], env=environment, check=True)
    return [np.array(days) for days in json.loads(answered.read_text())]


def _main(requested: Path, answered: Path) -> None:
    from anki.collection import AddNoteRequest, Collection

    cases = json.loads(requested.read_text())
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "collection.anki2")
        col = Collection(path)
        col.db.execute("update col set crt = crt - ?", AGE * SECONDS_PER_DAY)
        col.close()
        col = Collection(path)
        most = max(len(case["cards"]["interval"]) for case in cases)
        notes = [col.new_note(col.models.by_name("Basic")) for _ in range(most)]
        for note in notes:
            note["Front"] = "question"
        col.add_notes([AddNoteRequest(note, 1) for note in notes])
        filtered = col.decks.new_filtered("filtered")
        answered.write_text(json.dumps([_ask(col, case, filtered) for case in cases]))
        col.close()


def _ask(col: Any, case: Dict[str, Any], filtered: int) -> List[List[int]]:
    preset = col.decks.get_config(1)
    for key, value in case["preset"].items():
        *path, last = key.split(".")
        place = preset
        for name in path:
            place = place[name]
        place[last] = value
    col.decks.update_config(preset)
    col.set_config("fsrs", case["fsrs"])
    cards = [dict(zip(case["cards"], values, strict=True)) for values in zip(*case["cards"].values(), strict=True)]
    ids = col.db.list("select id from cards order by id limit ?", len(cards))
    rows = [(*_row(card, filtered, col.sched), card_id) for card, card_id in zip(cards, ids, strict=True)]
    statement = f"update cards set {', '.join(f'{name} = ?' for name in COLUMNS)} where id = ?"
    col.db.transact(lambda: col.db.executemany(statement, rows))
    states = [col._backend.get_scheduling_states(card_id) for card_id in ids]
    return [[_days(getattr(state, button)) for state in states] for button in ("again", "hard", "good", "easy")]


def _row(card: Dict[str, Any], filtered: int, scheduler: Any) -> List[Any]:
    """Values of a card's :data:`COLUMNS`."""
    kind = card.get("kind", REVIEW)
    due = scheduler.today + card["interval"] - card["elapsed"]
    position = [-1000, filtered, 1, due] if card.get("filtered") else [due, 1, 0, 0]
    data = {"lrt": scheduler.day_cutoff - SECONDS_PER_DAY * card["elapsed"] - SECONDS_PER_DAY // 2}
    if "stability" in card:
        data.update(s=card["stability"], d=card["difficulty"])
    learned = [kind, 2, 0] if kind == REVIEW else [kind, 1, 1001]  # one step is left
    return [card["interval"], card.get("ease", 2500), *learned, *position, json.dumps(data)]


def _days(state: Any) -> int:
    """Return the days to the next review, or 0 if the card has to be learned first."""
    normal = state.normal if state.HasField("normal") else state.filtered.rescheduling.original_state
    review = normal.relearning.review if normal.HasField("relearning") else normal.review
    return int(review.scheduled_days)


if __name__ == "__main__":
    _main(*map(Path, sys.argv[1:]))

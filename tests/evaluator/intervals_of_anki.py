"""Ask Anki's backend for the next intervals of cards, in a separate process with fuzz turned off.

The program takes two arguments, a JSON file with the cases of :func:`backend_days` and a file for the resulting days.
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

#: Age of the collection in days. In a filtered deck, Anki ignores the due day of a card that is due on the first day.
AGE = 40_000
SECONDS_PER_DAY = 86_400

COLUMNS = ("ivl", "factor", "type", "queue", "left", "due", "did", "odid", "odue", "data")

LEARNING, REVIEW, RELEARNING = 1, 2, 3


def backend_days(cases: List[Dict[str, Any]], folder: Path) -> List[npt.NDArray[np.int64]]:
    """Return the days until the next review after Again, Hard, Good and Easy, (4, cards) for each case.

    Args:
        cases: each case has three keys. ``fsrs`` says whether FSRS is on. ``preset`` has the settings that differ from
            Anki's defaults, by dotted key. ``cards`` has a list for each column. All cards have ``interval`` and
            ``elapsed`` in days, and may have ``kind``, the card's type, which is a review card by default. Cards of
            SM-2 have ``ease`` in permille and ``filtered``, whether they are in a filtered deck. Cards of FSRS have
            ``stability`` and ``difficulty``.
        folder: folder for the files that the process reads and writes.
    """
    case_file = folder / "cases.json"
    days_file = folder / "days.json"
    case_file.write_text(json.dumps(cases))
    environment = {**os.environ, "ANKI_TEST_MODE": "1"}
    subprocess.run([sys.executable, __file__, str(case_file), str(days_file)], env=environment, check=True)
    return [np.array(days) for days in json.loads(days_file.read_text())]


def _main(case_file: Path, days_file: Path) -> None:
    from anki.collection import AddNoteRequest, Collection

    cases = json.loads(case_file.read_text())
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "collection.anki2")
        col = Collection(path)
        col.db.execute("update col set crt = crt - ?", AGE * SECONDS_PER_DAY)
        col.close()
        col = Collection(path)
        max_cards = max(len(case["cards"]["interval"]) for case in cases)
        notes = [col.new_note(col.models.by_name("Basic")) for _ in range(max_cards)]
        for note in notes:
            note["Front"] = "question"
        col.add_notes([AddNoteRequest(note, 1) for note in notes])
        filtered = col.decks.new_filtered("filtered")
        days_file.write_text(json.dumps([_compute_days(col, case, filtered) for case in cases]))
        col.close()


def _compute_days(col: Any, case: Dict[str, Any], filtered: int) -> List[List[int]]:
    preset = col.decks.get_config(1)
    for key, value in case["preset"].items():
        *path, last = key.split(".")
        settings = preset
        for name in path:
            settings = settings[name]
        settings[last] = value
    col.decks.update_config(preset)
    col.set_config("fsrs", case["fsrs"])
    cards = [dict(zip(case["cards"], values, strict=True)) for values in zip(*case["cards"].values(), strict=True)]
    ids = col.db.list("select id from cards order by id limit ?", len(cards))
    rows = [(*_card_row(card, filtered, col.sched), card_id) for card, card_id in zip(cards, ids, strict=True)]
    statement = f"update cards set {', '.join(f'{name} = ?' for name in COLUMNS)} where id = ?"
    col.db.transact(lambda: col.db.executemany(statement, rows))
    states = [col._backend.get_scheduling_states(card_id) for card_id in ids]
    return [[_days(getattr(state, button)) for state in states] for button in ("again", "hard", "good", "easy")]


def _card_row(card: Dict[str, Any], filtered: int, scheduler: Any) -> List[Any]:
    """Return the values of a card's :data:`COLUMNS`."""
    kind = card.get("kind", REVIEW)
    due = scheduler.today + card["interval"] - card["elapsed"]
    position = [-1000, filtered, 1, due] if card.get("filtered") else [due, 1, 0, 0]
    data = {"lrt": scheduler.day_cutoff - SECONDS_PER_DAY * card["elapsed"] - SECONDS_PER_DAY // 2}
    if "stability" in card:
        data.update(s=card["stability"], d=card["difficulty"])
    # 1001 is Anki's code for one remaining learning step.
    type_queue_left = [kind, 2, 0] if kind == REVIEW else [kind, 1, 1001]
    return [card["interval"], card.get("ease", 2500), *type_queue_left, *position, json.dumps(data)]


def _days(state: Any) -> int:
    """Return the days until the next review, or 0 if the card has to be learned first."""
    normal = state.normal if state.HasField("normal") else state.filtered.rescheduling.original_state
    review = normal.relearning.review if normal.HasField("relearning") else normal.review
    return int(review.scheduled_days)


if __name__ == "__main__":
    _main(*map(Path, sys.argv[1:]))

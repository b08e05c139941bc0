"""Read the source of the public data sets: one person's review log as Anki exports it for research.

A file is one protobuf message. Those of anki-revlogs-10k are Anki's ``stats.Dataset``: rows of the log, cards, decks,
and when a day begins. Those of FSRS-Anki-20k are older and have the rows and, as field 2, when a day begins. The first
is read as Anki defines it; the second is made from the description of that data set.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evaluator.data.revlog import DELETED_CARD, MAX_ROWS, Cards, Clock, Revlog, Snapshot
from evaluator.errors import DamagedFile, TooManyRows

#: Name of such a file: ``N.revlog`` for user N.
ENDING = ".revlog"

#: The columns of a row of the log, in the order of :class:`Revlog`.
ROW = ("id", "cid", "button_chosen", "interval", "last_interval", "ease_factor", "taken_millis", "review_kind")

#: A row takes about 35 bytes.
MAX_BYTES = 64 * MAX_ROWS

#: Field 1, of some length below 128, that begins with its own field 1, a number.
_FIRST, _FIRST_OF_ROW = 0x0A, 0x08
#: Field of the older files that says when a day begins.
_OLDER_NEXT_DAY_AT = 2


def recognizes(start: bytes) -> bool:
    """Return whether a file that begins like this has this format."""
    return len(start) > 2 and (start[0], start[2]) == (_FIRST, _FIRST_OF_ROW) and start[1] < 0x80


def read(path: Path) -> Snapshot:
    """Read all rows, the cards with their decks and presets, and the clock.

    Raises:
        DamagedFile: it is cut off, or another message.
        TooManyRows: there are more than anyone can have made.
    """
    from anki.stats_pb2 import Dataset

    protobuf = importlib.import_module("google.protobuf.message")
    unknown_fields = importlib.import_module("google.protobuf.unknown_fields").UnknownFieldSet
    if path.stat().st_size > MAX_BYTES:
        raise TooManyRows(table=path.name, rows=path.stat().st_size // 35, most=MAX_ROWS)
    data = path.read_bytes()
    try:
        message: Any = Dataset.FromString(data)
    except protobuf.DecodeError as error:
        raise DamagedFile(path=str(path), detail="it is cut off, or no message of Anki's") from error
    older = [field.data for field in unknown_fields(message) if field.field_number == _OLDER_NEXT_DAY_AT]
    next_day_at = message.next_day_at or next((int(number) for number in older if isinstance(number, int)), 0)
    if not next_day_at:
        raise DamagedFile(path=str(path), detail="it does not say when a day begins (next_day_at)")
    revlog = Revlog(*_table(message.revlogs, ROW))
    return Snapshot(revlog, Clock(next_day_at), _cards(message))


def _table(entries: Sequence[Any], columns: Sequence[str]) -> np.ndarray:
    """Return these columns of all entries, shape (columns, entries)."""
    rows = [[getattr(entry, name) for name in columns] for entry in entries]
    return np.array(rows, dtype=np.int64).reshape(-1, len(columns)).T


def _cards(message: Any) -> Cards | None:
    if not message.cards:
        return None
    card_id, deck_id = _table(message.cards, ("id", "deck_id"))
    preset_of = {deck.id: deck.preset_id for deck in message.decks}
    presets = np.array([preset_of.get(deck, DELETED_CARD) for deck in deck_id.tolist()], dtype=np.int64)
    return Cards(card_id, deck_id, presets)

"""Reader of the files that the public data sets were made from: one user's review log as Anki exports it for research.

A file is one protobuf message. The files of anki-revlogs-10k are Anki's ``stats.Dataset``, with rows of the log, cards,
decks, and when a day begins. The older files of FSRS-Anki-20k have only the rows and, in field 2, when a day begins.
Their reader follows the description of that data set.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evaluator.data.revlog import Cards, Clock, Revlog, Snapshot
from evaluator.errors import DamagedFile
from tools.environment import import_library
from tools.sources.clock import LATEST_SECOND
from tools.sources.limits import MAX_LINE, check_rows, max_rows
from tools.sources.stated import cards_with_presets

#: Ending of such a file, which is named ``N.revlog`` for user N.
ENDING = ".revlog"

#: Fields of a row of the log, in the order of :class:`Revlog`.
ROW = ("id", "cid", "button_chosen", "interval", "last_interval", "ease_factor", "taken_millis", "review_kind")

#: Maximum size of a row in bytes, on average. Rows have about 35.
MAX_ROW_SIZE = 64

#: Number of bytes decoded at once. The objects of all rows would take ten times as much memory as the rows.
PART = 1_000_000

#: Keys of the first field of the message, which is a row, and of the first field of the row, which is a number.
_FIRST, _FIRST_OF_ROW = 0x0A, 0x08
#: Field of the older files with the second at which a day begins.
_OLDER_NEXT_DAY_AT = 2


def recognizes(start: bytes, _columns: set[str]) -> bool:
    """Return whether a file that begins like this has this format."""
    return len(start) > 2 and (start[0], start[2]) == (_FIRST, _FIRST_OF_ROW) and start[1] < 0x80


def read(path: Path) -> Snapshot:
    """Read all rows, the cards with their decks and presets, and the clock.

    Raises:
        DamagedFile: if the file is cut off, or another message.
        TooManyRows: if there are more rows than anyone can have made.
        TooMuchMemory: if the rows of a small file need too much memory.
    """
    dataset = import_library("anki.stats_pb2").Dataset
    protobuf = import_library("google.protobuf.message")
    unknown_fields = import_library("google.protobuf.unknown_fields").UnknownFieldSet
    size = path.stat().st_size
    check_rows(path, size, size // MAX_ROW_SIZE)
    entries = 0
    rows = array("q")
    cards = array("q")
    decks = array("q")
    next_day_at = older_next_day_at = 0
    try:
        for part in _parts(path.read_bytes()):
            message: Any = dataset.FromString(part)
            entries += len(message.revlogs) + len(message.cards) + len(message.decks)
            # If there are too many, the others are only counted.
            if entries <= max_rows(size):
                _extend(rows, message.revlogs, ROW)
                _extend(cards, message.cards, ("id", "deck_id"))
                _extend(decks, message.decks, ("id", "preset_id"))
            next_day_at = message.next_day_at or next_day_at
            for field in unknown_fields(message):
                if field.field_number == _OLDER_NEXT_DAY_AT and isinstance(field.data, int):
                    older_next_day_at = older_next_day_at or field.data
    except (protobuf.DecodeError, IndexError, ValueError) as error:
        raise DamagedFile(path=str(path), detail="it is cut off, or no message of Anki's") from error
    check_rows(path, size, entries)
    next_day_at = next_day_at or older_next_day_at
    if not next_day_at:
        raise DamagedFile(path=str(path), detail="it does not say when a day begins (next_day_at)")
    if not 0 < next_day_at < LATEST_SECOND:
        raise DamagedFile(path=str(path), detail=f"next_day_at should be seconds since 1970, but is {next_day_at:,}")
    revlog = Revlog(*np.frombuffer(rows, dtype=np.int64).reshape(-1, len(ROW)).T)
    return Snapshot(revlog, Clock(next_day_at), _cards(cards, decks))


def _parts(data: bytes) -> Iterator[bytes]:
    """Split a message into smaller messages, each with some of its fields.

    Raises:
        IndexError: if the message is cut off.
        ValueError: if it has a field of another type than Anki's, or too long a field.
    """
    start = position = 0
    while position < len(data):
        key, position = _varint(data, position)
        value, position = _varint(data, position)
        # Anki's messages have only numbers (0) and fields with a length (2).
        if key & 7 not in (0, 2):
            raise ValueError(key)
        position += value if key & 7 else 0
        if position - start >= PART:
            if position - start > PART + MAX_LINE:
                raise ValueError(position)
            yield data[start:position]
            start = position
    yield data[start:]


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """Return the number at this position, and the position after it."""
    value = 0
    for index in range(10):
        byte = data[position + index]
        value |= (byte & 0x7F) << 7 * index
        if byte < 0x80:
            return value, position + index + 1
    raise ValueError(position)


def _extend(numbers: array[int], entries: Sequence[Any], fields: Sequence[str]) -> None:
    """Append the numbers in these fields of each entry."""
    for entry in entries:
        numbers.extend([getattr(entry, name) for name in fields])


def _cards(cards: array[int], decks: array[int]) -> Cards | None:
    """Return the cards with their decks and presets, or None if there are none."""
    if not cards:
        return None
    card_id, deck_id = np.frombuffer(cards, dtype=np.int64).reshape(-1, 2).T
    return cards_with_presets(card_id, deck_id, *np.frombuffer(decks, dtype=np.int64).reshape(-1, 2).T)

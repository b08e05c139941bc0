"""Reads what an evaluation needs out of an open collection of Anki, whoever opened it: the add-on or the tools.

No window and no import of Anki: ``col`` is an ``anki.collection.Collection``, of which only ``db``, ``decks`` and
``get_config`` are used. Every statement begins with ``select``: anything else would clear the person's undo history.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Generator, List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING or __package__ == "ui":  # the tools and tests have the checkout itself on their path
    from evaluator.errors import CollectionClosed
    from evaluator.revlog import SECONDS_PER_DAY, Cards, Clock, Preset, Revlog, Snapshot
else:  # in Anki the checkout is a package, under a name of Anki's choosing
    from ..evaluator.errors import CollectionClosed
    from ..evaluator.revlog import SECONDS_PER_DAY, Cards, Clock, Preset, Revlog, Snapshot

#: Read at once: takes some 40 ms, for which the collection is held.
ROWS_PER_CHUNK = 20_000

DEFAULT_ROLLOVER_HOUR = 4

_ROWS = (
    "select id, cid, cast(ease as integer), cast(ivl as integer), cast(lastIvl as integer), cast(factor as integer), "
    "cast(time as integer), cast(type as integer) from revlog where cid between ? and ? and id <= ?"
)
_COLUMNS = 8

#: Of a preset's FSRS parameters, newest version first. (The last was the only one once, and then became version 4's.)
_FSRS_KEYS = ("fsrsParams6", "fsrsParams5", "fsrsWeights")


def read(col: Any) -> Snapshot:
    """The snapshot of the collection, in one go. Raises as :func:`read_steps`."""
    steps = read_steps(col)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            snapshot: Snapshot = end.value
            return snapshot


def read_steps(col: Any) -> Generator[Tuple[int, int], None, Snapshot]:
    """Read the collection chunk by chunk; yields (rows read, rows in all) and returns the snapshot.

    Between two chunks the collection is free: the caller may show the progress or stop. Rows that are added meanwhile
    are newer than all that were there at the start, and left out.

    Raises:
        CollectionClosed: the collection is closed, or was closed between two chunks.
    """
    newest = _scalar(col, "select max(id) from revlog") or 0
    counts = _all(col, "select cid, count() from revlog where id <= ? group by cid order by cid", newest)
    total = sum(count for _, count in counts)
    done = 0
    yield done, total
    chunks: List[npt.NDArray[np.int64]] = []
    for first, last in _card_ranges(counts):
        rows = _all(col, _ROWS, first, last, newest)
        chunks.append(np.array(rows, dtype=np.int64).reshape(-1, _COLUMNS))
        done = min(done + len(rows), total)
        yield done, total
    revlog = Revlog(*np.ascontiguousarray(_stacked(chunks, _COLUMNS).T))
    cards, presets = _read_cards(col), _read_presets(col)
    return Snapshot(revlog, _read_clock(col), cards, presets)


def _card_ranges(counts: Sequence[Sequence[int]]) -> List[Tuple[int, int]]:
    """First and last card id of each chunk, from (card id, rows) in the order of the ids."""
    if not counts:
        return []
    card_ids, rows = np.array(counts, dtype=np.int64).T
    chunk = (np.cumsum(rows) - 1) // ROWS_PER_CHUNK
    starts = np.flatnonzero(np.diff(chunk, prepend=-1))
    ends = np.append(starts[1:], len(chunk)) - 1
    return [(int(first), int(last)) for first, last in zip(card_ids[starts], card_ids[ends])]


def _read_cards(col: Any) -> Cards:
    rows = _all(col, "select id, case when odid then odid else did end from cards")
    card_id, deck_id = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    decks, which = np.unique(deck_id, return_inverse=True)
    preset_of_deck = [int(_ask(col, partial(col.decks.config_dict_for_deck_id, int(deck)))["id"]) for deck in decks]
    preset_id = np.array(preset_of_deck, dtype=np.int64)[which]
    return Cards(np.ascontiguousarray(card_id), np.ascontiguousarray(deck_id), preset_id)


def _read_presets(col: Any) -> Tuple[Preset, ...]:
    """The option presets with their FSRS parameters: those of the newest version that there are, as Anki takes them."""
    return tuple(
        Preset(
            preset_id=int(preset["id"]),
            name=str(preset["name"]),
            parameters=tuple(next((preset[key] for key in _FSRS_KEYS if preset.get(key)), ())),
        )
        for preset in _ask(col, col.decks.all_config)
    )


def _read_clock(col: Any) -> Clock:
    """The days as Anki counts them.

    Anki keeps the person's UTC offset in the collection (``localOffset``, minutes *west*) whenever it finds that the
    machine's has changed, and leaves it out while it is 0. So this, and not the machine's clock, is the same inside
    Anki and for a copy of the file. ``creationOffset`` tells a collection that has the offset from one that is older.
    """
    minutes_west = _config(col, "localOffset")
    known = minutes_west is not None or _config(col, "creationOffset") is not None
    offset = -int(minutes_west or 0)
    if (_config(col, "schedVer") or 1) < 2:
        # The first scheduler counts days from the collection's creation, whatever the local time.
        created = int(_scalar(col, "select crt from col"))
        hour = (created + offset * 60) % SECONDS_PER_DAY // 3600
        return Clock(created, offset if known else None, hour)
    hour = _rollover_hour(_config(col, "rollover"))
    return Clock(hour * 3600 - offset * 60, offset if known else None, hour, assumed=not known)


def _rollover_hour(configured: Optional[int]) -> int:
    """The hour from 0 to 23, negative ones counted from midnight back, as Anki reads it."""
    if configured is None:
        return DEFAULT_ROLLOVER_HOUR
    return min(configured, 23) if configured >= 0 else max(24 + configured, 0)


def _stacked(chunks: List[npt.NDArray[np.int64]], columns: int) -> npt.NDArray[np.int64]:
    return np.concatenate(chunks) if chunks else np.empty((0, columns), dtype=np.int64)


def _all(col: Any, sql: str, *arguments: int) -> List[Any]:
    rows: List[Any] = _ask(col, lambda: col.db.all(sql, *arguments))
    return rows


def _scalar(col: Any, sql: str) -> Any:
    return _ask(col, lambda: col.db.scalar(sql))


def _config(col: Any, key: str) -> Any:
    return _ask(col, lambda: col.get_config(key))


def _ask(col: Any, question: Any) -> Any:
    if col is None or col.db is None:
        raise CollectionClosed
    try:
        return question()
    except Exception as error:
        # Closing empties ``db`` a moment after the backend has let go of the file.
        if col.db is None or "CollectionNotOpen" in str(error):
            raise CollectionClosed from None
        raise

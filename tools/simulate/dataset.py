"""Write simulated logs in the layout of the public data set (anki-revlogs-10k), as its builder makes it."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evaluator.data.revlog import Ints
from tools.simulate.study import FILTERED, LEARN, MS_PER_DAY
from tools.simulate.trace import Simulation


class DatasetRows(NamedTuple):
    """One person's rows by time. ``card_id`` counts from 0, and ``cid`` is the card's id in the log."""

    cid: Ints
    card_id: Ints
    day_offset: Ints
    rating: Ints
    state: Ints
    duration: Ints
    elapsed_days: Ints
    elapsed_seconds: Ints


#: Columns that are written.
COLUMNS = DatasetRows._fields[1:]


def dataset_rows(simulation: Simulation) -> DatasetRows:
    """Return the rows of each card since it was last learned as new, if it ever was."""
    log = simulation.revlog
    log = log.take(np.lexsort((log.review_id, log.card_id)))
    log = log.take(np.flatnonzero((log.button >= 1) & ((log.kind != FILTERED) | (log.factor != 0))))
    is_first = np.diff(log.card_id, prepend=-1) != 0
    learned_before = np.concatenate(([False], log.kind[:-1] == LEARN)) & ~is_first
    begins = np.where((log.kind == LEARN) & ~learned_before, np.arange(len(log)), -1)
    last_begin = np.maximum.reduceat(begins, np.flatnonzero(is_first)) if len(log) else begins
    last_begin = last_begin[np.cumsum(is_first) - 1]
    kept = np.flatnonzero((last_begin >= 0) & (np.arange(len(log)) >= last_begin))
    first = kept == last_begin[kept]
    log = log.take(kept)
    day = -((simulation.clock.next_day_at * 1000 - log.review_id) // MS_PER_DAY)
    order = np.argsort(log.review_id, kind="stable")
    columns = (
        log.card_id,
        np.cumsum(first) - 1,
        day - day.min(initial=np.iinfo(np.int64).max),
        log.button,
        np.where(first, 0, log.kind + 1),
        log.duration_ms,
        np.where(first, -1, np.diff(day, prepend=0)),
        np.where(first, -1, np.diff(log.review_id, prepend=0) // 1000),
    )
    return DatasetRows(*(column[order] for column in columns))


def write_person(simulation: Simulation, folder: Path, user: int) -> Path:
    """Write ``revlogs``, ``cards`` and ``decks`` of a person, each in the user's own folder.

    Returns:
        The folder of the reviews.
    """
    result, cards = dataset_rows(simulation), simulation.cards
    number = dict(zip(result.cid.tolist(), result.card_id.tolist(), strict=True))
    existing = [
        (number[card], deck)
        for card, deck in zip(cards.card_id.tolist(), cards.deck_id.tolist(), strict=True)
        if card in number
    ]
    card_ids, deck_ids = (list(column) for column in zip(*existing, strict=True)) if existing else ([], [])
    decks = list(simulation.decks)
    _write(folder / "cards", user, {"card_id": card_ids, "deck_id": deck_ids})
    _write(folder / "decks", user, {"deck_id": decks, "preset_id": list(range(1, len(decks) + 1))})
    return _write(folder / "revlogs", user, {name: getattr(result, name).tolist() for name in COLUMNS})


def _write(folder: Path, user: int, columns: dict[str, list[int]]) -> Path:
    pyarrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")  # has no types
    path = folder / f"user_id={user}"
    path.mkdir(parents=True, exist_ok=True)
    table = pyarrow.table({name: pyarrow.array(values, pyarrow.int64()) for name, values in columns.items()})
    parquet.write_table(table, path / "data.parquet")
    return path

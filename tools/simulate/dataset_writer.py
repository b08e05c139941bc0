"""Writer of simulated logs in the layout of the public data set anki-revlogs-10k."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from evaluator.data.revlog import Ints
from tools.simulate.study import FILTERED, LEARN, MS_PER_DAY
from tools.simulate.trace import Simulation


class DatasetRows(NamedTuple):
    """One user's rows in chronological order, as columns. ``card_id`` counts from 0."""

    #: Id of the card in the review log.
    cid: Ints
    card_id: Ints
    day_offset: Ints
    rating: Ints
    state: Ints
    duration: Ints
    elapsed_days: Ints
    elapsed_seconds: Ints


#: Names of the columns that are written.
COLUMNS = DatasetRows._fields[1:]


def dataset_rows(simulation: Simulation) -> DatasetRows:
    """Return the rows of each card from the last time it was learned as new. Cards that never were are left out."""
    log = simulation.revlog
    log = log.take(np.lexsort((log.review_id, log.card_id)))
    log = log.take(np.flatnonzero((log.button >= 1) & ((log.kind != FILTERED) | (log.factor != 0))))
    is_first = np.diff(log.card_id, prepend=-1) != 0
    learned_before = np.concatenate(([False], log.kind[:-1] == LEARN)) & ~is_first
    begins = np.where((log.kind == LEARN) & ~learned_before, np.arange(len(log)), -1)
    last_begin = np.maximum.reduceat(begins, np.flatnonzero(is_first)) if len(log) else begins
    last_begin = last_begin[np.cumsum(is_first) - 1]
    rows = np.flatnonzero((last_begin >= 0) & (np.arange(len(log)) >= last_begin))
    begins_history = rows == last_begin[rows]
    log = log.take(rows)
    day = -((simulation.clock.next_day_at * 1000 - log.review_id) // MS_PER_DAY)
    order = np.argsort(log.review_id, kind="stable")
    columns = (
        log.card_id,
        np.cumsum(begins_history) - 1,
        day - day.min(initial=np.iinfo(np.int64).max),
        log.button,
        np.where(begins_history, 0, log.kind + 1),
        log.duration_ms,
        np.where(begins_history, -1, np.diff(day, prepend=0)),
        np.where(begins_history, -1, np.diff(log.review_id, prepend=0) // 1000),
    )
    return DatasetRows(*(column[order] for column in columns))


def write_user(simulation: Simulation, folder: Path, user: int) -> None:
    """Write the user's folders of the tables ``revlogs``, ``cards`` and ``decks``."""
    rows = dataset_rows(simulation)
    cards = simulation.cards
    number_of_card = dict(zip(rows.cid.tolist(), rows.card_id.tolist(), strict=True))
    existing = np.flatnonzero(np.isin(cards.card_id, rows.cid))
    numbers = [number_of_card[card] for card in cards.card_id[existing].tolist()]
    _write(folder / "cards", user, {"card_id": numbers, "deck_id": cards.deck_id[existing]})
    _write(
        folder / "decks", user, {"deck_id": list(simulation.decks), "preset_id": range(1, len(simulation.decks) + 1)}
    )
    _write(folder / "revlogs", user, {name: getattr(rows, name) for name in COLUMNS})


def _write(folder: Path, user: int, columns: dict[str, Any]) -> None:
    # These modules have no types, so plain imports would fail mypy.
    pyarrow = importlib.import_module("pyarrow")
    parquet = importlib.import_module("pyarrow.parquet")
    path = folder / f"user_id={user}"
    path.mkdir(parents=True, exist_ok=True)
    table = pyarrow.table({name: pyarrow.array(values, pyarrow.int64()) for name, values in columns.items()})
    parquet.write_table(table, path / "data.parquet")

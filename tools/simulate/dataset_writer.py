"""Writer of simulated logs in the layout of the public data set anki-revlogs-10k."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from evaluator.data.revlog import Ints
from tools.simulate.study import FILTERED, LEARN, MS_PER_DAY
from tools.simulate.trace import Simulation


def dataset_rows(simulation: Simulation) -> dict[str, Ints]:
    """Return one user's rows in chronological order, as columns by name.

    They begin with the last time that each card was learned as new. Cards that never were are left out. ``card_id``
    counts from 0, and ``cid`` is the card's id in the review log.
    """
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
    columns = {
        "cid": log.card_id,
        "card_id": np.cumsum(begins_history) - 1,
        "day_offset": day - day.min(initial=np.iinfo(np.int64).max),
        "rating": log.button,
        "state": np.where(begins_history, 0, log.kind + 1),
        "duration": log.duration_ms,
        "elapsed_days": np.where(begins_history, -1, np.diff(day, prepend=0)),
        "elapsed_seconds": np.where(begins_history, -1, np.diff(log.review_id, prepend=0) // 1000),
    }
    return {name: column[order] for name, column in columns.items()}


def write_user(simulation: Simulation, folder: Path, user: int) -> None:
    """Write the user's folders of the tables ``revlogs``, ``cards`` and ``decks``."""
    rows = dataset_rows(simulation)
    card_ids = rows.pop("cid")
    cards = simulation.cards
    number_of_card = dict(zip(card_ids.tolist(), rows["card_id"].tolist(), strict=True))
    existing = np.flatnonzero(np.isin(cards.card_id, card_ids))
    numbers = [number_of_card[card] for card in cards.card_id[existing].tolist()]
    _write(folder / "cards", user, {"card_id": numbers, "deck_id": cards.deck_id[existing]})
    _write(
        folder / "decks", user, {"deck_id": list(simulation.decks), "preset_id": range(1, len(simulation.decks) + 1)}
    )
    _write(folder / "revlogs", user, rows)


def _write(folder: Path, user: int, columns: dict[str, Any]) -> None:
    # These modules have no types, so plain imports would fail mypy.
    pyarrow = importlib.import_module("pyarrow")
    parquet = importlib.import_module("pyarrow.parquet")
    path = folder / f"user_id={user}"
    path.mkdir(parents=True, exist_ok=True)
    table = pyarrow.table({name: pyarrow.array(values, pyarrow.int64()) for name, values in columns.items()})
    parquet.write_table(table, path / "data.parquet")

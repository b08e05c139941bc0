"""Writes a simulated learner's log as the public data set has it, row by row as its builder is described."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tools.simulate import Simulation

MS_PER_DAY = 86_400_000
PRESETS = {1_600_000_000_001: 11, 1_600_000_000_002: 12}  #: the simulation's decks

Row = dict[str, int]


def rows(simulation: Simulation) -> list[Row]:
    """Return the rows that count, in chronological order. ``id`` is not written."""
    log = simulation.revlog
    columns = zip(*(column.tolist() for column in vars(log).values()), strict=True)
    kept = [
        {"id": number, "cid": card, "rating": button, "type": kind, "duration": duration}
        for number, card, button, _, _, factor, duration, kind in sorted(columns, key=lambda row: (row[1], row[0]))
        if button >= 1 and (kind != 3 or factor != 0)
    ]
    result = []
    for _, group in groupby(kept, lambda row: row["cid"]):
        result += _of_card(list(group), simulation.clock.next_day_at * 1000)
    first_day = min(row["day_offset"] for row in result)
    numbers = {card: number for number, card in enumerate(dict.fromkeys(row["cid"] for row in result))}
    for row in result:
        row["day_offset"] -= first_day
        row["card_id"] = numbers[row["cid"]]
    return sorted(result, key=lambda row: row["id"])


def _of_card(card: list[Row], next_day_at_ms: int) -> list[Row]:
    """Return the rows since the card was last learned as new."""
    starts = [i for i, row in enumerate(card) if row["type"] == 0 and (i == 0 or card[i - 1]["type"] != 0)]
    if not starts:
        return []
    before: Row | None = None
    for row in card[starts[-1] :]:
        row["state"] = 0 if before is None else row["type"] + 1
        row["day_offset"] = -((next_day_at_ms - row["id"]) // MS_PER_DAY)
        row["elapsed_days"] = -1 if before is None else row["day_offset"] - before["day_offset"]
        row["elapsed_seconds"] = -1 if before is None else int((row["id"] - before["id"]) / 1000)
        before = row
    return card[starts[-1] :]


def write(folder: Path, people: dict[int, Simulation], *, by_person: bool = True) -> None:
    """Write the data set, with cards and decks in folders by person, or all in one file each."""
    cards: list[dict[str, Any]] = []
    for user, simulation in people.items():
        result = rows(simulation)
        names = ("card_id", "day_offset", "rating", "state", "duration", "elapsed_days", "elapsed_seconds")
        table = pa.table({name: pa.array([row[name] for row in result], pa.int32()) for name in names})
        _write(table, folder / "revlogs" / f"user_id={user}" / "data.parquet")
        numbers = {row["cid"]: row["card_id"] for row in result}
        states = simulation.cards
        cards += [
            {"user_id": user, "card_id": numbers[card], "deck_id": deck}
            for card, deck in zip(states.card_id.tolist(), states.deck_id.tolist(), strict=True)
            if card in numbers
        ]
    decks = [
        {"user_id": user, "deck_id": deck, "preset_id": preset} for user in people for deck, preset in PRESETS.items()
    ]
    for name, table in (("cards", pa.Table.from_pylist(cards)), ("decks", pa.Table.from_pylist(decks))):
        if by_person:
            pq.write_to_dataset(table, folder / name, partition_cols=["user_id"])
        else:
            _write(table, folder / f"{name}.parquet")


def _write(table: pa.Table, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path)

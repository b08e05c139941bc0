"""Read one user's reviews from the public data set (anki-revlogs-10k) or from files in its layout.

``revlogs/user_id=N/*.parquet`` holds the rows that count, in chronological order, with the columns of :data:`COLUMNS`.
``cards`` (``card_id, deck_id``) and ``decks`` (``deck_id, preset_id``) are optional: folders by user like it, or files
with a column ``user_id``.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evaluator.data.revlog import DELETED_CARD, MAX_ROWS, SECONDS_PER_DAY, Cards, Clock, Ints, Revlog, Snapshot
from evaluator.errors import DamagedFile, FileMissing, MissingColumns, TooManyRows
from tools.environment import MachineNotReady
from tools.sources.stated import FACTOR, is_first

COLUMNS = ("card_id", "day_offset", "rating", "state", "duration", "elapsed_seconds")


def is_dataset(folder: Path) -> bool:
    """Return whether a folder is laid out as the public data set."""
    return next((folder / "revlogs").glob("user_id=*"), None) is not None


def people(folder: Path) -> list[Path]:
    """Return the folders of all people's reviews."""
    return [index for index in (folder / "revlogs").glob("user_id=*") if index.is_dir()]


def read_person(folder: Path) -> Snapshot:
    """Read the user whose reviews are in that folder. Dates are not known: day 0 is in 1970.

    Raises:
        EvaluatorError: the files are damaged, or lack a column.
        MachineNotReady: the package that reads them is not installed.
    """
    card, day, rating, state, duration, elapsed = _columns(folder, COLUMNS)
    try:
        instant = earliest_instants(card, day, elapsed)
    except Contradiction:
        raise DamagedFile(path=str(folder), detail="its days and seconds contradict each other") from None
    negative = int((elapsed[~is_first(card)] < 0).sum())
    unknown = np.zeros(len(card), dtype=np.int64)
    revlog = Revlog(
        review_id=instant,
        card_id=card,
        button=rating,
        interval=unknown,
        last_interval=unknown,
        factor=np.full(len(card), FACTOR),
        duration_ms=duration,
        kind=np.maximum(state - 1, 0),  # a card's first row is 0, the others are one more than Anki's type
    )
    notes = (("negative_interval", negative),) if negative else ()
    return Snapshot(revlog, Clock(0, assumed=True), _cards(folder), notes=notes)


def _cards(path: Path) -> Cards | None:
    cards = _of_person(path, "cards", ("card_id", "deck_id"))
    if cards is None:
        return None
    card_id, deck_id = cards
    decks = _of_person(path, "decks", ("deck_id", "preset_id"))
    if decks is None:
        return Cards(card_id, deck_id)
    preset_of = dict(zip(decks[0].tolist(), decks[1].tolist(), strict=True))
    presets = [preset_of.get(deck, DELETED_CARD) for deck in deck_id.tolist()]
    return Cards(card_id, deck_id, np.array(presets, dtype=np.int64))


def _of_person(path: Path, table: str, columns: Sequence[str]) -> list[Ints] | None:
    """Return this person's columns of another table, or None if there is no such table."""
    table_path = path.parents[1] / table
    own_folder = table_path / path.name
    if own_folder.is_dir():
        return _columns(own_folder, columns)
    file = table_path if table_path.is_dir() else table_path.with_suffix(".parquet")
    if not file.exists():
        return None
    return _columns(file, columns, user=int(path.name.removeprefix("user_id=")))


def _columns(path: Path, columns: Sequence[str], *, user: int | None = None) -> list[Ints]:
    """Read columns, each int64 of shape (rows,). If a user is given, read only their rows."""
    dataset = _pyarrow_dataset()
    try:
        table = dataset.dataset(_files(path) if user is None else path, format="parquet")
        missing = [name for name in columns if name not in table.schema.names]
        if missing:
            raise MissingColumns(path=str(path), missing=missing, found=list(table.schema.names))
        only = None if user is None else dataset.field("user_id") == user
        parts: list[list[Ints]] = [[np.empty(0, dtype=np.int64)] for _ in columns]
        rows = 0
        for batch in table.to_batches(columns=list(columns), filter=only, use_threads=False):
            rows += batch.num_rows
            if rows > MAX_ROWS:
                raise TooManyRows(table=path.name, rows=table.count_rows(filter=only), most=MAX_ROWS)
            for part, name in zip(parts, columns, strict=True):
                values = batch.column(name).to_numpy(zero_copy_only=False)
                part.append(values.astype(np.int64, casting="same_kind"))
        return [np.concatenate(part) for part in parts]
    except (OSError, ValueError, TypeError) as error:  # what is wrong with a file is a ValueError of pyarrow
        raise DamagedFile(path=str(path), detail=str(error).splitlines()[0]) from error


def _files(path: Path) -> list[Path]:
    files = sorted(path.glob("*.parquet"))
    if not files:
        raise FileMissing(path=str(path / "*.parquet"))
    return files


def _pyarrow_dataset() -> Any:
    try:
        return importlib.import_module("pyarrow.dataset")
    except ImportError:
        raise MachineNotReady(
            "The package pyarrow, which reads Parquet files, is missing here. Install it with: "
            "python3 -m pip install pyarrow"
        ) from None


MS_PER_DAY = SECONDS_PER_DAY * 1000

#: Seconds are cut, not rounded: this many milliseconds may be missing.
CUT_MS = 999

#: More sweeps than any log needs (about ten) if days and seconds agree.
MAX_SWEEPS = 200


class Contradiction(ValueError):
    """No instants agree with the known facts."""


def earliest_instants(card: Ints, day: Ints, elapsed_seconds: Ints) -> Ints:
    """Return the earliest instants in milliseconds that agree with the known facts about the rows, in chronological
    order.

    Day d is from d days (exclusive) to d + 1 days (inclusive), as the benchmark counts its days.

    Each row is after the row before it, and as many seconds after its card's last row as it says. All of that sets
    instants lower bounds, given those of others; raising them to these bounds, again and again, ends at the earliest.

    Args:
        card: of each row, shape (n,).
        day: of each row, not falling.
        elapsed_seconds: whole seconds since the card's last row; of a card's first row anything. If they are
            negative, only the order counts.

    Raises:
        Contradiction: there are none.
    """
    order = np.argsort(card, kind="stable")
    is_first = np.diff(card[order], prepend=card[order[:1]] - 1) != 0
    negative = ~is_first & (elapsed_seconds[order] < 0)
    is_first |= negative
    is_first[1:] |= negative[:-1]  # the seconds since such a row are no better known
    start, number = np.flatnonzero(is_first), np.cumsum(is_first) - 1
    since = np.where(is_first, 0, elapsed_seconds[order] * 1000).cumsum()
    least = since - since[start][number]
    most = least + CUT_MS * (np.arange(len(card)) - start[number])
    # One running maximum for all cards: each begins higher than any before it can reach.
    offset = number * ((int(day.max(initial=0)) + 2) * MS_PER_DAY + int(most.max(initial=0)))
    count = np.arange(len(card))

    instant = day * MS_PER_DAY + 1
    for _ in range(MAX_SWEEPS):
        before = instant
        raised = np.maximum.accumulate(before - count) + count
        by_card = np.maximum.accumulate(raised[order] - least + offset) + least - offset
        by_card = np.maximum.accumulate((by_card - most - offset)[::-1])[::-1] + most + offset
        instant = np.empty_like(before)
        instant[order] = by_card
        if (instant > (day + 1) * MS_PER_DAY).any():
            break
        if (instant == before).all():
            return instant
    raise Contradiction

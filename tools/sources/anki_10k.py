"""Reader of one user's reviews in the public data set anki-revlogs-10k, or in files of the same layout.

``revlogs/user_id=N/*.parquet`` contains the rows that count, in chronological order, with the columns of
:data:`COLUMNS`. The tables ``cards`` (``card_id, deck_id``) and ``decks`` (``deck_id, preset_id``) are optional. Each
has a folder for each user too, or is in files with a column ``user_id``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evaluator.data.revlog import SECONDS_PER_DAY, Cards, Clock, Ints, Revlog, Snapshot
from evaluator.errors import DamagedFile, FileMissing, MissingColumns
from tools.environment import import_library
from tools.sources.limits import check_memory, check_rows
from tools.sources.stated import FACTOR, cards_with_presets, is_first

#: Names of the columns of the reviews that are read.
COLUMNS = ("card_id", "day_offset", "rating", "state", "duration", "elapsed_seconds")


def is_dataset(folder: Path) -> bool:
    """Return whether a folder has the layout of the public data set."""
    return next((folder / "revlogs").glob("user_id=*"), None) is not None


def user_folders(folder: Path) -> list[Path]:
    """Return the folder of each user's reviews in the data set."""
    return [path for path in (folder / "revlogs").glob("user_id=*") if path.is_dir()]


def read_user(folder: Path) -> Snapshot:
    """Read the user whose reviews are in that folder. The true dates are unknown, and day 0 is the first of 1970.

    Raises:
        EvaluatorError: if the files are damaged, or lack a column.
        MachineNotReady: if the package that reads them is not installed.
    """
    card, day, rating, state, duration, elapsed = _columns(folder, COLUMNS)
    try:
        instant = earliest_instants(card, day, elapsed)
    except Contradiction:
        raise DamagedFile(path=str(folder), detail="its days and seconds contradict each other") from None
    negative_count = int((elapsed[~is_first(card)] < 0).sum())
    unknown = np.zeros(len(card), dtype=np.int64)
    revlog = Revlog(
        review_id=instant,
        card_id=card,
        button=rating,
        interval=unknown,
        last_interval=unknown,
        factor=np.full(len(card), FACTOR),
        duration_ms=duration,
        # The state is 0 in a card's first row, and otherwise one more than Anki's kind.
        kind=np.maximum(state - 1, 0),
    )
    notes = (("negative_interval", negative_count),) if negative_count else ()
    return Snapshot(revlog, Clock(0, assumed=True), _cards(folder), notes=notes)


def _cards(folder: Path) -> Cards | None:
    """Return the cards of the user whose reviews are in that folder, or None if there is no table of cards."""
    cards = _columns_of_user(folder, "cards", ("card_id", "deck_id"))
    if cards is None:
        return None
    card_id, deck_id = cards
    decks = _columns_of_user(folder, "decks", ("deck_id", "preset_id"))
    return Cards(card_id, deck_id) if decks is None else cards_with_presets(card_id, deck_id, *decks)


def _columns_of_user(folder: Path, table: str, columns: Sequence[str]) -> list[Ints] | None:
    """Return columns of a table for the user whose reviews are in that folder, or None if there is no such table."""
    table_folder = folder.parents[1] / table
    if (table_folder / folder.name).is_dir():
        return _columns(table_folder / folder.name, columns)
    of_all_users = table_folder if table_folder.is_dir() else table_folder.with_suffix(".parquet")
    if not of_all_users.exists():
        return None
    return _columns(of_all_users, columns, user=int(folder.name.removeprefix("user_id=")))


def _columns(path: Path, columns: Sequence[str], *, user: int | None = None) -> list[Ints]:
    """Return columns, each int64 of shape (rows,). If a user is given, only their rows are read."""
    dataset = import_library("pyarrow.dataset")
    # A user's folder may also have other files.
    source = path if user is not None else sorted(path.glob("*.parquet"))
    if not source:
        raise FileMissing(path=str(path / "*.parquet"))
    try:
        table = dataset.dataset(source, format="parquet")
        needed = columns if user is None else (*columns, "user_id")
        missing = [name for name in needed if name not in table.schema.names]
        if missing:
            raise MissingColumns(path=str(path), missing=missing, found=list(table.schema.names))
        row_filter = None if user is None else dataset.field("user_id") == user
        # The type is checked first, because a short file can contain a gigabyte of text.
        is_integer = import_library("pyarrow.types").is_integer
        for name in needed:
            type_ = table.schema.field(name).type
            if not is_integer(type_):
                raise DamagedFile(path=str(path), detail=f"its column {name} has {type_} instead of integers")
        size = sum(Path(file).stat().st_size for file in table.files)
        check_memory(path, size, table.count_rows(), bytes_per_row=8 * len(needed))
        check_rows(path, size, table.count_rows(filter=row_filter))
        rows = table.to_table(columns=list(columns), filter=row_filter, use_threads=False)
        return [rows.column(name).to_numpy().astype(np.int64, casting="same_kind") for name in columns]
    # pyarrow's errors about damaged files are ValueErrors.
    except (OSError, ValueError, TypeError) as error:
        raise DamagedFile(path=str(path), detail=str(error).splitlines()[0]) from error


MS_PER_DAY = SECONDS_PER_DAY * 1000

#: Milliseconds by which an interval may be longer than its seconds, which are rounded down.
CUT_MS = 999

#: Maximum number of sweeps. If days and seconds agree, about ten are enough.
MAX_SWEEPS = 200


class Contradiction(ValueError):
    """Error that no instants agree with the known days and seconds."""


def earliest_instants(card: Ints, day: Ints, elapsed_seconds: Ints) -> Ints:
    """Return the earliest instants, in milliseconds, that agree with the known facts about the rows.

    Day d is from d days (exclusive) to d + 1 days (inclusive), as in the benchmark. Each row is after the row before
    it, and ``elapsed_seconds`` after its card's last row. So the instants of other rows set a lower bound for each
    instant. Instants are raised to these bounds until none changes.

    Args:
        card: the card of each row, in chronological order, shape (n,).
        day: the day of each row, nondecreasing, shape (n,).
        elapsed_seconds: whole seconds since the card's last row, shape (n,). Those of a card's first row are not used.
            If they are negative, only the order counts.

    Raises:
        Contradiction: if no instants agree.
    """
    order = np.argsort(card, kind="stable")
    # A run is a sequence of rows of a card between which the seconds are known.
    begins_run = np.diff(card[order], prepend=card[order[:1]] - 1) != 0
    is_negative = ~begins_run & (elapsed_seconds[order] < 0)
    begins_run |= is_negative
    # The seconds since such a row are not known either.
    begins_run[1:] |= is_negative[:-1]
    run = np.cumsum(begins_run) - 1
    start_of_run = np.flatnonzero(begins_run)[run]
    position = np.arange(len(card))
    total_ms = np.where(begins_run, 0, elapsed_seconds[order] * 1000).cumsum()
    min_elapsed = total_ms - total_ms[start_of_run]
    max_elapsed = min_elapsed + CUT_MS * (position - start_of_run)
    # With these offsets, each run begins higher than any run before it can reach, so that one running maximum does for
    # all runs.
    offset = run * ((int(day.max(initial=0)) + 2) * MS_PER_DAY + int(max_elapsed.max(initial=0)))

    instant = day * MS_PER_DAY + 1
    for _ in range(MAX_SWEEPS):
        old_instant = instant
        in_order = np.maximum.accumulate(old_instant - position) + position
        by_card = np.maximum.accumulate(in_order[order] - min_elapsed + offset) + min_elapsed - offset
        by_card = np.maximum.accumulate((by_card - max_elapsed - offset)[::-1])[::-1] + max_elapsed + offset
        instant = np.empty_like(old_instant)
        instant[order] = by_card
        if (instant > (day + 1) * MS_PER_DAY).any():
            break
        if (instant == old_instant).all():
            return instant
    raise Contradiction

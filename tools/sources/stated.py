"""Make a snapshot of a foreign log with intervals in whole days."""

from __future__ import annotations

from array import array

import numpy as np
import numpy.typing as npt

from evaluator.data.revlog import Clock, Ints, Revlog, Snapshot

#: Placeholder for an unknown, unused value that must not be 0: rows of filtered decks with 0 are cramming.
FACTOR = 2500

#: Maximum interval.
MAX_DAYS = 100_000


def snapshot_of(card: Ints, instant_ms: Ints, elapsed_days: Ints, rating: Ints, clock: Clock) -> Snapshot:
    """Return the snapshot of these rows, which are in chronological order.

    Args:
        card: of each row, shape (n,).
        instant_ms: not falling. Rows of one instant are moved apart by a millisecond each.
        elapsed_days: whole days since the card's last row; of its first row anything.
        rating: 1 to 4.
        clock: when a day begins.
    """
    unknown = np.zeros(len(card), dtype=np.int64)
    revlog = Revlog(
        review_id=rising(instant_ms + 1),  # the instant at which a day begins belongs to the day before
        card_id=card,
        button=rating,
        interval=unknown,
        last_interval=unknown,
        factor=np.full(len(card), FACTOR),
        duration_ms=unknown,
        kind=np.where(is_first(card), 0, 1),
    )
    return Snapshot(revlog, clock, elapsed_days=elapsed_days)


def earliest_days(card: Ints, elapsed_days: Ints) -> Ints:
    """Return each row's earliest day, from 0, if only the order and the days since the card's last row are known.

    No row can have been on an earlier day than this, as each is as many days after its card's last row as it says, and
    not before the row before it.
    """
    cards, numbers = np.unique(card, return_inverse=True)
    last = array("q", [-1]) * len(cards)
    days = array("q")  # lists of integers would take four times as much
    day = 0
    for number, elapsed in zip(memoryview(numbers), memoryview(elapsed_days), strict=True):
        if last[number] >= 0:
            day = max(day, last[number] + elapsed)
        last[number] = day
        days.append(day)
    return np.frombuffer(days, dtype=np.int64)


def is_first(card: Ints) -> npt.NDArray[np.bool_]:
    """Return whether each row is the first one of its card."""
    first = np.zeros(len(card), dtype=bool)
    first[np.unique(card, return_index=True)[1]] = True
    return first


def rising(instant_ms: Ints) -> Ints:
    """Return the nondecreasing instants, each moved on until it is after the one before."""
    count = np.arange(len(instant_ms))
    later: Ints = np.maximum.accumulate(instant_ms - count) + count
    return later

"""Snapshots of logs of other programs, in which intervals are stated in whole days."""

from __future__ import annotations

from array import array

import numpy as np
import numpy.typing as npt

from evaluator.data.revlog import DELETED_CARD, Cards, Clock, Ints, Revlog, Snapshot

#: Placeholder for an unknown ease factor. It must not be 0, which marks rows of filtered decks as cramming.
FACTOR = 2500

#: Maximum interval in days.
MAX_DAYS = 100_000


def snapshot_of(card: Ints, instant_ms: Ints, elapsed_days: Ints, rating: Ints, clock: Clock) -> Snapshot:
    """Return the snapshot of these rows, which are in chronological order.

    Args:
        card: the card of each row, shape (n,).
        instant_ms: nondecreasing instants, shape (n,). Rows of one instant are moved apart by a millisecond each.
        elapsed_days: whole days since the card's last row, shape (n,). Those of a card's first row are not used.
        rating: ratings from 1 to 4, shape (n,).
        clock: when a day begins.
    """
    unknown = np.zeros(len(card), dtype=np.int64)
    revlog = Revlog(
        # The instant at which a day begins belongs to the day before.
        review_id=strictly_increasing(instant_ms + 1),
        card_id=card,
        button=rating,
        interval=unknown,
        last_interval=unknown,
        factor=np.full(len(card), FACTOR),
        duration_ms=unknown,
        kind=np.where(is_first(card), 0, 1),
    )
    return Snapshot(revlog, clock, elapsed_days=elapsed_days)


def cards_with_presets(card_id: Ints, deck_id: Ints, decks: Ints, presets: Ints) -> Cards:
    """Return cards with the preset of their deck. Decks without a preset count as deleted."""
    preset_of = dict(zip(decks.tolist(), presets.tolist(), strict=True))
    preset_id = [preset_of.get(deck, DELETED_CARD) for deck in deck_id.tolist()]
    return Cards(card_id, deck_id, np.array(preset_id, dtype=np.int64))


def earliest_days(card: Ints, elapsed_days: Ints) -> Ints:
    """Return the earliest possible day of each row, from 0.

    Each row is ``elapsed_days`` after its card's last row, and not before the row before it.
    """
    cards, numbers = np.unique(card, return_inverse=True)
    last_day = array("q", [-1]) * len(cards)
    # A list of integers would take four times as much memory.
    days = array("q")
    day = 0
    for number, elapsed in zip(memoryview(numbers), memoryview(elapsed_days), strict=True):
        if last_day[number] >= 0:
            day = max(day, last_day[number] + elapsed)
        last_day[number] = day
        days.append(day)
    return np.frombuffer(days, dtype=np.int64)


def is_first(card: Ints) -> npt.NDArray[np.bool_]:
    """Return whether each row is the first one of its card."""
    is_first_row = np.zeros(len(card), dtype=bool)
    is_first_row[np.unique(card, return_index=True)[1]] = True
    return is_first_row


def strictly_increasing(instant_ms: Ints) -> Ints:
    """Return the nondecreasing instants, each moved later by whole milliseconds until it is after the one before."""
    position = np.arange(len(instant_ms))
    instants: Ints = np.maximum.accumulate(instant_ms - position) + position
    return instants

"""Read review logs as CSV in the forms of fsrs-optimizer and py-fsrs, which apps other than Anki export.

Both have a row for each review, with the time in milliseconds since 1970 or as ISO 8601 text:

    fsrs-optimizer: card_id, review_time, review_rating, review_state (optional), review_duration (optional)
    py-fsrs:        card_id, review_datetime, rating, review_duration (may be empty)

As in fsrs-optimizer, a card's history starts with its first review. Of the states only 0 (New) is used, which resets
the card: the others are ambiguous, as 1 is Learning in FSRS and Review in Anki. Intervals and ease are unknown.
"""

from __future__ import annotations

import datetime as dt
from array import array
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evaluator.data.revlog import Ints, Revlog
from evaluator.errors import BadCell
from tools.sources import csv_log
from tools.sources.stated import is_first, rising

CARD, STATE, DURATION = "card_id", "review_state", "review_duration"
#: Names of the column with the time, and of the one with the rating.
TIMES, RATINGS = ("review_time", "review_datetime"), ("review_rating", "rating")

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def recognizes(columns: set[str]) -> bool:
    """Return True if a file with these columns has one of these forms."""
    return CARD in columns and not columns.isdisjoint(TIMES) and not columns.isdisjoint(RATINGS)


def read(path: Path) -> Revlog:
    """Read all reviews.

    Raises:
        EvaluatorError: if the file is damaged, or a cell is not what it should be.
    """
    names = csv_log.columns_of(path) or set()
    time, rating = (next(name for name in known if name in names) for known in (TIMES, RATINGS))
    columns = (time, rating, DURATION, CARD, STATE)
    cards, is_new = [], []
    numbers = array("q")
    for line, (*cells, card, state) in csv_log.read_cells(path, columns):
        at, button, taken = cells
        values = (_milliseconds(at), _whole(button), _whole(taken or "0"), 0 if card else None)
        for column, cell, value in zip(columns, (*cells, card), values, strict=False):
            if value is None:
                raise BadCell(path=str(path), line=line, column=column, value=cell)
            numbers.append(value)
        cards.append(card)
        is_new.append(_whole(state) == 0)
    instant_ms, ratings, duration_ms, _ = np.array(numbers, dtype=np.int64).reshape(-1, 4).T
    csv_log.check_unit(path, time, instant_ms)
    card_id = _numbers(cards)
    # Different cards may have the same time here, but not the same review twice.
    reviews, position = np.unique(np.column_stack((instant_ms, card_id)), axis=0, return_inverse=True)
    review_id = rising(reviews[:, 0])[position.reshape(-1)]
    order = np.argsort(review_id, kind="stable")
    kind = np.where(is_new, 0, 1)
    kind[order[is_first(card_id[order])]] = 0
    unknown = np.zeros(len(card_id), dtype=np.int64)
    return Revlog(review_id, card_id, ratings, unknown, unknown, unknown, duration_ms, kind)


def _numbers(cards: Sequence[str]) -> Ints:
    """Return card ids; if any is text, numbers from 1 in the order in which the ids first appear."""
    numbers = [csv_log.whole_number(card) for card in cards]
    if None in numbers:
        seen: dict[str, int] = {}
        numbers = [seen.setdefault(card, len(seen) + 1) for card in cards]
    return np.array(numbers, dtype=np.int64)


def _whole(cell: str) -> int | None:
    """Return the integer in a cell, also if pandas wrote it as ``3.0``."""
    return csv_log.whole_number(cell.removesuffix(".0"))


def _milliseconds(cell: str) -> int | None:
    """Return the time in a cell in milliseconds since 1970; ISO 8601 text without a time zone is in UTC."""
    number = _whole(cell)
    if number is not None:
        return number
    try:
        moment = dt.datetime.fromisoformat(cell)
    except ValueError:
        return None
    return ((moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)) - _EPOCH) // dt.timedelta(milliseconds=1)

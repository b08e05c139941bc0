"""Read review logs as CSV in the forms of fsrs-optimizer, py-fsrs and ts-fsrs, which apps other than Anki export.

All have a row for each review, with the time in milliseconds since 1970 or as ISO 8601 text:

    fsrs-optimizer: card_id, review_time, review_rating, review_state (optional), review_duration (optional)
        before:     cardId, reviewTime, rating, state (optional), duration (optional)
    py-fsrs:        card_id, review_datetime, rating, review_duration (may be empty)
    ts-fsrs:        card_id, cardId or cid, review, rating, state (optional)

As in fsrs-optimizer, a card's history starts with its first review. Of the states only 0 (New) is used, which resets
the card: the others are ambiguous, as 1 is Learning in FSRS and Review in Anki. Intervals and ease are unknown.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evaluator.data.revlog import Ints, Revlog
from tools.sources import csv_log
from tools.sources.stated import is_first, rising

#: Names of the columns that each form needs, in lower case.
CARDS, TIMES = ("card_id", "cardid", "cid"), ("review_time", "reviewtime", "review_datetime", "review")
RATINGS = ("review_rating", "rating")
#: Names of the columns that may be missing.
STATES, DURATIONS = ("review_state", "state"), ("review_duration", "duration")


def recognizes(columns: set[str]) -> bool:
    """Return True if a file with these columns has one of these forms."""
    return not any(columns.isdisjoint(names) for names in (CARDS, TIMES, RATINGS))


def read(path: Path) -> Revlog:
    """Read all reviews.

    Raises:
        EvaluatorError: if the file is damaged, or a cell is not what it should be.
    """
    names = csv_log.columns_of(path) or set()
    columns = [
        next((name for name in known if name in names), known[0])
        for known in (TIMES, RATINGS, DURATIONS, CARDS, STATES)
    ]
    if columns[0] == "review":
        columns[2] = DURATIONS[0]  # ts-fsrs has none, and an app's own may be in any unit
    parsers = (csv_log.milliseconds, csv_log.whole_number, _duration, _card)
    cards, is_new = [], []
    numbers = array("q")
    for line, (*cells, card, state) in csv_log.read_cells(path, columns):
        for column, cell, parse in zip(columns, (*cells, card), parsers, strict=False):
            value = parse(cell)
            if value is None:
                raise csv_log.bad_cell(path, line, column, cell, parse)
            numbers.append(value)
        cards.append(card)
        is_new.append(csv_log.whole_number(state) == 0)
    instant_ms, ratings, duration_ms, _ = np.array(numbers, dtype=np.int64).reshape(-1, 4).T
    csv_log.check_unit(path, columns[0], instant_ms)
    csv_log.check_ratings(path, columns[1], ratings)
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


def _duration(cell: str) -> int | None:
    return csv_log.whole_number(cell or "0")


def _card(cell: str) -> int | None:
    """Return any number unless the cell is empty: only all cells together show whether they are numbers or text."""
    return 0 if cell else None

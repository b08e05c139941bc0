"""Reader of review logs as CSV in the forms of fsrs-optimizer, py-fsrs and ts-fsrs, which apps other than Anki export.

All have a row for each review, with the time in milliseconds since 1970 or as ISO 8601 text:

    fsrs-optimizer: card_id, review_time, review_rating, review_state (optional), review_duration (optional)
        formerly:   cardId, reviewTime, rating, state (optional), duration (optional)
    py-fsrs:        card_id, review_datetime, rating, review_duration (may be empty)
    ts-fsrs:        card_id, cardId or cid, review, rating, state (optional)

As in fsrs-optimizer, a card's history starts with its first review. Only the state 0 (New) is used, which resets the
card. The others are ambiguous, because 1 is Learning in FSRS, but Review in Anki. Intervals and ease are unknown.
"""

from __future__ import annotations

from array import array
from pathlib import Path

import numpy as np

from evaluator.data.revlog import Revlog, Snapshot
from tools.sources import csv_log
from tools.sources.clock import stated_clock
from tools.sources.stated import is_first, strictly_increasing

#: Possible names of the required columns, in lower case.
CARDS = ("card_id", "cardid", "cid")
TIMES = ("review_time", "reviewtime", "review_datetime", "review")
RATINGS = ("review_rating", "rating")
#: Possible names of the optional columns.
STATES = ("review_state", "state")
DURATIONS = ("review_duration", "duration")


def recognizes(_start: bytes, columns: set[str]) -> bool:
    """Return whether a file with these columns, in lower case, has one of these forms."""
    return not any(columns.isdisjoint(names) for names in (CARDS, TIMES, RATINGS))


def read(path: Path) -> Snapshot:
    """Read all reviews. The snapshot has the assumed clock.

    Raises:
        EvaluatorError: if the file is damaged, or a cell is invalid.
    """
    columns = csv_log.choose_names(path, (TIMES, RATINGS, DURATIONS, CARDS, STATES))
    if columns[0] == "review":
        # ts-fsrs has no duration, and an app's own column "duration" may be in any unit.
        columns[2] = DURATIONS[0]
    parsers = (csv_log.parse_time, csv_log.parse_integer, _parse_duration, _parse_card)
    numbers = array("q")
    is_new = array("b")
    # Number of each card, from 1, by the text in its cell.
    card_numbers: dict[str, int] = {}
    for line, (*cells, state) in csv_log.read_cells(path, columns):
        for column, cell, parse in zip(columns, cells, parsers, strict=False):
            value = parse(cell)
            if value is None:
                raise csv_log.bad_cell(path, line, column, cell, parse)
            numbers.append(value)
        numbers[-1] = card_numbers.setdefault(cells[-1], len(card_numbers) + 1)
        is_new.append(csv_log.parse_integer(state) == 0)
    instant_ms, ratings, duration_ms, card_id = np.frombuffer(numbers, dtype=np.int64).reshape(-1, 4).T
    csv_log.check_unit(path, columns[0], instant_ms)
    csv_log.check_ratings(path, columns[1], ratings)
    stated_ids = [csv_log.parse_integer(card) for card in card_numbers]
    if None not in stated_ids:
        card_id = np.array(stated_ids, dtype=np.int64)[card_id - 1]
    # Reviews of different cards at the same time get different ids. Rows with the same card and time are one review.
    order = np.lexsort((card_id, instant_ms))
    instant = instant_ms[order]
    sorted_card = card_id[order]
    is_next_review = np.diff(instant, prepend=instant[:1] - 1) != 0
    is_next_review[1:] |= sorted_card[1:] != sorted_card[:-1]
    review_id = np.empty_like(instant)
    review_id[order] = strictly_increasing(instant[is_next_review])[is_next_review.cumsum() - 1]
    kind = np.where(np.frombuffer(is_new, dtype=np.int8), 0, 1)
    kind[order[is_first(sorted_card)]] = 0
    unknown = np.zeros(len(card_id), dtype=np.int64)
    revlog = Revlog(review_id, card_id, ratings, unknown, unknown, unknown, duration_ms, kind)
    return Snapshot(revlog, stated_clock(None))


def _parse_duration(cell: str) -> int | None:
    return csv_log.parse_integer(cell or "0")


def _parse_card(cell: str) -> int | None:
    """Return None for an empty cell. Cards may have numbers or text."""
    return len(cell) or None

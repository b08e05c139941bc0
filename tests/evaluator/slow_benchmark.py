"""An independent, slow re-implementation of the benchmark's table with lists and dictionaries.

Tests compare :mod:`evaluator.data.reviews` and :mod:`evaluator.data.histories` with it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any, Dict, List, NamedTuple, Set, Tuple

from evaluator.data.revlog import Revlog

History = List[Tuple[int, int]]


class Row(NamedTuple):
    """One scored review of either table."""

    log_row: int
    review_id: int
    card_id: int
    elapsed_seconds: int
    elapsed_days: int
    review_number: int
    lapses: int
    recalled: int
    #: (elapsed time, rating) of each earlier row. In the whole-day table, the time is in days, and same-day rows are
    #: missing. In the same-day table, it is in seconds.
    history: History
    history_same_day: History  #: the history of the whole-day table with same-day rows, otherwise empty


def slow_table(log: Revlog, next_day_at: int) -> Tuple[List[Row], List[str]]:
    """Return the rows of the table in review order, and the outcome of each row of the log."""
    outcomes = ["?"] * len(log)
    table = []
    for entries in filter_rows(log, next_day_at, outcomes).values():
        table += _whole_day_rows(entries, outcomes)
    outliers = _find_outliers(table)
    scored_rows = []
    for row in table:
        if row.card_id not in outliers:
            scored_rows.append(row)
            outcomes[row.log_row] = "scored"
        else:
            outcomes[row.log_row] = "outlier" if row.review_number == 2 else "after_outlier"
    return sorted(scored_rows, key=lambda row: row.review_id), outcomes


def slow_same_day_table(log: Revlog, next_day_at: int) -> Tuple[List[Row], List[str]]:
    """Return the rows of the same-day table in review order, and the outcome of each row of the log."""
    outcomes = ["?"] * len(log)
    table = []
    for entries in filter_rows(log, next_day_at, outcomes).values():
        table += _same_day_rows(entries, outcomes)
    return sorted(table, key=lambda row: row.review_id), outcomes


def _same_day_rows(entries: List[Dict[str, Any]], outcomes: List[str]) -> List[Row]:
    """Return the rows of one card that come at least a second after the previous one, with their histories."""
    table = []
    history = []
    number = 1
    for k, entry in enumerate(entries):
        n = entry["n"]
        before = entries[k - 1] if k else entry
        seconds = (entry["id"] - before["id"]) // 1000
        days = entry["day"] - before["day"]
        if k >= 128:
            outcomes[n] = "beyond_128th"
            continue
        if k == 0:
            outcomes[n] = "first_review"
        elif seconds == 0:
            outcomes[n] = "same_second"
        else:
            outcomes[n] = "scored"
            number += days > 0
            lapses = sum(1 for _, rating in history if rating == 1)
            recalled = int(entry["rating"] > 1)
            row = (n, entry["id"], entry["card"], seconds, days, number, lapses, recalled)
            table.append(Row(*row, list(history), []))
        history.append((seconds, entry["rating"]))
    return table


def filter_rows(log: Revlog, next_day_at: int, outcomes: List[str]) -> Dict[int, List[Dict[str, Any]]]:
    """Return the rows of each card since its last learning started, in chronological order.

    The outcomes of all other rows are written into ``outcomes``.
    """
    cards = defaultdict(list)
    seen = set()
    for n in sorted(range(len(log)), key=lambda n: int(log.review_id[n])):
        review_id = int(log.review_id[n])
        button = int(log.button[n])
        kind = int(log.kind[n])
        # From the year 5 to the year 9987.
        if not -62_000_000_000_000 <= review_id <= 253_000_000_000_000:
            outcomes[n] = "invalid_time"
        elif button == 0:
            outcomes[n] = "not_answered"
        elif button not in {1, 2, 3, 4}:
            outcomes[n] = "unknown_button"
        elif kind not in range(6):
            outcomes[n] = "unknown_kind"
        elif kind == 3 and log.factor[n] == 0:
            outcomes[n] = "cram"
        elif review_id in seen:
            outcomes[n] = "repeated"
        else:
            seen.add(review_id)
            day = -((next_day_at * 1000 - review_id) // 86_400_000)
            card = int(log.card_id[n])
            entry = {"n": n, "id": review_id, "card": card, "rating": button, "learning": kind == 0, "day": day}
            cards[card].append(entry)
    for entries in cards.values():
        start = None
        for k, entry in enumerate(entries):
            if entry["learning"] and (k == 0 or not entries[k - 1]["learning"]):
                start = k
        for entry in entries[:start]:
            outcomes[entry["n"]] = "never_learned" if start is None else "before_relearned_from_new"
        entries[:] = [] if start is None else entries[start:]
    return cards


def _whole_day_rows(entries: List[Dict[str, Any]], outcomes: List[str]) -> List[Row]:
    """Return the rows of one card that have a positive interval, with their histories."""
    table = []
    plain = []
    full = []
    previous_day = None
    for k, entry in enumerate(entries):
        n = entry["n"]
        rating = entry["rating"]
        if k >= 128:
            outcomes[n] = "beyond_128th"
            continue
        elapsed = 0 if previous_day is None else entry["day"] - previous_day
        if k == 0:
            outcomes[n] = "first_review"
        elif elapsed == 0:
            outcomes[n] = "same_day"
        else:
            lapses = sum(1 for t, g in plain if g == 1 and t != 0)
            recalled = int(rating > 1)
            number = 1 + sum(1 for t, _ in plain if t > 0) + 1
            seconds = (entry["id"] - entries[k - 1]["id"]) // 1000
            row = (n, entry["id"], entry["card"], seconds, elapsed, number, lapses, recalled)
            table.append(Row(*row, list(plain), list(full)))
        if k == 0 or elapsed > 0:
            plain.append((elapsed, rating))
        full.append((elapsed, rating))
        previous_day = entry["day"]
    return table


def _find_outliers(table: List[Row]) -> Set[int]:
    """Return the cards whose second review the outlier filter removes."""
    removed_cards = set()
    second = [row for row in table if row.review_number == 2]
    for first_rating in (1, 2, 3, 4):
        group = [row for row in second if row.history[0][1] == first_rating]
        counts = Counter(row.elapsed_days for row in group)
        limit = 365 if first_rating == 4 else 100
        removed = 0
        for elapsed, count in sorted(counts.items(), key=lambda item: (item[1], -item[0])):
            budget_is_used_up = removed + count >= max(0.05 * len(group), 20)
            if not (budget_is_used_up and count >= 6 and elapsed <= limit):
                removed += count
                removed_cards |= {row.card_id for row in group if row.elapsed_days == elapsed}
    return removed_cards

"""Reads one student's lines of MaiMemo's student-memory-logs (``opensource_dataset_raw.tsv``).

A line is a review of the word ``w`` by the student ``u``: the intervals and outcomes of all reviews before it
(``t_history`` and ``r_history``, separated by commas, the first interval is 0), the days since the last one
(``delta_t``) and the outcome (``r``, 1 for remembered). Nothing says on which day a review was, so all words begin on
the same day; there are no ratings, so remembered is Good. The reader is made from the description of the columns in the
data set's own repository (SSP-MMC), not from the file.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from evaluator.errors import ManyPeople, MissingColumns
from evaluator.revlog import SECONDS_PER_DAY, Clock, Snapshot
from tools.sources import csv_log
from tools.sources.stated import MOST_DAYS, snapshot_of

COLUMNS = ("u", "w", "t_history", "r_history", "delta_t", "r")
#: What no other file has.
_TELLING = {"t_history", "r_history"}

AGAIN, GOOD = 1, 3

#: Days since the last review and whether it was remembered, of each review of a word.
Word = list[tuple[int, int]]


def recognises(columns: set[str]) -> bool:
    """Whether a file with these columns is one of these."""
    return columns >= _TELLING


def read(path: Path) -> Snapshot:
    """Read all reviews of all words. The line with the longest history of a word has all of them.

    Raises:
        MissingColumns: a column is missing.
        ManyPeople: there are lines of several students.
        UnreadableCsv: it is no text, or too large.
    """
    names = csv_log.header(path)
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise MissingColumns(path=str(path), missing=missing, found=names)
    unread: Counter[str] = Counter()
    students = set()
    lines: dict[str, list[Word]] = {}
    for _, (student, word, *cells) in csv_log.read_cells(path, COLUMNS):
        students.add(student)
        reviews = _reviews(cells)
        if reviews is None:
            unread["no_history"] += 1
        else:
            lines.setdefault(word, []).append(reviews)
    if len(students) > 1:
        raise ManyPeople(path=str(path), people=len(students), column="u")
    words = []
    for of_word in lines.values():
        longest = max(of_word, key=len)
        unread["other_history"] += sum(one != longest[: len(one)] for one in of_word)
        words.append(longest)
    snapshot, negative = _snapshot(words)
    notes = (("same_beginning", len(words)), ("negative_interval", negative))
    return replace(
        snapshot,
        unread=tuple((+unread).items()),
        notes=tuple((code, count) for code, count in notes if count),
    )


def _reviews(cells: list[str]) -> Word | None:
    """All reviews of a word that a line tells; None where it cannot be read."""
    days, outcomes, last_days, last_outcome = cells
    try:
        elapsed = [_whole(one) for one in (*filter(None, days.split(",")), last_days)]
        remembered = [_whole(one) for one in (*filter(None, outcomes.split(",")), last_outcome)]
    except (ValueError, OverflowError):
        return None
    possible = len(elapsed) == len(remembered) and set(remembered) <= {0, 1} and max(map(abs, elapsed)) < MOST_DAYS
    return list(zip(elapsed, remembered, strict=True)) if possible else None


def _whole(cell: str) -> int:
    """The whole number in a cell, also as ``1.0``. Raises ValueError or OverflowError."""
    number = float(cell)
    if number != int(number):
        raise ValueError(f"{cell} is no whole number")
    return int(number)


def _snapshot(words: list[Word]) -> tuple[Snapshot, int]:
    """The snapshot of these words, and in how many reviews the interval is negative."""
    rows = [(card, days, outcome) for card, word in enumerate(words) for days, outcome in word]
    card, days, outcome = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    is_first = np.diff(card, prepend=-1) != 0
    elapsed = np.where(is_first, 0, np.maximum(days, 0))
    since = np.cumsum(elapsed)
    day = since - since[is_first][np.cumsum(is_first) - 1]
    order = np.argsort(day, kind="stable")
    rating = np.where(outcome == 1, GOOD, AGAIN)
    instant = day[order] * SECONDS_PER_DAY * 1000
    snapshot = snapshot_of(card[order], instant, elapsed[order], rating[order], Clock(0, assumed=True))
    return snapshot, int((~is_first & (days < 0)).sum())

"""Read SuperMemo 15's ``Repetition History.txt``: all repetitions, with the expected forgetting index.

A repetition is a line that begins with ``ElNo=``; it holds ``key=value`` pairs, separated by blanks. The reader is made
from the description of these keys in a public comparison (fsrs-vs-sm15), whose rules on what is kept it follows, and
not from anyone's file.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evaluator.data.revlog import Snapshot
from evaluator.errors import UnreadableCsv
from tools.sources.dates import read_date
from tools.sources.instants import MS_PER_DAY
from tools.sources.supermemo import RATING, is_element, number_in, opened, snapshot_with

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

START = "ElNo="
KEYS = ("ElNo", "Date", "Rep", "Laps", "Grade", "expFI")
PREDICTED = ("SM-15",)


def recognizes(start: bytes) -> bool:
    """Return whether a file that begins like this has this format."""
    return any(line.startswith(START.encode()) for line in start.splitlines())


def read(path: Path) -> Snapshot:
    """Read the repetitions that can be used; the others are counted by reason.

    Raises:
        UnreadableCsv: it is not a text, too large, or no line has one of the keys.
    """
    missing = set(KEYS)
    unread: Counter[str] = Counter()
    numbers = array("d")
    with opened(path) as text:
        for line in text:
            if line.startswith(START):
                pairs = dict(word.split("=", 1) for word in line.split() if "=" in word)
                missing.difference_update(pairs)
                numbers.extend(_numbers(pairs, unread))
    if missing:
        keys = ", ".join(key for key in KEYS if key in missing)
        raise UnreadableCsv(path=str(path), detail=f"none of its lines has {keys}")
    table = np.frombuffer(numbers).reshape(-1, 7)
    table = table[np.lexsort((table[:, 1], table[:, 0]))]
    table = table[_is_usable(table, unread)]
    element, day, hour, _, _, grade, forgetting_index = table.T
    hours = np.where((hour >= 0) & (hour < 24), hour, 0)
    instant = day * MS_PER_DAY + (hours * 3600).astype(np.int64) * 1000
    interval = np.where(_begins(element), 0, np.diff(day, prepend=0))
    rating = RATING[grade.astype(np.int64)]
    kept = np.column_stack((instant, element, interval, rating, 1 - forgetting_index / 100))
    return snapshot_with(kept, PREDICTED, unread=unread)


def _numbers(pairs: Mapping[str, str], unread: Counter[str]) -> Sequence[float]:
    """Return the element, day, hour, repetition, lapses, grade and forgetting index; nothing if they cannot be read."""
    element, hour, repetition, lapses, grade, index = (
        number_in(pairs.get(key, "")) for key in ("ElNo", "Hour", "Rep", "Laps", "Grade", "expFI")
    )
    instant = read_date(pairs.get("Date", ""), day_first=True)
    if instant is None:
        unread["no_date"] += 1
    elif not is_element(element):
        unread["no_card"] += 1
    elif not (grade.is_integer() and grade >= 0):
        unread["no_grade"] += 1
    elif not 0 <= index <= 100:
        unread["no_prediction"] += 1
    else:
        return element, instant // MS_PER_DAY, hour, repetition, lapses, grade, index
    return ()


def _is_usable(table: Floats, unread: Counter[str]) -> Bools:
    """Return which rows are kept, in the order of elements and days; the others are counted."""
    element, day, _, repetition, lapses, grade, forgetting_index = table.T
    is_first = (repetition == 1) & (lapses == 0)  # the element was only shown, not tested
    begins = _begins(element)
    kept = np.isin(element, element[begins & is_first])
    unread["incomplete_element"] += int((~kept).sum())
    unread["introduction"] += int((kept & is_first).sum())
    kept &= ~is_first
    for step, applies in (("reset_element", grade >= len(RATING)), ("certain_lapse", forgetting_index == 100)):
        out = kept & np.isin(element, element[kept & applies])
        unread[step] += int(out.sum())
        kept &= ~out
    rows = np.flatnonzero(kept)
    again = rows[~(_begins(element[rows]) | _begins(day[rows]))]
    unread["same_day_again"] += len(again)
    kept[again] = False
    return kept


def _begins(values: Floats) -> Bools:
    """Return whether each value differs from the one before it."""
    return np.asarray(np.diff(values, prepend=np.nan) != 0)

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
from evaluator.errors import UnreadableText
from tools.sources.dataset import MS_PER_DAY
from tools.sources.supermemo import RATING, is_element, number_in, opened, read_date, snapshot_with

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

START = "ElNo="
KEYS = ("ElNo", "Date", "Rep", "Laps", "Grade", "expFI")
PREDICTED = ("SM-15",)


def recognizes(start: bytes, _columns: set[str]) -> bool:
    """Return whether a file that begins like this has this format."""
    return any(line.startswith(START.encode()) for line in start.splitlines())


def read(path: Path) -> Snapshot:
    """Read the repetitions that can be used, and count the others by reason.

    Raises:
        UnreadableText: it is not a text, too large, or no line has one of the keys.
    """
    unread: Counter[str] = Counter()
    return snapshot_with(_kept(_repetitions(path, unread), unread), PREDICTED, unread=unread)


def _repetitions(path: Path, unread: Counter[str]) -> Floats:
    """Return a row for each line whose numbers can be read, in the order of elements and days.

    The columns are element, day, hour, whether the element was only shown, not tested, grade, and forgetting index.
    """
    missing = set(KEYS)
    numbers = array("d")
    with opened(path) as text:
        for line in text:
            if line.startswith(START):
                pairs = dict(word.split("=", 1) for word in line.split() if "=" in word)
                missing.difference_update(pairs)
                numbers.extend(_numbers(pairs, unread))
    if missing:
        keys = ", ".join(key for key in KEYS if key in missing)
        raise UnreadableText(path=str(path), detail=f"none of its lines has {keys}")
    table = np.frombuffer(numbers).reshape(-1, 6)
    return np.asarray(table[np.lexsort((table[:, 1], table[:, 0]))])


def _numbers(pairs: Mapping[str, str], unread: Counter[str]) -> Sequence[float]:
    """Return the columns of :func:`_repetitions`, or nothing if they cannot be read."""
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
        return element, instant // MS_PER_DAY, hour, repetition == 1 and lapses == 0, grade, index
    return ()


def _kept(table: Floats, unread: Counter[str]) -> Floats:
    """Return the rows of the snapshot, and count the others."""
    kept = _is_kept(table, unread)
    element, day, hour = (table[kept, column] for column in range(3))
    rows = np.empty((len(element), 5))
    rows[:, 0] = day * MS_PER_DAY + (np.where((hour >= 0) & (hour < 24), hour, 0) * 3600).astype(np.int64) * 1000
    rows[:, 1] = element
    rows[:, 2] = np.where(_begins(element), 0, np.diff(day, prepend=0))
    rows[:, 3] = RATING[table[kept, 4].astype(np.int64)]
    rows[:, 4] = 1 - table[kept, 5] / 100
    return rows


def _is_kept(table: Floats, unread: Counter[str]) -> Bools:
    element, day, _, shown, grade, forgetting_index = table.T
    is_first = shown == 1
    kept = np.isin(element, element[_begins(element) & is_first])
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

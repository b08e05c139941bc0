"""Reader of SuperMemo 15's ``Repetition History.txt``, with all repetitions and the expected forgetting index.

A repetition is a line that begins with ``ElNo=`` and consists of ``key=value`` pairs, separated by blanks. The reader
follows the description of these keys in a public comparison (fsrs-vs-sm15), and its rules on which repetitions count.
It was not tested with a real file.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from evaluator.data.revlog import Bools, Snapshot
from evaluator.derivatives import Floats
from evaluator.errors import UnreadableText
from tools.sources.anki_10k import MS_PER_DAY
from tools.sources.supermemo import RATING, is_element, number_in, open_text, read_date, snapshot_with

#: Beginning of a line with a repetition.
START = "ElNo="
#: Keys that must be in at least one line each.
KEYS = ("ElNo", "Date", "Rep", "Laps", "Grade", "expFI")
#: Name of the algorithm whose predictions are the expected forgetting indices.
PREDICTED = ("SM-15",)


def recognizes(start: bytes, _columns: set[str]) -> bool:
    """Return whether a file that begins like this has this format."""
    return any(line.startswith(START.encode()) for line in start.splitlines())


def read(path: Path) -> Snapshot:
    """Read the usable repetitions, and count the unusable ones by reason.

    Raises:
        UnreadableText: if the file is not a text or too large, or if one of the keys is in no line.
    """
    unread: Counter[str] = Counter()
    return snapshot_with(_usable_rows(_repetitions(path, unread), unread), PREDICTED, unread=unread)


def _repetitions(path: Path, unread: Counter[str]) -> Floats:
    """Return a row for each line whose numbers can be read, sorted by element and day, shape (n, 6).

    The columns are the element, the day, the hour, whether the element was shown for the first time and thus not
    tested, the grade, and the expected forgetting index in percent. Other lines are counted in ``unread``.
    """
    missing = set(KEYS)
    numbers = array("d")
    with open_text(path) as text:
        for line in text:
            if line.startswith(START):
                pairs = dict(word.split("=", 1) for word in line.split() if "=" in word)
                missing.difference_update(pairs)
                numbers.extend(_parse_numbers(pairs, unread))
    if missing:
        keys = ", ".join(key for key in KEYS if key in missing)
        raise UnreadableText(path=str(path), detail=f"none of its lines has {keys}")
    table = np.frombuffer(numbers).reshape(-1, 6)
    return table[np.lexsort((table[:, 1], table[:, 0]))]


def _parse_numbers(pairs: Mapping[str, str], unread: Counter[str]) -> Sequence[float]:
    """Return a row of :func:`_repetitions`, or nothing if it cannot be read."""
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


def _usable_rows(table: Floats, unread: Counter[str]) -> Floats:
    """Return the rows for :func:`snapshot_with`, and count those left out in ``unread``."""
    is_usable = _is_usable(table, unread)
    element, day, hour = (table[is_usable, column] for column in range(3))
    rows = np.empty((len(element), 5))
    # A missing or impossible hour counts as 0.
    rows[:, 0] = day * MS_PER_DAY + (np.where((hour >= 0) & (hour < 24), hour, 0) * 3600).astype(np.int64) * 1000
    rows[:, 1] = element
    rows[:, 2] = np.where(_is_new(element), 0, np.diff(day, prepend=0))
    rows[:, 3] = RATING[table[is_usable, 4].astype(np.int64)]
    rows[:, 4] = 1 - table[is_usable, 5] / 100
    return rows


def _is_usable(table: Floats, unread: Counter[str]) -> Bools:
    """Return which rows are usable, and count the others in ``unread``."""
    element, day, _, was_shown, grade, forgetting_index = table.T
    is_first = was_shown == 1
    usable = np.isin(element, element[_is_new(element) & is_first])
    unread["incomplete_element"] += int((~usable).sum())
    unread["introduction"] += int((usable & is_first).sum())
    usable &= ~is_first
    for step, applies in (("reset_element", grade >= len(RATING)), ("certain_lapse", forgetting_index == 100)):
        excluded = usable & np.isin(element, element[usable & applies])
        unread[step] += int(excluded.sum())
        usable &= ~excluded
    rows = np.flatnonzero(usable)
    same_day_rows = rows[~(_is_new(element[rows]) | _is_new(day[rows]))]
    unread["same_day_again"] += len(same_day_rows)
    usable[same_day_rows] = False
    return usable


def _is_new(values: Floats) -> Bools:
    """Return whether each value differs from the one before it."""
    return np.asarray(np.diff(values, prepend=np.nan) != 0)

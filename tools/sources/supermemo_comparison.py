"""Read SuperMemo 18's ``stats/SM16-v-SM17.csv`` (or later): each repetition, and its predictions.

Of each repetition it has the element, the interval since the last one, the grade, whether it was a success, and what
the algorithms SM-16 and SM-17 had predicted. The reader is made from the description of these columns in a public
comparison (fsrs-vs-sm17), not from anyone's file.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from evaluator.data.revlog import Snapshot
from evaluator.errors import MissingColumns
from tools.sources.csv_log import checked_rows
from tools.sources.stated import MAX_DAYS
from tools.sources.supermemo import RATING, is_day_first, is_element, number_in, opened, read_date, snapshot_with

COLUMNS = ("Date", "Element No", "Used interval", "Grade", "Success", "R (SM16)", "R (SM17)")
#: The algorithms of the last columns.
PREDICTED = ("SM-16", "SM-17")

#: The reasons why a row is not kept, as steps of the funnel; the first one decides.
STEPS = ("no_date", "no_card", "no_outcome", "no_grade", "no_prediction", "no_interval")

#: Number of columns by which such a file is recognized.
_TELLING = 3


def recognizes(start: bytes, _columns: set[str]) -> bool:
    """Return whether a file that begins like this has this format."""
    names = {name.strip() for name in start.partition(b"\n")[0].decode("latin-1").split(",")}
    return len(names & set(COLUMNS)) >= _TELLING


def read(path: Path) -> Snapshot:
    """Read the repetitions that can be used, and count the others by reason.

    Raises:
        UnreadableText: if it is not a text, or too large.
        UnreadableCsv: if a line has misplaced quotes or too many cells.
        MissingColumns: if a column is missing.
    """
    day_first = is_day_first(date for date, *_ in _cells(path))
    unread: Counter[str] = Counter()
    kept = array("d")
    contradictory = 0
    for date, *others in _cells(path):
        instant = read_date(date, day_first=day_first)
        element, interval, grade, success, *predicted = map(number_in, others)
        step = _step(instant, element, interval, grade, success, predicted)
        if step is not None or instant is None:
            unread[str(step)] += 1
            continue
        of_grade = int(RATING[int(grade)])
        rating = max(of_grade, 2) if success else 1
        contradictory += (rating > 1) != (of_grade > 1)
        kept.extend((instant, element, interval, rating, *predicted))
    rows = np.frombuffer(kept).reshape(-1, 4 + len(PREDICTED))
    return snapshot_with(rows, PREDICTED, unread=unread, success_decides=contradictory)


def _cells(path: Path) -> Iterator[list[str]]:
    """Yield each row's cells in :data:`COLUMNS`."""
    with opened(path) as text:
        names = [name.strip() for name in text.readline().split(",")]
        missing = [name for name in COLUMNS if name not in names]
        if missing:
            raise MissingColumns(path=str(path), missing=missing, found=names)
        positions = [names.index(name) for name in COLUMNS]
        for _, row in checked_rows(text, path, delimiter=",", width=len(names)):
            yield [row[index].strip() if index < len(row) else "" for index in positions]


def _step(
    instant: int | None, element: float, interval: float, grade: float, success: float, predicted: Sequence[float]
) -> str | None:
    """Return why a row is not kept, or None if it is."""
    is_so = (
        instant is None,
        not is_element(element),
        success not in (0, 1),
        grade not in range(6),
        not all(0 <= item <= 1 for item in predicted),
        not 0 < interval < MAX_DAYS,
    )
    return next((step for step, applies in zip(STEPS, is_so, strict=True) if applies), None)

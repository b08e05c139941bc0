"""Reader of ``stats/SM16-v-SM17.csv`` of SuperMemo 18 or later, with each repetition and its predictions.

For each repetition, the file has the element, the interval since the last one, the grade, whether it was a success, and
the predictions of the algorithms SM-16 and SM-17. The reader follows the description of these columns in a public
comparison (fsrs-vs-sm17), and was not tested with a real file.
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
from tools.sources.supermemo import RATING, is_day_first, is_element, number_in, open_text, read_date, snapshot_with

#: Names of the columns that are read.
COLUMNS = ("Date", "Element No", "Used interval", "Grade", "Success", "R (SM16)", "R (SM17)")
#: Names of the algorithms with their predictions in the last columns.
PREDICTED = ("SM-16", "SM-17")

#: Steps of the row accounting in which rows are left out. A row is counted in the first one that applies.
STEPS = ("no_date", "no_card", "no_outcome", "no_grade", "no_prediction", "no_interval")

#: Minimum number of the columns by which such a file is recognized.
_MIN_COLUMNS = 3


def recognizes(start: bytes, _columns: set[str]) -> bool:
    """Return whether a file that begins like this has this format."""
    names = {name.strip() for name in start.partition(b"\n")[0].decode("latin-1").split(",")}
    return len(names & set(COLUMNS)) >= _MIN_COLUMNS


def read(path: Path) -> Snapshot:
    """Read the usable repetitions, and count the unusable ones by reason.

    Raises:
        UnreadableText: if it is not a text, or too large.
        UnreadableCsv: if a line has misplaced quotes or too many cells.
        MissingColumns: if a column is missing.
    """
    day_first = is_day_first(date for date, *_ in _cells(path))
    unread: Counter[str] = Counter()
    numbers = array("d")
    contradiction_count = 0
    for date, *cells in _cells(path):
        instant = read_date(date, day_first=day_first)
        element, interval, grade, success, *predicted = map(number_in, cells)
        step = _step(instant, element, interval, grade, success, predicted)
        if step is not None or instant is None:
            unread[str(step)] += 1
            continue
        rating_by_grade = int(RATING[int(grade)])
        rating = max(rating_by_grade, 2) if success else 1
        contradiction_count += (rating > 1) != (rating_by_grade > 1)
        numbers.extend((instant, element, interval, rating, *predicted))
    rows = np.frombuffer(numbers).reshape(-1, 4 + len(PREDICTED))
    return snapshot_with(rows, PREDICTED, unread=unread, success_decides=contradiction_count)


def _cells(path: Path) -> Iterator[list[str]]:
    """Yield the cells of each row, in the order of :data:`COLUMNS`."""
    with open_text(path) as text:
        names = [name.strip() for name in text.readline().split(",")]
        missing = [name for name in COLUMNS if name not in names]
        if missing:
            raise MissingColumns(path=str(path), missing=missing, found=names)
        positions = [names.index(name) for name in COLUMNS]
        # Further cells belong to the element's title if that is the last column.
        has_no_title = "title" not in names[-1].lower()
        for _, row in checked_rows(text, path, delimiter=",", width=len(names), refuse_long=has_no_title):
            yield [row[index].strip() if index < len(row) else "" for index in positions]


def _step(
    instant: int | None, element: float, interval: float, grade: float, success: float, predicted: Sequence[float]
) -> str | None:
    """Return the step of the row accounting in which a row is left out, or None if it is kept."""
    is_left_out = (
        instant is None,
        not is_element(element),
        success not in (0, 1),
        grade not in range(6),
        not all(0 <= item <= 1 for item in predicted),
        not 0 < interval < MAX_DAYS,
    )
    return next((step for step, applies in zip(STEPS, is_left_out, strict=True) if applies), None)

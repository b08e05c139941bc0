"""Functions that the readers of SuperMemo's files share."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import numpy as np

from evaluator.algorithms.external import RecordedPredictions
from evaluator.data.revlog import Clock, Snapshot
from evaluator.derivatives import Floats
from evaluator.errors import UnreadableText
from tools.sources.limits import TooLarge, limited_text
from tools.sources.stated import snapshot_of

#: Rating by grade, from 0 to 5.
RATING = np.array([1, 1, 1, 2, 3, 4])

#: Clock for local times, because the files do not state the time zone.
CLOCK = Clock(0, utc_offset_minutes=0, rollover_hour=0)

#: Upper bound of the number of an element (SuperMemo's word for a card). Up to it, floats are exact.
MAX_ELEMENTS = 1 << 53

#: Possible encodings of a file, in the order in which they are tried.
_ENCODINGS = ("utf-8-sig", "gbk")
_DESCRIPTION = "Predicted by SuperMemo itself, before each review"


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """Open a file as text, in UTF-8 or else in GBK.

    Raises:
        UnreadableText: if it is neither, or too large.
    """
    try:
        encoding = _encoding_of(path)
        with limited_text(path.open("rb"), encoding) as text:
            yield text
    except TooLarge as error:
        raise UnreadableText(path=str(path), detail=str(error)) from error


def _encoding_of(path: Path) -> str:
    """Return the encoding of a text. Raises UnreadableText or TooLarge."""
    for encoding in _ENCODINGS:
        with suppress(UnicodeDecodeError), limited_text(path.open("rb"), encoding) as text:
            # Read the whole file, because a wrong byte may be anywhere.
            for _ in text:
                pass
            return encoding
    raise UnreadableText(path=str(path), detail="it is neither UTF-8 nor GBK text")


def number_in(cell: str) -> float:
    """Return the number in a cell, also with a decimal comma, or NaN if there is none."""
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return math.nan


def is_element(number: float) -> bool:
    """Return whether this may be the number of an element."""
    return number.is_integer() and 0 <= number < MAX_ELEMENTS


def snapshot_with(
    rows: Floats, predicted: Sequence[str], *, unread: Counter[str], success_decides: int = 0
) -> Snapshot:
    """Return the snapshot of repetitions, with SuperMemo's own predictions as recorded algorithms.

    Args:
        rows: the repetitions in any order, shape (n, 4 + algorithms). The columns are the instant in ms, the element,
            the interval in days, the rating, and the prediction of each algorithm.
        predicted: the names of the algorithms.
        unread: the number of rows left out, by the step of the row accounting.
        success_decides: the number of rows in which grade and success contradict each other.
    """
    order = np.argsort(rows[:, 0], kind="stable")
    instant, element, interval, rating = (rows[order, column].astype(np.int64) for column in range(4))
    snapshot = snapshot_of(element, instant, interval, rating, CLOCK)
    recorded = tuple(
        RecordedPredictions(name, _DESCRIPTION, review_id=snapshot.revlog.review_id, predicted=rows[order, column])
        for column, name in enumerate(predicted, start=4)
    )
    notes: Mapping[str, int] = {"first_interval": len(np.unique(element)), "success_decides": success_decides}
    return replace(
        snapshot,
        recorded=recorded,
        unread=tuple((+unread).items()),
        notes=tuple((code, count) for code, count in notes.items() if count),
    )


#: First three letters of the English names of the months.
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

#: Optional time of the day after a date.
_TIME = r"(?:[ T]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?)?"
#: A date such as ``Jan 31 2023 14:05:06``. The month may have a dot, or be a number, as in ``1月 31 2023``.
_MONTH_FIRST = re.compile(rf"(?P<month>\d{{1,2}}月?|[^\W\d]+)\.? +(?P<day>\d{{1,2}}),? +(?P<year>\d{{4}}){_TIME}")
#: A date such as ``31/01/2023 14:05`` or ``01-31-23``. The file's other dates show which number is the day.
_NUMBERS = re.compile(rf"(?P<first>\d{{1,2}})(?P<sign>[/.-])(?P<other>\d{{1,2}})(?P=sign)(?P<year>\d{{4}}|\d\d){_TIME}")

#: First of the hundred years that a year of two digits can mean.
_EARLIEST_YEAR = 1970
_EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - local times without a zone


def is_day_first(cells: Iterable[str]) -> bool:
    """Return whether the day is before the month in dates of numbers only.

    This is decided by the majority of the dates that are valid in one order only. If there are none, dates with a time
    begin with the day, and dates without a time begin with the month.
    """
    n_day_first = 0
    n_month_first = 0
    has_time = False
    for match in filter(None, map(_NUMBERS.fullmatch, cells)):
        n_day_first += int(match["first"]) > 12
        n_month_first += int(match["other"]) > 12
        has_time = has_time or match["hour"] is not None
    return n_day_first > n_month_first if n_day_first != n_month_first else has_time


def read_date(cell: str, *, day_first: bool) -> int | None:
    """Return a date in milliseconds since 1970 by the user's clock, or None if it has an unknown form.

    Args:
        cell: a date, with or without a time of the day.
        day_first: whether the day is before the month in a date of numbers only.
    """
    match = _MONTH_FIRST.fullmatch(cell)
    numbers = _NUMBERS.fullmatch(cell)
    if match:
        month = _month_number(match["month"])
        day = int(match["day"])
    elif numbers:
        first, other = int(numbers["first"]), int(numbers["other"])
        day, month = (first, other) if day_first else (other, first)
        match = numbers
    else:
        return None
    year = int(match["year"])
    if len(match["year"]) == 2:
        year += (_EARLIEST_YEAR - year + 99) // 100 * 100
    try:
        hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
        instant = dt.datetime(year, month, day, hour, minute, second)  # noqa: DTZ001
    except ValueError:
        return None
    return int((instant - _EPOCH).total_seconds()) * 1000


def _month_number(text: str) -> int:
    """Return the number of a month, or 0 if the text names none."""
    digits = text.removesuffix("月")
    name = text[:3].lower()
    if digits.isdecimal():
        return int(digits)
    return _MONTHS.index(name) + 1 if name in _MONTHS else 0

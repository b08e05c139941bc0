"""Read dates as programs on Windows write them, in the order and the language of the user's computer.

By hand, as dateutil takes "10" and "May" for dates, and ten times as long (33 and 3 microseconds each).
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence

#: First letters of the names of the months in English, German and Portuguese, and the Chinese numbers.
_MONTHS = (
    ("jan", "一月"),
    ("feb", "fev", "二月"),
    ("mar", "mär", "mrz", "mae", "三月"),
    ("apr", "abr", "四月"),
    ("may", "mai", "五月"),
    ("jun", "六月"),
    ("jul", "七月"),
    ("aug", "ago", "八月"),
    ("sep", "set", "九月"),
    ("oct", "okt", "out", "十月"),
    ("nov", "十一月"),
    ("dec", "dez", "十二月"),
)
_MONTH = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names}

_TIME = r"(?:[ T]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?)?"
#: ``Jan 31 2023 14:05:06``, in which the month may be a number, with or without a dot or 月.
_MONTH_FIRST = re.compile(rf"(?P<month>\d{{1,2}}月?|[^\W\d]+)\.? +(?P<day>\d{{1,2}}),? +(?P<year>\d{{4}}){_TIME}")
#: ``31/01/2023 14:05`` or ``01-31-23``; the file's other dates show which number is the day.
_NUMBERS = re.compile(rf"(?P<first>\d{{1,2}})(?P<sign>[/.-])(?P<other>\d{{1,2}})(?P=sign)(?P<year>\d{{4}}|\d\d){_TIME}")

#: Two-digit years are from 1970 to 2069.
_EARLIEST_YEAR = 1970
_EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - local times without a zone


def read_dates(cells: Sequence[str], *, day_first: bool | None = None) -> list[int | None]:
    """Return each cell in milliseconds since 1970 by its own clock; None if it is not a date.

    Args:
        cells: in any of the forms above, with or without a time of the day.
        day_first: whether the day is before the month if both are numbers. None: as in most cells that can only
            be meant in one order; if there is no such cell, dates with a time begin with the day, others do not.
    """
    if day_first is None:
        day_first = is_day_first(cells)
    return [read_date(cell, day_first=day_first) for cell in cells]


def is_day_first(cells: Iterable[str]) -> bool:
    """Return whether the day is before the month if both are numbers, as :func:`read_dates` decides it."""
    days = months = 0
    has_time = False
    for match in filter(None, map(_NUMBERS.fullmatch, cells)):
        days += int(match["first"]) > 12
        months += int(match["other"]) > 12
        has_time = has_time or match["hour"] is not None
    return days > months if days != months else has_time


def read_date(cell: str, *, day_first: bool) -> int | None:
    """Return one cell as :func:`read_dates` does."""
    named, numbers = _MONTH_FIRST.fullmatch(cell), _NUMBERS.fullmatch(cell)
    if named:
        month, day, match = _month(named["month"]), int(named["day"]), named
    elif numbers:
        day, month = (int(numbers[name]) for name in (("first", "other") if day_first else ("other", "first")))
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


def _month(text: str) -> int:
    """Number of a month; 0 if it is not the name of one."""
    name = text.lower()
    number = name.removesuffix("月")
    if number.isdecimal():
        return int(number)
    return _MONTH.get(name, _MONTH.get(name[:3], 0))

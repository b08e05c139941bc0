"""Read SuperMemo 15's ``Repetition History.txt``: all repetitions, with the expected forgetting index.

A repetition is a line that begins with ``ElNo=``; it holds ``key=value`` pairs, separated by blanks. The reader is made
from the description of these keys in a public comparison (fsrs-vs-sm15), whose rules on what is kept it follows, and
not from anyone's file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from evaluator.data.revlog import Snapshot
from evaluator.errors import UnreadableCsv
from tools.sources.dates import read_dates
from tools.sources.instants import MS_PER_DAY
from tools.sources.supermemo import RATING, is_element, number_in, snapshot_with, text_of

START = "ElNo="
KEYS = ("ElNo", "Date", "Rep", "Laps", "Grade", "expFI")
PREDICTED = ("SM-15",)


class Repetition(NamedTuple):
    """A repetition: a line of the file."""

    element: float
    day: int  #: since 1970
    hour: float
    repetition: float  #: 1, 2, ... since the last lapse
    lapses: float
    grade: float  #: 0 to 5; a higher number means no grade
    forgetting_index: float  #: expected, in percent

    @property
    def is_first(self) -> bool:
        """Return whether the element was only shown, not tested."""
        return self.repetition == 1 and self.lapses == 0


def recognizes(start: bytes) -> bool:
    """Return whether a file that begins like this has this format."""
    return any(line.startswith(START.encode()) for line in start.splitlines())


def read(path: Path) -> Snapshot:
    """Read the repetitions that can be used; the others are counted by reason.

    Raises:
        UnreadableCsv: it is not a text, too large, or no line has one of the keys.
    """
    lines = [_pairs(line) for line in text_of(path).splitlines() if line.startswith(START)]
    result = {key for line in lines for key in line}
    missing = [key for key in KEYS if key not in result]
    if missing:
        raise UnreadableCsv(path=str(path), detail=f"none of its lines has {', '.join(missing)}")
    unread: Counter[str] = Counter()
    kept: list[tuple[float, ...]] = []
    repetitions = sorted(_readable(lines, unread), key=lambda item: (item.element, item.day))
    for _, element in groupby(repetitions, key=lambda item: item.element):
        before: int | None = None
        for item in _usable(list(element), unread):
            hours = item.hour if 0 <= item.hour < 24 else 0
            instant = item.day * MS_PER_DAY + int(hours * 3600) * 1000
            interval = 0 if before is None else item.day - before
            kept.append((instant, item.element, interval, RATING[int(item.grade)], 1 - item.forgetting_index / 100))
            before = item.day
    return snapshot_with(kept, PREDICTED, unread=unread)


def _pairs(line: str) -> dict[str, str]:
    return {key: value for key, equals, value in (word.partition("=") for word in line.split()) if equals}


def _readable(lines: Sequence[dict[str, str]], unread: Counter[str]) -> Iterator[Repetition]:
    """Yield the lines whose numbers can be read; the others are counted."""
    instants = read_dates([line.get("Date", "") for line in lines], day_first=True)
    for instant, line in zip(instants, lines, strict=True):
        element, hour, repetition, lapses, grade, index = (
            number_in(line.get(key, "")) for key in ("ElNo", "Hour", "Rep", "Laps", "Grade", "expFI")
        )
        if instant is None:
            unread["no_date"] += 1
        elif not is_element(element):
            unread["no_card"] += 1
        elif not (grade.is_integer() and grade >= 0):
            unread["no_grade"] += 1
        elif not 0 <= index <= 100:
            unread["no_prediction"] += 1
        else:
            yield Repetition(element, instant // MS_PER_DAY, hour, repetition, lapses, grade, index)


def _usable(element: Sequence[Repetition], unread: Counter[str]) -> Sequence[Repetition]:
    """Return an element's repetitions to keep, in the order of days."""
    if not element[0].is_first:
        unread["incomplete_element"] += len(element)
        return ()
    requested = [item for item in element if not item.is_first]
    unread["introduction"] += len(element) - len(requested)
    for step, applies in (
        ("reset_element", any(item.grade >= len(RATING) for item in requested)),
        ("certain_lapse", any(item.forgetting_index == 100 for item in requested)),
    ):
        if applies:
            unread[step] += len(requested)
            return ()
    firsts = [next(on_day) for _, on_day in groupby(requested, key=lambda item: item.day)]
    unread["same_day_again"] += len(requested) - len(firsts)
    return firsts

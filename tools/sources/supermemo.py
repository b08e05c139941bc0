"""Shared parts of the readers of SuperMemo's files: texts, numbers, grades, and predictions as rows of the table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import numpy as np
import numpy.typing as npt

from evaluator.algorithms.external import RecordedPredictions
from evaluator.data.revlog import Clock, Snapshot
from evaluator.errors import UnreadableText
from tools.sources.limits import TooLarge, limited_text
from tools.sources.stated import snapshot_of

#: Grades 0 to 5 as buttons: 0 to 2 are Again, then Hard, Good, Easy.
RATING = np.array([1, 1, 1, 2, 3, 4])

#: Local times; the files do not state the time zone.
CLOCK = Clock(0, utc_offset_minutes=0, rollover_hour=0)

#: Highest number of an element.
MAX_ELEMENTS = 1 << 53

_ENCODINGS = ("utf-8-sig", "gbk")
_DESCRIPTION = "Predicted by SuperMemo itself, before each review"


@contextmanager
def opened(path: Path) -> Iterator[TextIO]:
    """Open a file as text, in UTF-8 or else in GBK.

    Raises:
        UnreadableText: it is neither, or too large.
    """
    try:
        for encoding in _ENCODINGS:
            with suppress(UnicodeDecodeError), limited_text(path.open("rb"), encoding) as text:
                for _ in text:
                    pass
                break
        else:
            raise UnreadableText(path=str(path), detail="it is neither UTF-8 nor GBK text")
        with limited_text(path.open("rb"), encoding) as text:
            yield text
    except TooLarge as error:
        raise UnreadableText(path=str(path), detail=str(error)) from error


def number_in(cell: str) -> float:
    """Return the number in a cell, also with a decimal comma; NaN if there is none."""
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return math.nan


def is_element(number: float) -> bool:
    """Return whether this is the number of an element."""
    return number.is_integer() and 0 <= number < MAX_ELEMENTS


def snapshot_with(
    rows: npt.NDArray[np.float64], predicted: Sequence[str], *, unread: Counter[str], success_decides: int = 0
) -> Snapshot:
    """Return the snapshot of repetitions, with SuperMemo's own predictions as rows.

    Args:
        rows: instant (ms), element, interval (days), rating, and the prediction of each algorithm; in any order. Shape
            (n, 4 + algorithms).
        predicted: the names of the algorithms.
        unread: how many rows were left out, by the step of the funnel.
        success_decides: in how many rows grade and success contradict each other.
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

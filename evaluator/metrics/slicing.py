"""Slices of the reviews: what each review's slice is by one of its properties, and how the slices are called.

Each function gives a label per review, for :mod:`evaluator.statistics.slices`, and the names of the labels. Which slice
a review is in is known before its answer, so none of them is chosen by the outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence, Tuple, Union

import numpy as np

from ..reviews import CardRows, Reviews
from ..revlog import Clock, Ints
from .scores import Floats, Outcomes

#: Where each class begins; the last is open.
INTERVALS = (1, 2, 3, 5, 8, 15, 31, 61, 121, 241)
REVIEW_NUMBERS = (2, 3, 4, 5, 7, 10, 15, 25)
LAPSES = (0, 1, 2, 3, 4)
STABILITIES = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)
DIFFICULTIES = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)

HARDEST = 10  #: the upper limit of FSRS's difficulty
RATINGS = ("Again", "Hard", "Good", "Easy")
MATURE_FROM = 21  #: days; Anki calls cards with shorter intervals young

#: Cells of a grid with fewer reviews are blank, as are slices.
MINIMUM = 100


@dataclass(frozen=True)
class Slicing:
    """Which slice each review is in."""

    key: str  #: stable: "interval", "review_number", "lapses", "last_rating", "month", "maturity", "stability", ...
    label: Ints  #: (n,), from 0 on
    names: Tuple[str, ...]  #: of label 0, 1, ...; not every one need occur


@dataclass(frozen=True)
class Grid:
    """Cells of two slicings at once: row by row (the first slicing), from left to right (the second)."""

    row_key: str
    column_key: str
    rows: Tuple[str, ...]  #: names
    columns: Tuple[str, ...]
    reviews: Tuple[Tuple[int, ...], ...]
    difference: Tuple[Tuple[Optional[float], ...], ...]  #: mean predicted - share recalled; None where too few


def by_interval(reviews: Reviews) -> Slicing:
    """By days since the card was last seen, in classes of roughly doubling length: 1, 2, 3-4, ... 241+."""
    return _in_classes("interval", reviews.elapsed_days, INTERVALS)


def by_review_number(reviews: Reviews) -> Slicing:
    """By the review's number as the benchmark counts: 2 is the card's first review on a later day."""
    return _in_classes("review_number", reviews.review_number, REVIEW_NUMBERS)


def by_lapses(reviews: Reviews) -> Slicing:
    """By the card's lapses before the review: 0, 1, 2, 3, 4+."""
    return _in_classes("lapses", reviews.lapses, LAPSES)


def by_last_rating(rows: CardRows, reviews: Reviews) -> Slicing:
    """By the answer before the review's, on whatever day: it may be one of relearning after an Again.

    Args:
        rows: the table of which ``reviews.row`` are rows.
        reviews: none of them is its card's first row, as it then would have no interval.

    Raises:
        ValueError: a review is its card's first row.
    """
    if (rows.position[reviews.row] < 1).any():
        raise ValueError("a review without an answer before it")
    return Slicing("last_rating", rows.rating[reviews.row - 1] - 1, RATINGS)


def by_month(clock: Clock, reviews: Reviews) -> Slicing:
    """By the month of the review's local date (that of the day of study, which begins at the clock's rollover).

    Months in which nothing was reviewed have no label.
    """
    days, which = np.unique(reviews.day, return_inverse=True)
    dates = [clock.date_of(int(day)) for day in days]
    months, month_of_day = np.unique(
        np.array([12 * date.year + date.month - 1 for date in dates], dtype=np.int64), return_inverse=True
    )
    names = tuple(f"{month // 12:04d}-{month % 12 + 1:02d}" for month in months.tolist())
    return Slicing("month", month_of_day.reshape(-1)[which.reshape(-1)], names)


def by_maturity(reviews: Reviews) -> Slicing:
    """Young: the card was last seen less than 21 days ago. Mature: 21 days or more.

    By the days that really passed, not by the interval that was scheduled, as Anki does.
    """
    return Slicing("maturity", (reviews.elapsed_days >= MATURE_FROM).astype(np.int64), ("young", "mature"))


def by_stability(stability: Floats) -> Slicing:
    """By a stability in days at each review (n,), in classes that double: below 1, 1 to 2, ... 512 and more.

    Raises:
        ValueError: a stability is below 0 or no number.
    """
    _require_from(STABILITIES[0], "stability", stability)
    inner = tuple(f"{a:g}-{b:g}" for a, b in zip(STABILITIES[1:], STABILITIES[2:]))
    names = (f"<{STABILITIES[1]:g}", *inner, f"{STABILITIES[-1]:g}+")
    return Slicing("stability", _class_of(stability, STABILITIES), names)


def by_difficulty(difficulty: Floats) -> Slicing:
    """By a difficulty from 1 to 10 at each review (n,), in steps of 1; 10 belongs to the last.

    Raises:
        ValueError: a difficulty is below 1 or no number.
    """
    _require_from(DIFFICULTIES[0], "difficulty", difficulty)
    names = tuple(f"{a:g}-{b:g}" for a, b in zip(DIFFICULTIES, (*DIFFICULTIES[1:], HARDEST)))
    return Slicing("difficulty", _class_of(difficulty, DIFFICULTIES), names)


def grid(predicted: Floats, recalled: Outcomes, rows: Slicing, columns: Slicing, *, minimum: int = MINIMUM) -> Grid:
    """Mean predicted minus observed recall, and the number of reviews, where two slicings cross.

    Above 0 is overconfident. A perfect model's cells differ from 0 by chance alone, by about sqrt(p (1 - p) / n) and
    more where cards or days have effects; which cells differ by more is found by
    :func:`evaluator.statistics.slices.slice_recall` with the labels of :func:`crossed`. Without reviews all cells are
    blank.

    Args:
        predicted: probabilities of recall (n,).
        recalled: 1 or 0 (n,).
        rows: a slicing of the same reviews.
        columns: another.
        minimum: cells with fewer reviews are blank.

    Raises:
        ValueError: the arrays differ in length, or minimum is below 1.
    """
    if not len(predicted) == len(recalled) == len(rows.label) == len(columns.label):
        raise ValueError(f"arrays of different lengths: {len(predicted)}, {len(recalled)} and the slicings'")
    if minimum < 1:
        raise ValueError(f"minimum {minimum}; it must be at least 1")
    cell = crossed(rows, columns)
    shape = len(rows.names), len(columns.names)
    count = np.bincount(cell, minlength=shape[0] * shape[1])
    mean = np.bincount(cell, predicted - recalled, len(count)) / np.maximum(count, 1)
    shown = [float(d) if n >= minimum else None for d, n in zip(mean, count)]
    return Grid(
        rows.key,
        columns.key,
        rows.names,
        columns.names,
        tuple(map(tuple, count.reshape(shape).tolist())),
        tuple(tuple(shown[start : start + shape[1]]) for start in range(0, len(shown), shape[1])),
    )


def crossed(rows: Slicing, columns: Slicing) -> Ints:
    """The cell of each review (n,): row * number of columns + column."""
    return rows.label * len(columns.names) + columns.label


def _in_classes(key: str, values: Ints, first: Sequence[int]) -> Slicing:
    _require_from(first[0], key, values)
    names = [f"{a}" if b == a + 1 else f"{a}-{b - 1}" for a, b in zip(first, first[1:])]
    return Slicing(key, _class_of(values, first), (*names, f"{first[-1]}+"))


def _class_of(values: Union[Ints, Floats], first: Sequence[float]) -> Ints:
    label: Ints = np.searchsorted(np.array(first), values, "right") - 1
    return label


def _require_from(least: float, what: str, values: Union[Ints, Floats]) -> None:
    """Raises ValueError where a value is below ``least`` or no number."""
    wrong = ~(values >= least)
    if wrong.any():
        raise ValueError(f"{what} {values[wrong][0]}; it must be at least {least:g}")

"""Slicings of the scored reviews by one of their properties.

A graph of slices needs a function here and a line in :data:`SLICINGS`. ``docs/how-it-works.md`` has an example. The
properties are known before the answer, so the slice of a review does not depend on its outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional, Sequence, Tuple, Union

import numpy as np

from ..data.reviews import CardRows, Reviews
from ..data.revlog import SECONDS_PER_DAY, Clock, Ints
from ..derivatives import Floats
from ..scope import SAME_DAY_TABLE

#: The lowest value of each class. The last class has no upper end.
INTERVALS = (1, 2, 3, 5, 8, 15, 31, 61, 121, 241)
REVIEW_NUMBERS = (2, 3, 4, 5, 7, 10, 15, 25)
STABILITIES = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)
DIFFICULTIES = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)

#: The highest value of each class of lateness, as a share of the scheduled interval. The last class has no upper end.
LATENESSES = (0.0, 0.1, 0.25, 0.5, 1.0)
LATENESS_NAMES = ("early", "on_day", "0-10%", "10-25%", "25-50%", "50-100%", "100%+")
#: Length of an interval that was scheduled to end on the same day, in days.
WITHIN_DAY_LENGTH = 0.5

#: The lowest value of each class within a day, in seconds, and the names of these classes, for the same-day table only.
WITHIN_DAY = (0, 60, 600, 3600, 6 * 3600)
WITHIN_DAY_NAMES = ("<1min", "1-10min", "10-60min", "1-6h", "6-24h")

#: Upper limit of FSRS's difficulty.
MAX_DIFFICULTY = 10
#: Names of the answers, from 1 on.
RATING_NAMES = ("Again", "Hard", "Good", "Easy")
#: Minimum interval of mature cards in Anki, in days.
MATURE_FROM = 21


@dataclass(frozen=True)
class Slicing:
    """Assignment of each of n reviews to a slice."""

    key: str  #: name of the property: "interval", "review_number", "last_rating", "month" and so on
    label: Ints  #: (n,), the number of each review's slice, from 0
    names: Tuple[str, ...]  #: names of the slices 0, 1, ..., which may be empty


@dataclass(frozen=True)
class ReviewFeatures:
    """Properties of n reviews by which they can be sliced."""

    table: str  #: the table of the reviews, see :mod:`evaluator.scope`
    reviews: Reviews
    rows: CardRows  #: the table that ``reviews.row`` refers to
    clock: Clock
    stability: Floats  #: (n,), in days, before each review
    difficulty: Floats  #: (n,), from 1 to 10


def by_interval(features: ReviewFeatures) -> Slicing:
    """Slice by days since the card was last seen, in classes that about double: 1, 2, 3-4, ... 241+.

    Reviews on the same day are sliced by the time since: <1min, 1-10min, ... 6-24h.
    """
    first_class = 0 if features.table == SAME_DAY_TABLE else len(WITHIN_DAY)
    names = (*WITHIN_DAY_NAMES, *_class_names(INTERVALS))[first_class:]
    return Slicing("interval", interval_class(features.reviews) - first_class, names)


def by_lateness(features: ReviewFeatures) -> Optional[Slicing]:
    """Slice by whole days late, as a share of the interval that was set last.

    Returns:
        The slicing, or None if the source does not have the scheduled intervals.
    """
    scheduled = features.reviews.scheduled
    if not scheduled.any():
        return None
    # Learning steps are in seconds, and negative.
    days = np.where(scheduled < 0, -scheduled // SECONDS_PER_DAY, scheduled)
    days_late = features.reviews.elapsed_days - days
    label = np.searchsorted(LATENESSES, days_late / np.maximum(days, WITHIN_DAY_LENGTH), "left") + (days_late >= 0)
    return Slicing("lateness", label, LATENESS_NAMES)


def by_review_number(features: ReviewFeatures) -> Slicing:
    """Slice by the review's number among those reviews of its card that the table can contain.

    The card's first target review has number 2. In the whole-day table, as in the benchmark, it is the card's first
    review on a later day.
    """
    is_same_day = features.table == SAME_DAY_TABLE
    number = features.rows.position[features.reviews.row] + 1 if is_same_day else features.reviews.review_number
    return Slicing("review_number", _class_of(number, REVIEW_NUMBERS), _class_names(REVIEW_NUMBERS))


def by_last_rating(features: ReviewFeatures) -> Slicing:
    """Slice by the card's last answer before the review, which may be one of relearning."""
    return Slicing("last_rating", features.rows.rating[features.reviews.row - 1] - 1, RATING_NAMES)


def by_month(features: ReviewFeatures) -> Slicing:
    """Slice by the month of the day of study, which begins at the clock's rollover.

    Only months with reviews have a slice.
    """
    days, day_index = np.unique(features.reviews.day, return_inverse=True)
    dates = [features.clock.date_of(int(day)) for day in days]
    months, month_of_day = np.unique(
        np.array([12 * date.year + date.month - 1 for date in dates], dtype=np.int64), return_inverse=True
    )
    names = tuple(f"{month // 12:04d}-{month % 12 + 1:02d}" for month in months.tolist())
    return Slicing("month", month_of_day.reshape(-1)[day_index.reshape(-1)], names)


def by_maturity(features: ReviewFeatures) -> Slicing:
    """Slice into young cards, last seen less than 21 days ago, and mature ones.

    The elapsed days decide, and not the scheduled interval as in Anki.
    """
    return Slicing("maturity", (features.reviews.elapsed_days >= MATURE_FROM).astype(np.int64), ("young", "mature"))


def by_stability(features: ReviewFeatures) -> Slicing:
    """Slice by stability, in classes that double: below 1, 1 to 2, ... 512 and more.

    In the same-day table, stabilities below a day have the classes of intervals on the same day.
    """
    inner_names = tuple(f"{a:g}-{b:g}" for a, b in zip(STABILITIES[1:], STABILITIES[2:]))
    lowest_names: Tuple[str, ...] = (f"<{STABILITIES[1]:g}",)
    lowest_values: Tuple[float, ...] = STABILITIES
    if features.table == SAME_DAY_TABLE:
        lowest_names = WITHIN_DAY_NAMES
        lowest_values = (*(seconds / SECONDS_PER_DAY for seconds in WITHIN_DAY), *STABILITIES[1:])
    label = _class_of(features.stability, lowest_values)
    return Slicing("stability", label, (*lowest_names, *inner_names, f"{STABILITIES[-1]:g}+"))


def by_difficulty(features: ReviewFeatures) -> Slicing:
    """Slice by difficulty, in steps of 1. The last class includes 10."""
    names = tuple(f"{a:g}-{b:g}" for a, b in zip(DIFFICULTIES, (*DIFFICULTIES[1:], MAX_DIFFICULTY)))
    return Slicing("difficulty", _class_of(features.difficulty, DIFFICULTIES), names)


#: The slicings that have a graph, in the report's order.
SLICINGS: Tuple[Callable[[ReviewFeatures], Optional[Slicing]], ...] = (
    by_interval,
    by_lateness,
    by_review_number,
    by_last_rating,
    by_month,
    by_maturity,
    by_stability,
    by_difficulty,
)


def interval_class(reviews: Reviews) -> Ints:
    """Return the class (n,) of each review's interval. The classes within a day come first."""
    days_class = len(WITHIN_DAY) + _class_of(reviews.elapsed_days, INTERVALS)
    return np.where(reviews.elapsed_days, days_class, _class_of(reviews.elapsed_seconds, WITHIN_DAY))


def _class_names(lowest: Sequence[int]) -> Tuple[str, ...]:
    """Return names such as "3-4" for classes of integers, given the lowest value of each class."""
    inner_names = (f"{a}" if b == a + 1 else f"{a}-{b - 1}" for a, b in zip(lowest, lowest[1:]))
    return (*inner_names, f"{lowest[-1]}+")


def _class_of(values: Union[Ints, Floats], lowest: Sequence[float]) -> Ints:
    """Return the class of each value, given the lowest value of each class."""
    return np.searchsorted(np.array(lowest), values, "right") - 1

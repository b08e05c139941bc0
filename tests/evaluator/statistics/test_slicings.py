from __future__ import annotations

import datetime as dt
from dataclasses import fields
from typing import Any, List, Sequence

import numpy as np

from evaluator.data.reviews import CardRows, Reviews
from evaluator.data.revlog import Clock
from evaluator.scope import SAME_DAY_TABLE, WHOLE_DAY_TABLE
from evaluator.statistics import slicings
from evaluator.statistics.slicings import ReviewFeatures, Slicing

NONE: Any = np.zeros(0, dtype=np.int64)
CLOCK = Clock(0)

#: Card 5 is answered Good, Again and Easy, and card 6 Hard and Good.
ROWS = CardRows(
    log_row=NONE,
    review_id=NONE,
    card_id=np.array([5, 5, 5, 6, 6]),
    rating=np.array([3, 1, 4, 2, 3]),
    elapsed_days=NONE,
    position=np.array([0, 1, 2, 0, 1]),
    day=NONE,
)


def features_of(
    *,
    table: str = WHOLE_DAY_TABLE,
    clock: Clock = CLOCK,
    stability: Sequence[float] = (),
    difficulty: Sequence[float] = (),
    **columns: List[int],
) -> ReviewFeatures:
    """Return reviews with these columns. All other columns are 1."""
    n = max(map(len, (stability, difficulty, *columns.values())))
    table_reviews = Reviews(**{f.name: np.array(columns.get(f.name, [1] * n), dtype=np.int64) for f in fields(Reviews)})
    return ReviewFeatures(
        table, table_reviews, ROWS, clock, np.array(stability, dtype=float), np.array(difficulty, dtype=float)
    )


def slice_names(result: Slicing) -> List[str]:
    """Return the name of each review's slice."""
    return [result.names[label] for label in result.label]


def test_intervals_are_sliced_by_their_limits():
    days = [1, 2, 3, 4, 5, 7, 8, 14, 15, 30, 31, 60, 61, 120, 121, 240, 241, 36500]
    classes = ["3-4", "5-7", "8-14", "15-30", "31-60", "61-120", "121-240"]
    expected = ["1", "2", *(name for name in classes for _ in range(2)), "241+", "241+"]
    assert slice_names(slicings.by_interval(features_of(elapsed_days=days))) == expected


def test_lateness_is_a_share_of_the_scheduled_interval():
    """The upper limit of a class is in it. A step of learning that ends on the same day has a length of half a day."""
    answers = {
        "early": [(10, 9), (10, 0)],
        "on_day": [(10, 10), (-600, 0), (-86_400, 1)],
        "0-10%": [(10, 11), (1000, 1001)],
        "10-25%": [(10, 12), (4, 5)],
        "25-50%": [(100, 126), (2, 3), (-200_000, 3)],
        "50-100%": [(100, 151), (1, 2)],
        "100%+": [(10, 21), (1, 3), (-86_399, 1)],
    }
    scheduled, elapsed_days = zip(*(pair for pairs in answers.values() for pair in pairs), strict=True)
    result = slicings.by_lateness(features_of(scheduled=[*scheduled], elapsed_days=[*elapsed_days]))
    assert slice_names(result) == [name for name, pairs in answers.items() for _pair in pairs]


def test_same_day_table_has_classes_within_a_day():
    seconds = [1, 59, 60, 599, 600, 3599, 3600, 21_599, 21_600, 86_399, 600, 300_000]
    days = [0] * 10 + [1, 4]
    features = features_of(table=SAME_DAY_TABLE, elapsed_days=days, elapsed_seconds=seconds)
    names = ["<1min", "1-10min", "10-60min", "1-6h", "6-24h"]
    assert slice_names(slicings.by_interval(features)) == [*(name for name in names for _ in range(2)), "1", "3-4"]
    result = slicings.by_stability(features_of(table=SAME_DAY_TABLE, stability=[0.0001, 0.001, 0.01, 0.1, 0.5, 1, 600]))
    assert slice_names(result) == [*names, "1-2", "512+"]


def test_review_numbers_of_the_same_day_table_count_rows():
    rows = features_of(table=SAME_DAY_TABLE, row=[1, 2, 4], review_number=[1, 1, 1])
    assert slice_names(slicings.by_review_number(rows)) == ["2", "3", "2"]


def test_review_numbers_are_sliced_by_their_limits():
    numbers = slicings.by_review_number(features_of(review_number=[2, 3, 4, 5, 6, 7, 9, 10, 14, 15, 24, 25, 128]))
    classes = ["5-6", "7-9", "10-14", "15-24", "25+"]
    assert slice_names(numbers) == ["2", "3", "4", *(name for name in classes for _ in range(2))]


def test_last_rating_comes_from_the_previous_row():
    assert slice_names(slicings.by_last_rating(features_of(row=[1, 2, 4]))) == ["Good", "Again", "Hard"]


def test_months_are_those_of_the_clock():
    clock = Clock(next_day_at=1_700_000_000, utc_offset_minutes=120)
    dates = [dt.date(2023, 12, 31), dt.date(2024, 1, 1), dt.date(2024, 1, 31), dt.date(2024, 4, 1)]
    result = slicings.by_month(features_of(clock=clock, day=[clock.day_of_date(date) for date in dates]))
    assert slice_names(result) == ["2023-12", "2024-01", "2024-01", "2024-04"]
    assert result.names == ("2023-12", "2024-01", "2024-04")


def test_cards_are_mature_from_21_days_on():
    result = slicings.by_maturity(features_of(elapsed_days=[1, 20, 21, 400]))
    assert slice_names(result) == ["young", "young", "mature", "mature"]


def test_states_are_sliced_by_their_limits():
    """The limits of stability double, and those of difficulty increase by one. A difficulty of 10 is in the last."""
    stability = slicings.by_stability(features_of(stability=[0.001, 0.99, 1, 1.99, 2, 255.9, 256, 512, 36500]))
    assert slice_names(stability) == ["<1", "<1", "1-2", "1-2", "2-4", "128-256", "256-512", "512+", "512+"]
    difficulty = slicings.by_difficulty(features_of(difficulty=[1, 1.99, 2, 9, 10.0]))
    assert slice_names(difficulty) == ["1-2", "1-2", "2-3", "9-10", "9-10"]

"""Which slice each review is in, what the slices are called, and the grid of two slicings."""

from __future__ import annotations

import datetime as dt
from typing import Any, List

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.metrics import slicing
from evaluator.metrics.slicing import Slicing, crossed, grid
from evaluator.reviews import CardRows, Reviews
from evaluator.revlog import Clock

NONE = np.zeros(0, dtype=np.int64)


def reviews(**columns: List[int]) -> Reviews:
    """Reviews of which only some columns matter."""
    n = len(next(iter(columns.values())))
    names = ("row", "review_id", "card_id", "day", "elapsed_days", "review_number", "lapses", "recalled")
    return Reviews(**{name: np.array(columns.get(name, [1] * n), dtype=np.int64) for name in names})


def called(found: Slicing) -> List[str]:
    """The name of each review's slice."""
    return [found.names[label] for label in found.label]


def test_intervals() -> None:
    """The classes' first and last days."""
    days = [1, 2, 3, 4, 5, 7, 8, 14, 15, 30, 31, 60, 61, 120, 121, 240, 241, 36500]
    classes = ["3-4", "5-7", "8-14", "15-30", "31-60", "61-120", "121-240"]
    expected = ["1", "2", *(name for name in classes for _ in range(2)), "241+", "241+"]
    assert called(slicing.by_interval(reviews(elapsed_days=days))) == expected


def test_numbers_and_lapses() -> None:
    """Numbers begin at 2, lapses at 0."""
    numbers = slicing.by_review_number(reviews(review_number=[2, 3, 4, 5, 6, 7, 9, 10, 14, 15, 24, 25, 128]))
    assert called(numbers) == [
        *("2", "3", "4", "5-6", "5-6", "7-9", "7-9", "10-14", "10-14", "15-24", "15-24", "25+", "25+")
    ]
    assert called(slicing.by_lapses(reviews(lapses=[0, 1, 2, 3, 4, 9]))) == ["0", "1", "2", "3", "4+", "4+"]


def test_last_rating_is_of_the_row_before() -> None:
    """Card 5: Good, Again, Easy; card 6: Hard, Good."""
    rating, position = np.array([3, 1, 4, 2, 3]), np.array([0, 1, 2, 0, 1])
    other: Any = np.zeros(5, dtype=np.int64)
    rows = CardRows(other, other, np.array([5, 5, 5, 6, 6]), rating, other, position)
    assert called(slicing.by_last_rating(rows, reviews(row=[1, 2, 4]))) == ["Good", "Again", "Hard"]
    with pytest.raises(ValueError, match="without an answer before"):
        slicing.by_last_rating(rows, reviews(row=[3]))


def test_months_are_those_of_the_clock() -> None:
    """The last day of a year and the first of the next; months without reviews are left out."""
    clock = Clock(next_day_at=1_700_000_000, utc_offset_minutes=120)
    dates = [dt.date(2023, 12, 31), dt.date(2024, 1, 1), dt.date(2024, 1, 31), dt.date(2024, 4, 1)]
    found = slicing.by_month(clock, reviews(day=[clock.day_of_date(date) for date in dates]))
    assert called(found) == ["2023-12", "2024-01", "2024-01", "2024-04"]
    assert found.names == ("2023-12", "2024-01", "2024-04")


def test_maturity() -> None:
    """From 21 days on."""
    assert called(slicing.by_maturity(reviews(elapsed_days=[1, 20, 21, 400]))) == ["young", "young", "mature", "mature"]


def test_state() -> None:
    """Stability doubles, difficulty goes in steps of one; 10 belongs to the last."""
    stability = slicing.by_stability(np.array([0.001, 0.99, 1, 1.99, 2, 255.9, 256, 512, 36500]))
    assert called(stability) == ["<1", "<1", "1-2", "1-2", "2-4", "128-256", "256-512", "512+", "512+"]
    assert called(slicing.by_difficulty(np.array([1, 1.99, 2, 9, 10.0]))) == ["1-2", "1-2", "2-3", "9-10", "9-10"]


@pytest.mark.parametrize("value", [0.9, float("nan")])
def test_impossible_states(value: float) -> None:
    """Below 1, or no number."""
    with pytest.raises(ValueError, match=r"difficulty (0\.9|nan); it must be at least 1"):
        slicing.by_difficulty(np.array([5.0, value]))
    with pytest.raises(ValueError, match="interval 0; it must be at least 1"):
        slicing.by_interval(reviews(elapsed_days=[0]))


def test_no_reviews() -> None:
    """No labels, but names."""
    none = reviews(row=[])
    assert len(slicing.by_interval(none).label) == 0
    assert slicing.by_month(Clock(0), none).names == ()
    empty = grid(np.zeros(0), NONE, slicing.by_interval(none), slicing.by_lapses(none))
    assert empty.reviews == ((0,) * 5,) * 10
    assert empty.difference == ((None,) * 5,) * 10


def test_grid_by_hand() -> None:
    """Cell (b, x): predicted 0.9 and 0.6, one recalled; cell (a, y): 0.5, recalled; the rest is blank."""
    rows = Slicing("row", np.array([1, 1, 0]), ("a", "b"))
    columns = Slicing("column", np.array([0, 0, 1]), ("x", "y", "z"))
    found = grid(np.array([0.9, 0.6, 0.5]), np.array([1, 0, 1]), rows, columns, minimum=1)
    assert found.reviews == ((0, 1, 0), (2, 0, 0))
    assert found.difference == ((None, 0.5 - 1, None), (pytest.approx((0.9 + 0.6) / 2 - 1 / 2), None, None))
    assert (found.row_key, found.column_key, found.rows, found.columns) == ("row", "column", ("a", "b"), columns.names)
    assert grid(np.array([0.9, 0.6, 0.5]), np.array([1, 0, 1]), rows, columns, minimum=2).difference[0][1] is None


def test_grid_refuses() -> None:
    """Other lengths, or a minimum of none."""
    one = Slicing("s", np.array([0]), ("a",))
    with pytest.raises(ValueError, match="different lengths"):
        grid(np.zeros(2), np.zeros(2, dtype=np.int64), one, one)
    with pytest.raises(ValueError, match="at least 1"):
        grid(np.zeros(1), np.zeros(1, dtype=np.int64), one, one, minimum=0)


@given(st.integers(0, 2**32 - 1), st.integers(0, 200))
def test_cells_add_up(seed: int, n: int) -> None:
    """Counts and weighted differences of all cells are those of the whole; labels are within the names."""
    random = np.random.default_rng(seed)
    stability = slicing.by_stability(np.exp(random.normal(2, 2, n)))
    difficulty = slicing.by_difficulty(random.uniform(1, 10, n))
    predicted, recalled = random.random(n), random.integers(2, size=n)
    found = grid(predicted, recalled, stability, difficulty, minimum=1)
    count, difference = np.array(found.reviews), np.array(found.difference, dtype=float)
    assert count.sum() == n
    assert np.nansum(count * difference) == pytest.approx((predicted - recalled).sum(), abs=1e-9)
    assert ((crossed(stability, difficulty) >= 0) & (crossed(stability, difficulty) < count.size)).all()


def test_a_perfect_model_differs_by_chance_alone() -> None:
    """No cell is further from 0 than chance allows: five standard errors."""
    random = np.random.default_rng(7)
    predicted = random.uniform(0.6, 1, 50_000)
    recalled = (random.random(50_000) < predicted).astype(np.int64)
    stability, difficulty = np.exp(random.normal(2, 2, 50_000)), random.uniform(1, 10, 50_000)
    found = grid(predicted, recalled, slicing.by_stability(stability), slicing.by_difficulty(difficulty))
    for counts, differences in zip(found.reviews, found.difference, strict=True):
        for n, difference in zip(counts, differences, strict=True):
            assert (difference is None) == (n < 100)
            assert abs(difference or 0) < 5 * np.sqrt(0.16 / max(n, 1))

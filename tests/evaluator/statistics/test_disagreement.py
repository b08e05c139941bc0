from __future__ import annotations

from typing import Tuple

import numpy as np
import numpy.typing as npt
import pytest

from evaluator.report import Disagreement
from evaluator.statistics.disagreement import disagreement
from evaluator.statistics.paired import Clusters

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def clusters(reviews: int, cards: int = 60, days: int = 50) -> Clusters:
    """Return clusters of reviews whose cards and days come in turn."""
    position = np.arange(reviews)
    return Clusters.of(position % cards, position * days // reviews)


def made(*parts: Tuple[int, int, float, float]) -> Tuple[Floats, Floats, Ints]:
    """Predictions of both and outcomes: this many reviews, this many of them recalled, what A said, what B said."""
    sizes, recalled_counts, first, second = zip(*parts, strict=True)
    item, other = (np.repeat(values, sizes) for values in (first, second))
    recalled = np.concatenate([np.arange(n) < y for n, y in zip(sizes, recalled_counts, strict=True)])
    order = np.random.default_rng(5).permutation(len(item))
    return item[order], other[order], recalled[order].astype(np.int64)


#: A said 80% and B 60% of 600 reviews (480 recalled); A 50% and B 70% of 400 (240 recalled); both 90% of 160.
BY_HAND = made((600, 480, 0.8, 0.6), (400, 240, 0.5, 0.7), (160, 144, 0.9, 0.9))


def disagreement_of(item: Floats, other: Floats, recalled: Ints, **of: int) -> Disagreement:
    return disagreement(item, other, recalled, clusters(len(item), **of))


def test_both_sides_are_described_by_their_means() -> None:
    both = disagreement_of(*BY_HAND)
    predicted_higher, predicted_lower = both.predicted_higher, both.predicted_lower
    assert (both.threshold, predicted_higher.reviews, predicted_lower.reviews) == (0.10, 600, 400)
    assert (
        predicted_higher.recalled,
        predicted_higher.predicted,
        predicted_higher.predicted_by_baseline,
    ) == pytest.approx((480 / 600, 0.8, 0.6))
    assert (
        predicted_lower.recalled,
        predicted_lower.predicted,
        predicted_lower.predicted_by_baseline,
    ) == pytest.approx((0.6, 0.5, 0.7))
    higher = clusters(len(BY_HAND[0])).take(np.flatnonzero(BY_HAND[0] == 0.8))
    assert (predicted_higher.cards, predicted_higher.days) == (higher.cards, higher.days)


def test_threshold_is_smaller_if_too_few_reviews_differ_by_ten_points() -> None:
    """Exactly ten points count, whatever the last digit of 0.9 - 0.8 is. What was recalled does not matter."""
    for outcome in (0, 1):
        for reviews, expected in ((199, 0.05), (200, 0.10)):
            apart = made((reviews, outcome * reviews, 0.9, 0.8), (300, 200, 0.85, 0.8), (100, 80, 0.84, 0.8))
            both = disagreement_of(*apart)
            assert both.threshold == expected
            assert both.predicted_higher.reviews == (reviews if expected == 0.10 else reviews + 300)
            exchanged = disagreement_of(apart[1], apart[0], apart[2])
            assert exchanged.predicted_lower.reviews == both.predicted_higher.reviews
            assert (both.predicted_lower.reviews, both.predicted_lower.recalled) == (0, None)


@pytest.mark.parametrize(
    ("reviews", "cards", "days", "described"),
    [(50, 20, 8, True), (49, 20, 8, False), (50, 19, 8, False), (50, 20, 7, False)],
)
def test_a_side_is_described_from_fifty_reviews_twenty_cards_and_eight_days_on(
    reviews: int, cards: int, days: int, described: bool
) -> None:
    item, other = np.full(reviews, 0.9), np.full(reviews, 0.6)
    both = disagreement_of(item, other, (np.arange(reviews) % 3 > 0).astype(np.int64), cards=cards, days=days)
    predicted_higher = both.predicted_higher
    assert (predicted_higher.reviews, predicted_higher.cards, predicted_higher.days) == (reviews, cards, days)
    assert [
        x is not None
        for x in (predicted_higher.recalled, predicted_higher.predicted, predicted_higher.predicted_by_baseline)
    ] == [described] * 3

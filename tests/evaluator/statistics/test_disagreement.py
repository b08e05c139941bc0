from __future__ import annotations

from typing import Any, List, Tuple

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


def predictions_of(*parts: Tuple[int, int, float, float]) -> Tuple[Floats, Floats, Ints]:
    """Return the predictions of A and B and the outcomes, in random order.

    Each part is (reviews, recalled reviews, A's prediction, B's prediction).
    """
    sizes, recalled_counts, first, second = zip(*parts, strict=True)
    of_a, of_b = (np.repeat(values, sizes) for values in (first, second))
    recalled = np.concatenate([np.arange(n) < y for n, y in zip(sizes, recalled_counts, strict=True)])
    order = np.random.default_rng(5).permutation(len(of_a))
    return of_a[order], of_b[order], recalled[order].astype(np.int64)


#: A predicts more than B for 600 reviews and less for 400. Both agree about 160.
BY_HAND = predictions_of((600, 480, 0.8, 0.6), (400, 240, 0.5, 0.7), (160, 144, 0.9, 0.9))


def disagreement_of(of_a: Floats, of_b: Floats, recalled: Ints, **sizes: int) -> Disagreement:
    return disagreement(of_a, of_b, recalled, clusters(len(of_a), **sizes))


def means(side: Any) -> List[Any]:
    return [side.recalled, side.predicted, side.predicted_by_baseline]


def test_both_sides_are_described_by_their_means() -> None:
    both = disagreement_of(*BY_HAND)
    higher, lower = both.predicted_higher, both.predicted_lower
    assert (both.threshold, higher.reviews, lower.reviews) == (0.10, 600, 400)
    assert means(higher) == pytest.approx([480 / 600, 0.8, 0.6])
    assert means(lower) == pytest.approx([0.6, 0.5, 0.7])
    expected = clusters(len(BY_HAND[0])).take(np.flatnonzero(BY_HAND[0] == 0.8))
    assert (higher.cards, higher.days) == (expected.cards, expected.days)


def test_threshold_is_smaller_if_too_few_reviews_differ_by_ten_points() -> None:
    """A difference of exactly ten points counts, despite rounding. The outcomes do not matter."""
    for outcome in (0, 1):
        for reviews, expected in ((199, 0.05), (200, 0.10)):
            predictions = predictions_of(
                (reviews, outcome * reviews, 0.9, 0.8), (300, 200, 0.85, 0.8), (100, 80, 0.84, 0.8)
            )
            both = disagreement_of(*predictions)
            assert both.threshold == expected
            assert both.predicted_higher.reviews == (reviews if expected == 0.10 else reviews + 300)
            exchanged = disagreement_of(predictions[1], predictions[0], predictions[2])
            assert exchanged.predicted_lower.reviews == both.predicted_higher.reviews
            assert (both.predicted_lower.reviews, both.predicted_lower.recalled) == (0, None)


@pytest.mark.parametrize(
    ("reviews", "cards", "days", "described"),
    [(50, 20, 8, True), (49, 20, 8, False), (50, 19, 8, False), (50, 20, 7, False)],
)
def test_side_is_described_from_its_minimum_size_on(reviews: int, cards: int, days: int, described: bool) -> None:
    recalled = (np.arange(reviews) % 3 > 0).astype(np.int64)
    higher = disagreement_of(
        np.full(reviews, 0.9), np.full(reviews, 0.6), recalled, cards=cards, days=days
    ).predicted_higher
    assert (higher.reviews, higher.cards, higher.days) == (reviews, cards, days)
    assert [mean is not None for mean in means(higher)] == [described] * 3

"""From how many training reviews on the trained parameters are better."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.interval import Interval
from evaluator.metrics.scores import log_loss_per_review
from evaluator.statistics.learning_curve import learning_curve
from evaluator.statistics.paired import Clusters, Floats, Ints, paired_difference

FOLD = 200
TRAINING: Ints = np.repeat([100, 300, 500], FOLD)
#: 50 cards and 50 days within each fold.
CLUSTERS = Clusters.of(np.arange(3 * FOLD) % 50, np.arange(3 * FOLD) // 4)


def folds(*means: float) -> Floats:
    """Differences that alternate by 0.01 around each fold's mean."""
    return np.repeat(means, FOLD) + np.tile([0.01, -0.01], 3 * FOLD // 2)


def test_points_by_hand() -> None:
    curve = learning_curve(folds(0.02, -0.03, -0.05), TRAINING, CLUSTERS)
    assert [p.training_reviews for p in curve.points] == [100, 300, 500]
    assert [(p.reviews, p.cards, p.days) for p in curve.points] == [(200, 50, 50)] * 3
    assert [p.difference.estimate for p in curve.points] == pytest.approx([0.02, -0.03, -0.05])
    part = slice(FOLD, 2 * FOLD)
    d = paired_difference(folds(0.02, -0.03, -0.05)[part], Clusters.of(CLUSTERS.card[part], CLUSTERS.day[part]))
    assert curve.points[1].difference == d


@pytest.mark.parametrize(
    ("means", "pays_from"),
    [
        ((0.02, -0.03, -0.05), 300),
        ((-0.02, -0.03, -0.05), 100),
        ((-0.02, 0.03, -0.05), 500),  # a lucky first fold is no start
        ((-0.02, -0.03, 0.05), None),
        ((-0.02, -0.03, 0.0), None),
    ],
)
def test_from_where_on(means: tuple[float, ...], pays_from: int | None) -> None:
    assert learning_curve(folds(*means), TRAINING, CLUSTERS).pays_from == pays_from


def test_without_interval_nothing_is_said() -> None:
    few = Clusters.of(CLUSTERS.card, np.where(TRAINING == 500, 0, CLUSTERS.day))
    curve = learning_curve(folds(-0.1, -0.1, -0.1), TRAINING, few)
    assert curve.points[2].difference == Interval(pytest.approx(-0.1), reason="too_few")
    assert curve.pays_from is None


def test_against_itself() -> None:
    """Exactly 0 throughout, which is not below 0."""
    curve = learning_curve(np.zeros(3 * FOLD), TRAINING, CLUSTERS)
    assert {p.difference for p in curve.points} == {Interval(0.0, 0.0, 0.0, 0.0)}
    assert curve.pays_from is None


def test_without_reviews_there_are_no_points() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert learning_curve(np.zeros(0), none, Clusters.of(none, none)).points == ()


@given(st.integers(0, 2**32 - 1))
def test_properties(seed: int) -> None:
    """The folds average to the whole, order does not matter, and from ``pays_from`` on all are below 0."""
    random = np.random.default_rng(seed)
    difference = folds(*random.normal(0, 0.003, 3))
    curve = learning_curve(difference, TRAINING, CLUSTERS)
    assert sum(p.difference.known * p.reviews for p in curve.points) == pytest.approx(difference.sum())
    order = random.permutation(3 * FOLD)
    again = learning_curve(difference[order], TRAINING[order], Clusters.of(CLUSTERS.card[order], CLUSTERS.day[order]))
    assert [p.difference.known for p in again.points] == pytest.approx([p.difference.known for p in curve.points])
    assert again.pays_from == curve.pays_from
    start = 501 if curve.pays_from is None else curve.pays_from
    assert all(p.difference.side() == -1 for p in curve.points if p.training_reviews >= start)


def test_a_perfect_model_beats_a_wrong_default() -> None:
    """Whose predictions are 10 points too low; what is gained is the mean Kullback-Leibler divergence."""
    random = np.random.default_rng(5)
    reviews = 10 * FOLD
    predicted = random.uniform(0.7, 0.95, reviews)
    recalled = (random.random(reviews) < predicted).astype(np.int64)
    default = predicted - 0.1
    gain = predicted * np.log(predicted / default) + (1 - predicted) * np.log((1 - predicted) / (1 - default))
    difference = log_loss_per_review(predicted, recalled) - log_loss_per_review(default, recalled)
    n = np.arange(reviews)
    curve = learning_curve(difference, np.full(reviews, 900), Clusters.of(n % 50, n // 4))
    low, high = curve.points[0].difference.ends or (0, 0)
    assert low < -gain.mean() < high
    assert curve.pays_from == 900

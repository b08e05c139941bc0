"""Test how often intervals of simulated people contain the truth, and how often they claim a false difference."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from simulated_reviews import (
    CENTER,
    SimulatedReviews,
    equally_good,
    expected_recall,
    overconfident_minus_optimistic,
    simulate,
    true_difference,
)

from evaluator.interval import BETTER, WORSE, classify
from evaluator.statistics.paired import Clusters, paired_difference, realized_difference

PEOPLE = 300


def clusters_of(reviews: SimulatedReviews) -> Clusters:
    return Clusters.of(reviews.card, reviews.day, reviews.recalled)


def sides_of_truth(seed: int, truth: float, **people: Any) -> list[int | None]:
    """Return whether each person's interval is below the truth (-1), contains it (0), is above it (1) or is missing."""
    random = np.random.default_rng(seed)
    result = []
    for _ in range(PEOPLE):
        reviews = simulate(random, day_spread=0.6, **people)
        interval = paired_difference(overconfident_minus_optimistic(reviews), clusters_of(reviews))
        result.append(interval.compare_with(truth))
    return result


@pytest.mark.parametrize(("cards", "days", "reviews"), [(250, 25, 1200), (300, 60, 2500)])
def test_intervals_of_log_loss_cover_the_truth(cards, days, reviews):
    effects = {"day_sd": 0.5, "persistence": 0.9}
    sides = sides_of_truth(2011, true_difference(day_sd=0.5), cards=cards, days=days, reviews=reviews, **effects)
    assert sides.count(0) >= 0.94 * (PEOPLE - sides.count(None))


@pytest.mark.parametrize(("step", "max_share"), [(None, 0.05), (14, 40 / 300)])
def test_equally_good_forecasters_rarely_seem_to_differ(step, max_share):
    random = np.random.default_rng(2024)
    decided = 0
    for _ in range(PEOPLE):
        reviews = simulate(random, cards=110, days=60, reviews=900, day_spread=0.6)
        difference = equally_good(random, reviews, sd=0.5, step=step)
        decided += classify(paired_difference(difference, clusters_of(reviews))) in {BETTER, WORSE}
    assert decided <= max_share * PEOPLE


@pytest.mark.parametrize("step", [None, 1, 7, 30], ids=["by card", "by day", "drift", "break"])
def test_intervals_of_the_past_cover_the_truth(step):
    """The truth is the expected difference under the true probabilities of recall."""
    random = np.random.default_rng(2024)
    sides = []
    for center in np.repeat([CENTER, CENTER + 1], PEOPLE):
        r = simulate(
            random, cards=200, days=60, reviews=1200, day_sd=0.5, day_spread=0.6, persistence=0.9, center=center
        )
        errors = np.random.SeedSequence(int(random.integers(2**31)))
        difference, if_forgotten, if_recalled = (
            equally_good(np.random.default_rng(errors), replace(r, recalled=recalled), sd=0.8, step=step)
            for recalled in (r.recalled, np.zeros_like(r.recalled), np.ones_like(r.recalled))
        )
        truth = float(np.mean(if_forgotten + r.recall * (if_recalled - if_forgotten)))
        interval = realized_difference(difference, clusters_of(r))
        sides.append((interval.compare_with(truth), interval.compare_with(), np.sign(truth)))
    side, claimed, true = np.array(sides).T
    assert 0.94 <= np.mean(side == 0) <= 0.99
    for better in (-1, 1):
        assert np.mean((claimed == better) & (true != better)) <= 0.025
    # If errors change by days, one forecaster has often been better.
    assert step is None or np.mean(claimed != 0) > 0.15


@pytest.mark.parametrize("forgotten", [5, 20])
def test_rare_lapses_make_neither_side_of_the_interval_too_short(forgotten):
    centers = np.arange(0, 15, 0.01)
    expected = np.array([1 - expected_recall(center=center) for center in centers])
    center = float(centers[np.argmin(np.abs(expected - forgotten / 900))])
    sides = sides_of_truth(1978, true_difference(center=center), cards=200, days=60, reviews=900, center=center)
    assert max(sides.count(-1), sides.count(1)) <= 0.04 * PEOPLE
    assert (sides.count(None) > 0.2 * PEOPLE) == (forgotten <= 10)

"""How often the paired interval holds the truth, and sees a difference if there is none: of people who may drift.

A small fixed part of what ``python3 tools measure intervals`` counts.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evaluator.statistics.paired import realized_difference
from evaluator.statistics.slices import Slicing, slice_recall
from tools.development.measure.coverage_tables import (
    COVERAGE,
    EQUALS,
    RARE_OUTCOMES,
    ForecasterPair,
    People,
    Rare,
    clusters_of,
)
from tools.development.measure.intervals import of_many
from tools.simulate.reviews import (
    CENTER,
    SPREAD,
    equally_good,
    expected_recall,
    overconfident_minus_optimistic,
    recall_given,
    simulate,
    true_difference,
)

PEOPLE = 300


def test_intervals_of_log_loss_cover_the_truth() -> None:
    people = People(250, 25, 1200, day_sd=0.5, day_spread=0.8, persistence=0.9)
    (covered,) = of_many(COVERAGE, people, PEOPLE, np.random.default_rng(2011))
    assert covered is not None
    assert covered >= 0.94


def test_equally_good_forecasters_rarely_seem_to_differ() -> None:
    (messages,) = of_many(EQUALS, ForecasterPair(60, 15, 14, 0.5), PEOPLE, np.random.default_rng(2024))
    assert messages is not None
    assert messages <= 40 / 300


@pytest.mark.parametrize("step", [None, 1, 7, 30], ids=["by card", "by day", "drift", "break"])
def test_the_past_is_covered_whoever_was_better_when(step: int | None) -> None:
    """The truth is known: on each review the difference is expected by the true probability of recall."""
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
    side, said, true = np.array(sides).T
    assert 0.94 <= np.mean(side == 0) <= 0.99
    for better in (-1, 1):
        assert np.mean((said == better) & (true != better)) <= 0.025
    assert step is None or np.mean(said != 0) > 0.15


def test_the_quadrature_is_right() -> None:
    r = simulate(np.random.default_rng(1), cards=1_000_000, days=1_000_000, reviews=1_000_000)
    difference = overconfident_minus_optimistic(r)
    assert difference.mean() == pytest.approx(true_difference(), abs=4 * difference.std() / 1000)
    assert r.recalled.mean() == pytest.approx(expected_recall(), abs=4 * r.recalled.std() / 1000)


@pytest.mark.parametrize("rare", [Rare(5), Rare(20)], ids=str)
def test_little_forgotten_makes_neither_side_of_the_interval_too_short(rare: Rare) -> None:
    none, below, above = of_many(RARE_OUTCOMES, rare, PEOPLE, np.random.default_rng(1978))
    assert max(below or 0, above or 0) <= 0.04
    assert ((none or 0) > 0.2) == (rare.forgotten <= 10)


def test_right_predictions_are_seldom_called_wrong() -> None:
    people = People(200, 60, 3000, day_sd=0.5, step=14)
    random, limits = np.random.default_rng(2023), CENTER + SPREAD * np.array([-1.0, -0.4, 0.0, 0.4, 1.0])
    wrong = 0
    for _ in range(100):
        reviews = people.draw(random)
        predicted = recall_given(reviews.known, day_sd=people.day_sd)
        slicing = Slicing("known", np.searchsorted(limits, reviews.known), tuple("abcdef"))
        wrong += bool(slice_recall(predicted, reviews.recalled, slicing, clusters_of(reviews)).miscalibrated)
    assert wrong <= 15

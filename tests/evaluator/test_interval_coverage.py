"""How often the paired interval holds the truth, and sees a difference where there is none: of people who may drift.

A small fixed part of what ``python3 tools bench intervals`` counts.
"""

from __future__ import annotations

import numpy as np
import pytest

from evaluator.statistics.paired import Clusters, paired_difference
from evaluator.statistics.slices import Slicing, slice_recall
from tools.bench.counted import COVERAGE, EQUALS, RARE_OUTCOMES, Pair, People, Rare, clusters_of
from tools.bench.intervals import of_many
from tools.simulate.reviews import (
    CENTRE,
    SPREAD,
    expected_recall,
    overconfident_minus_optimistic,
    recall_given,
    simulate,
    true_difference,
)

PEOPLE = 300


@pytest.mark.parametrize(
    "people",
    [People(100, 8, 300), People(250, 25, 1200, day_sd=0.5, day_spread=0.8, persistence=0.9), People(300, 60, 2500)],
    ids=str,
)
def test_intervals_of_log_loss_cover_the_truth(people: People) -> None:
    """Of 95 %: 94 to 100 % below 40 days, 93 to 99 % from there on.

    Cards have effects of their own (sd 0.8 in the logit), and so have days; cards are reviewed unequally often,
    outcomes are 0 or 1, and the difference is one of log losses, skewed as these are; the truth comes from quadrature.
    """
    (covered,) = of_many(COVERAGE, people, PEOPLE, np.random.default_rng(2011))
    assert covered is not None
    least, most = (0.94, 1) if people.days < 40 else (0.93, 0.99)
    assert least <= covered <= most


@pytest.mark.parametrize(
    ("pair", "most"), [(Pair(25, 15, None, 0.5), 0.05), (Pair(60, 15, 14, 0.5), 40 / 300)], ids=str
)
def test_equally_good_forecasters_are_not_told_apart(pair: Pair, most: float) -> None:
    """In at most 5 % of cases where neither drifts, else in 10 %, give or take what chance does to 300."""
    (told,) = of_many(EQUALS, pair, PEOPLE, np.random.default_rng(2024))
    assert told is not None
    assert told <= most


def test_the_quadrature_is_right() -> None:
    """It agrees with a million simulated reviews of as many cards, within four standard errors."""
    r = simulate(np.random.default_rng(1), cards=1_000_000, days=1_000_000, reviews=1_000_000)
    difference = overconfident_minus_optimistic(r)
    assert difference.mean() == pytest.approx(true_difference(), abs=4 * difference.std() / 1000)
    assert r.recalled.mean() == pytest.approx(expected_recall(), abs=4 * r.recalled.std() / 1000)


@pytest.mark.parametrize("rare", [Rare(5), Rare(20)], ids=str)
def test_little_forgotten_makes_neither_side_of_the_interval_too_short(rare: Rare) -> None:
    """Each leaves out the truth in at most 4 % of cases; where too little is forgotten there is none."""
    none, below, above = of_many(RARE_OUTCOMES, rare, PEOPLE, np.random.default_rng(1978))
    assert max(below or 0, above or 0) <= 0.04
    assert ((none or 0) > 0.2) == (rare.forgotten <= 10)


def test_rare_shocks_of_either_sign_do_not_decide() -> None:
    """Some four reviews in 900 make all of the difference: where most have one sign by chance, nothing is claimed."""
    random = np.random.default_rng(3)
    told = 0
    for _ in range(PEOPLE):
        difference = random.normal(0, 0.1, 900) + random.choice([-10, 0, 10], 900, p=[0.0022, 0.9956, 0.0022])
        clusters = Clusters.of(random.integers(150, size=900), np.sort(random.integers(60, size=900)))
        told += paired_difference(difference, clusters).side() != 0
    assert told <= 0.05 * PEOPLE


@pytest.mark.parametrize(
    ("people", "most"),
    [(People(200, 60, 3000), 0.07), (People(200, 60, 3000, day_sd=0.5, step=14), 0.15)],
    ids=str,
)
def test_right_predictions_are_seldom_called_wrong(people: People, most: float) -> None:
    """In one of six slices, by what is known of a review: in 7 % of 100 people, in 15 % where days resemble others."""
    random, limits = np.random.default_rng(2023), CENTRE + SPREAD * np.array([-1.0, -0.4, 0.0, 0.4, 1.0])
    wrong = 0
    for _ in range(100):
        reviews = people.draw(random)
        predicted = recall_given(reviews.known, day_sd=people.day_sd)
        slicing = Slicing("known", np.searchsorted(limits, reviews.known), tuple("abcdef"))
        wrong += bool(slice_recall(predicted, reviews.recalled, slicing, clusters_of(reviews)).wrong)
    assert wrong <= 100 * most

"""How often the paired interval holds the truth, and sees a difference where there is none: of people who may drift.

A small fixed part of what ``python3 tools bench intervals`` counts.
"""

from __future__ import annotations

import numpy as np
import pytest

from evaluator.statistics.paired import Clusters, paired_difference
from tools.bench.intervals import bands, coverage, equals
from tools.bench.intervals.bands import called_wrong
from tools.bench.intervals.coverage import held
from tools.bench.intervals.equals import Pair, told_apart
from tools.bench.intervals.people import People
from tools.bench.intervals.rare import ROWS as RARE
from tools.bench.intervals.rare import Rare, tails
from tools.simulate.reviews import expected_recall, overconfident_minus_optimistic, simulate, true_difference

PEOPLE = 300

#: Days that are independent of each other, that resemble the day before, that are alike for a month; of equal and of
#: unequal size; few and many cards and reviews.
COVERED = (
    *(people for people in coverage.ROWS if people.days <= 60 and people.day_spread <= 1),
    People(500, 200, 6000, day_sd=0.5, step=30),
    People(60, 45, 1500, day_spread=0),
    People(600, 200, 4000, day_spread=0),
)
#: Each changes within a quarter of the days; not the hard ones.
DRIFTING = tuple(pair for pair in equals.DRIFTING if pair.step and pair.step <= pair.days / 4 and pair.a_day == 15)


@pytest.mark.parametrize("people", COVERED, ids=str)
def test_intervals_of_log_loss_cover_the_truth(people: People) -> None:
    """Of 95 %: 94 to 100 % below 40 days, 93 to 99 % from there on.

    Cards have effects of their own (sd 0.8 in the logit), and so have days; cards are reviewed unequally often,
    outcomes are 0 or 1, and the difference is one of log losses, skewed as these are; the truth comes from quadrature.
    """
    _, covered, _ = held(people, PEOPLE, np.random.default_rng(2011))
    assert covered is not None
    least, most = (0.94, 1) if people.days < 40 else (0.93, 0.99)
    assert least <= covered <= most


@pytest.mark.parametrize("pair", equals.STEADY, ids=str)
def test_equally_good_forecasters_are_not_told_apart(pair: Pair) -> None:
    """Where neither drifts: in at most 5 % of cases."""
    _, told = told_apart(pair, PEOPLE, np.random.default_rng(2018))
    assert told <= 0.05


@pytest.mark.parametrize("pair", DRIFTING, ids=str)
def test_drift_is_not_taken_for_a_difference(pair: Pair) -> None:
    """In at most 10 % of cases, give or take what chance does to 300; days taken for independent say it more often."""
    independent, told = told_apart(pair, PEOPLE, np.random.default_rng(2024))
    assert told <= 40 / 300
    assert independent > 1.5 * told


def test_the_quadrature_is_right() -> None:
    """It agrees with a million simulated reviews of as many cards, within four standard errors."""
    r = simulate(np.random.default_rng(1), cards=1_000_000, days=1_000_000, reviews=1_000_000)
    difference = overconfident_minus_optimistic(r)
    assert difference.mean() == pytest.approx(true_difference(), abs=4 * difference.std() / 1000)
    assert r.recalled.mean() == pytest.approx(expected_recall(), abs=4 * r.recalled.std() / 1000)


@pytest.mark.parametrize("rare", RARE, ids=str)
def test_little_forgotten_makes_neither_side_of_the_interval_too_short(rare: Rare) -> None:
    """Each leaves out the truth in at most 4 % of cases; where too little is forgotten there is none."""
    none, below, above = tails(rare, PEOPLE, np.random.default_rng(1978))
    assert max(below, above) <= 0.04
    assert (none > 0.2) == (rare.forgotten <= 10)


def test_rare_shocks_of_either_sign_do_not_decide() -> None:
    """Some four reviews in 900 make all of the difference: where most have one sign by chance, nothing is claimed."""
    random = np.random.default_rng(3)
    told = 0
    for _ in range(PEOPLE):
        difference = random.normal(0, 0.1, 900) + random.choice([-10, 0, 10], 900, p=[0.0022, 0.9956, 0.0022])
        clusters = Clusters.of(random.integers(150, size=900), np.sort(random.integers(60, size=900)))
        told += paired_difference(difference, clusters).side() != 0
    assert told <= 0.05 * PEOPLE


@pytest.mark.parametrize("people", [one for one in bands.ROWS if one.days <= 60], ids=str)
def test_right_predictions_are_seldom_called_wrong(people: People) -> None:
    """In at most 7 % of 100 cases where days are independent of each other, and 15 % where they are not."""
    independent, ours, _ = called_wrong(people, 100, np.random.default_rng(2023))
    assert ours <= (0.07 if people.step == 1 else 0.15)
    assert people.step == 1 or people.days < 25 or independent > 1.5 * ours

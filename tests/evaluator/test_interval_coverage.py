"""How often the paired interval holds the truth where recall itself depends on the card and the day."""

from __future__ import annotations

import numpy as np
import pytest

from evaluator.statistics.paired import Clusters, paired_difference
from tools.simulate.reviews import overconfident_minus_optimistic, simulate, true_difference


@pytest.mark.parametrize(
    ("cards", "days", "reviews"), [(200, 60, 1500), (200, 60, 6000), (600, 200, 4000), (60, 45, 1500)], ids=str
)
def test_intervals_of_log_loss_cover_the_truth(cards: int, days: int, reviews: int) -> None:
    """93 to 99 % of 500 people, with effects of cards (sd 0.8 in the logit) and of days (0.3).

    Cards are reviewed unequally often, outcomes are 0 or 1, and the difference is one of log losses, skewed as these
    are; the truth comes from quadrature.
    """
    random = np.random.default_rng(2011)
    truth = true_difference()
    covered, people = 0, 500
    for _ in range(people):
        r = simulate(random, cards=cards, days=days, reviews=reviews)
        d = paired_difference(overconfident_minus_optimistic(r), Clusters.of(r.card, r.day))
        covered += d.side(truth) == 0
    assert 0.93 <= covered / people <= 0.99


def test_the_quadrature_is_right() -> None:
    """It agrees with a million simulated reviews of as many cards, within four standard errors."""
    r = simulate(np.random.default_rng(1), cards=1_000_000, days=1_000_000, reviews=1_000_000)
    difference = overconfident_minus_optimistic(r)
    assert difference.mean() == pytest.approx(true_difference(), abs=4 * difference.std() / 1000)

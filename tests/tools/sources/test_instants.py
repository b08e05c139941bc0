from __future__ import annotations

import numpy as np
import pytest

from tools.simulate import Habits, Learner, simulate
from tools.sources.anki_10k import MS_PER_DAY, Contradiction, earliest_instants


def facts_and_instants(simulation):
    """Return the card, the day, the seconds since the card's last row, and the instant of each row of a log."""
    log = simulation.revlog
    clock = simulation.clock
    day = clock.day_of(log.review_id)
    last = {}
    seconds = []
    for instant, card in zip(log.review_id.tolist(), log.card_id.tolist(), strict=True):
        seconds.append((instant - last[card]) // 1000 if card in last else -1)
        last[card] = instant
    start = clock.next_day_at * 1000 + (day.min() - 1) * MS_PER_DAY
    return log.card_id, day - day.min(), np.array(seconds), log.review_id - start


@pytest.mark.parametrize("scheduler", ["fsrs", "sm2"])
def test_instants_agree_with_days_and_seconds(scheduler):
    simulation = simulate(Learner(days=200, scheduler=scheduler, habits=Habits(new_per_day=4, cram=0.05)))
    card, day, seconds, true = facts_and_instants(simulation)
    result = earliest_instants(card, day, seconds)
    assert (np.diff(result) > 0).all()
    assert ((result - 1) // MS_PER_DAY == day).all()
    assert (result <= true).all()  # the true instants agree too, and these are the earliest
    for item in np.unique(card):
        rows = np.flatnonzero(card == item)
        assert (np.diff(result[rows]) // 1000 == seconds[rows[1:]]).all()


def test_earliest_instants_match_hand_calculation():
    nothing = np.empty(0, dtype=np.int64)
    assert earliest_instants(nothing, nothing, nothing).shape == (0,)
    card = np.array([1, 2, 1, 2])
    day = np.array([0, 0, 1, 1])
    seconds = np.array([-1, -1, 90_000, 86_400])
    result = earliest_instants(card, day, seconds)
    third = 1 + 90_000_000  # 90,000 s after the first, which is at the start of its day
    fourth = third + 1
    second = fourth - 86_400_999  # limited by the fourth
    assert result.tolist() == [1, second, third, fourth]


@pytest.mark.parametrize(
    ("day", "seconds"),
    [
        ([0, 2, 1], [-1, -1, -1]),  # rows out of order
        ([0, 0, 3], [-1, -1, 100]),  # three days cannot pass in 100 s
        ([0, 0, 0], [-1, -1, 90_000]),  # 25 hours cannot pass within a day
    ],
)
def test_contradiction_is_found(day, seconds):
    with pytest.raises(Contradiction):
        earliest_instants(np.array([1, 2, 1]), np.array(day), np.array(seconds))

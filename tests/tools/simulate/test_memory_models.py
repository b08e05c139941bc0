from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evaluator.data.revlog import SECONDS_PER_DAY
from tools.simulate import Habits, Learner, memory_models

LEARNER = Learner(seed=3)


@pytest.mark.parametrize("kind", memory_models.KINDS)
def test_every_memory_begins_with_its_first_stability_and_grows(kind):
    memory = memory_models.memory_of(replace(LEARNER, memory_kind=kind))
    state = memory.first_state(np.array([3]), np.ones(1))
    stability = np.array([LEARNER.memory[2]])
    if kind != memory_models.DASH:  # which has no stability
        assert memory.recall(state, stability)[0] == pytest.approx(0.9, abs=0.01)
    grown, lapsed = (memory.next_state(state, stability, np.array([rating])) for rating in (3, 1))
    later = 3 * stability
    assert memory.recall(grown, later)[0] > memory.recall(state, later)[0] + 0.02
    assert memory.recall(grown, later)[0] > memory.recall(lapsed, later)[0]


def test_habits_change_the_probability_of_recall():
    """Some forgotten cards are guessed, and on the same day some weak cards are forgotten."""
    memory = memory_models.FsrsMemory(LEARNER.memory)
    day = np.ones(1)
    minute = 60 * day / SECONDS_PER_DAY
    state = memory.first_state(np.array([1]), day)
    after_minute, after_day = (memory.recall(state, elapsed)[0] for elapsed in (minute, day))
    habits = Habits(guesses=0.2, forgets=0.4, forgets_after=60)
    results = [memory_models.recall_with_habits(memory, habits, state, elapsed)[0] for elapsed in (minute, day)]
    weakness = (1 - after_day) ** 0.5
    assert results[0] == pytest.approx(0.2 + 0.8 * after_minute * (1 - 0.4 * weakness / 2))
    assert results[1] == pytest.approx(0.2 + 0.8 * after_day)

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tools.simulate import Habits, Learner, memory_models

#: Someone whose cards are all alike, and who never slips.
ALIKE = Learner(seed=3, days=120, spread=0.0, scheduler="sm2", habits=Habits(new_per_day=0.7, cram=0, slips=0))


@pytest.mark.parametrize("kind", memory_models.KINDS)
def test_every_memory_begins_with_its_first_stability_and_grows(kind):
    memory = memory_models.memory_of(replace(ALIKE, memory_kind=kind))
    good, item = np.array([3]), np.ones(1)
    state = memory.first_state(good, item)
    stability = np.array([ALIKE.memory[2]])
    if kind != memory_models.DASH:  # which knows no stability
        assert memory.recall(state, stability)[0] == pytest.approx(0.9, abs=0.01)
    grown, lapsed = (memory.next_state(state, stability, np.array([rating])) for rating in (3, 1))
    later = 3 * stability
    assert memory.recall(grown, later)[0] > memory.recall(state, later)[0] + 0.02
    assert memory.recall(grown, later)[0] > memory.recall(lapsed, later)[0]


def test_answers_reveal_the_memory():
    memory, day = memory_models.FsrsMemory(ALIKE.memory), np.ones(1)
    state = memory.first_state(np.array([1]), day)
    soon = 60 * day / (24 * 60 * 60)
    chance, weak = memory.recall(state, soon)[0], (1 - memory.recall(state, day)[0]) ** 0.5
    habits = replace(ALIKE.habits, guesses=0.2, forgets=0.4, forgets_after=60)
    answers = [memory_models.recall_with_habits(memory, habits, state, elapsed)[0] for elapsed in (soon, day)]
    assert answers[0] == pytest.approx(0.2 + 0.8 * chance * (1 - 0.4 * weak / 2))
    assert answers[1] == pytest.approx(0.2 + 0.8 * memory.recall(state, day)[0])

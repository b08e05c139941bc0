"""Simulated people who study, by seed: review logs as Anki would have stored them.

By hand, as simulators of schedulers make no review log: no steps, resets, filtered decks, or days off.

``write_collection(simulate(Learner(seed=1, days=365)), Path("collection.anki2"))`` makes one that Anki opens.
"""

from __future__ import annotations

from tools.simulate.collection_file import write_collection
from tools.simulate.learner import Habits, Learner
from tools.simulate.study import simulate
from tools.simulate.trace import Simulation

__all__ = ["Habits", "Learner", "Simulation", "simulate", "write_collection"]

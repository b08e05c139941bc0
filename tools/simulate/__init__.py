"""Simulated learners, determined by a seed, with review logs as Anki would have stored them.

Existing simulators of schedulers write no review log, and have no learning steps, resets, filtered decks or days off.

``write_collection(simulate(Learner(seed=1, days=365)), Path("collection.anki2"))`` writes a collection for Anki.
"""

from __future__ import annotations

from tools.simulate.collection_writer import write_collection
from tools.simulate.learner import Habits, Learner
from tools.simulate.study import simulate
from tools.simulate.trace import Simulation

__all__ = ["Habits", "Learner", "Simulation", "simulate", "write_collection"]

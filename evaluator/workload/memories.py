"""FSRS-6 as one person's memory, with several draws of its parameters, on arrays of cards.

A *unit* is one card under one draw. A state is a tuple of arrays whose first axis is the units; every function takes
for each unit the number of its draw.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence, Tuple

import numpy as np

from ..algorithms.fsrs6 import FSRS6
from ..data.histories import Numbers
from ..data.reviews import CardRows
from ..data.revlog import Ints
from ..derivatives import Floats

State = Tuple[Numbers, ...]


@dataclass(frozen=True)
class Memory:
    """Keeps a state for each card."""

    algorithm: FSRS6
    w: Floats  #: (P, draws), or (P, 1) for all draws

    def first(self, draw: Ints, rating: Ints) -> State:
        """Return the states (n, ...) after first answers ``rating`` (n,), by these draws (n,)."""
        return tuple(np.broadcast_to(x, rating.shape) for x in self.algorithm.first(self._of(draw), rating))

    def step(self, draw: Ints, state: State, elapsed: Numbers, rating: Ints) -> State:
        """Return the states after further answers, ``elapsed`` (n,) whole days later."""
        after: State = self.algorithm.step(self._of(draw), state, elapsed, rating)
        return after

    def recall(self, draw: Ints, state: State, elapsed: Numbers) -> Floats:
        """Return the probability of recall ``elapsed`` days later."""
        chance: Floats = self.algorithm.recall(self._of(draw), state, elapsed)
        return chance

    def _of(self, draw: Ints) -> Sequence[Any]:
        """Return the parameters of each unit; one number for all if there is one draw."""
        return list(self.w[:, 0] if self.w.shape[1] == 1 else self.w[:, draw])


def replay(memory: Memory, rows: CardRows, start: Ints, size: Ints, draw: Ints) -> State:
    """Return the state of units after the first ``size`` rows, at least one, from ``start``; columns (units, ...).

    All but the memory and the rows of the log have a number for each unit.
    """
    units = np.arange(len(start))
    state = tuple(np.array(column) for column in memory.first(draw, rows.rating[start]))
    for position in range(1, int(size.max(initial=0))):
        mask = units[size > position]
        row = start[mask] + position
        before = tuple(column[mask] for column in state)
        for column, value in zip(state, memory.step(draw[mask], before, rows.elapsed_days[row], rows.rating[row])):
            column[mask] = value
    return state

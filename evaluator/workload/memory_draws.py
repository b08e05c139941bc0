"""FSRS-6 as one person's memory, with several draws of its parameters, on arrays of cards.

A *unit* is one card under one draw. A state is a tuple of arrays whose first axis is the units. Every function takes
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


def take(state: State, units: Ints) -> State:
    """Return a copy of the state of some units."""
    return tuple(column[units] for column in state)


def store(state: State, units: Ints, values: State) -> None:
    """Set the state of some units."""
    for column, value in zip(state, values):
        column[units] = value


@dataclass(frozen=True)
class Memory:
    """Keeps a state for each card."""

    algorithm: FSRS6
    w: Floats  #: (P, draws), or (P, 1) for all draws

    def first(self, draw: Ints, rating: Ints) -> State:
        """Return the states (n, ...) after first answers ``rating`` (n,), by these draws (n,)."""
        return tuple(np.broadcast_to(x, rating.shape) for x in self.algorithm.first(self.parameters(draw), rating))

    def step(self, draw: Ints, state: State, elapsed: Numbers, rating: Ints) -> State:
        """Return the states after further answers, ``elapsed`` (n,) whole days later."""
        after: State = self.algorithm.step(self.parameters(draw), state, elapsed, rating)
        return after

    def recall(self, draw: Ints, state: State, elapsed: Numbers) -> Floats:
        """Return the probability of recall ``elapsed`` days later."""
        chance: Floats = self.algorithm.recall(self.parameters(draw), state, elapsed)
        return chance

    def parameters(self, draw: Ints) -> Sequence[Any]:
        """Return each parameter for each unit (n,), or as one number for all units if there is one draw."""
        return list(self.w[:, 0] if self.w.shape[1] == 1 else self.w[:, draw])


def replay(memory: Memory, rows: CardRows, start: Ints, size: Ints, draw: Ints) -> State:
    """Return the state of units after some of their cards' rows.

    Args:
        memory: with its draws.
        rows: of the log.
        start: first row of each unit's card.
        size: number of its rows, at least one.
        draw: of each unit.
    """
    units = np.arange(len(start))
    state = tuple(np.array(column) for column in memory.first(draw, rows.rating[start]))
    for position in range(1, int(size.max(initial=0))):
        mask = units[size > position]
        row = start[mask] + position
        after = memory.step(draw[mask], take(state, mask), rows.elapsed_days[row], rows.rating[row])
        store(state, mask, after)
    return state

"""FSRS-6 as the memory of one user, with several draws of its parameters.

A *unit* is one card under one draw. A state is a tuple of arrays whose first axis is the units.
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
    """Overwrite the state of some units."""
    for column, value in zip(state, values):
        column[units] = value


@dataclass(frozen=True)
class Memory:
    """Memory of one user. Its methods get the states of n units and the draw of each, and keep none of them."""

    algorithm: FSRS6
    w: Floats  #: parameters (P, draws), or (P, 1) for all draws

    @property
    def n_draws(self) -> int:
        """Number of draws of the parameters."""
        return len(self.w[0])

    def first(self, draw: Ints, rating: Ints) -> State:
        """Return the states (n, ...) after first answers with these ratings (n,)."""
        return tuple(np.broadcast_to(x, rating.shape) for x in self.algorithm.first(self.parameters(draw), rating))

    def step(self, draw: Ints, state: State, elapsed: Numbers, rating: Ints) -> State:
        """Return the states after further answers, ``elapsed`` (n,) whole days after the last ones."""
        return self.algorithm.step(self.parameters(draw), state, elapsed, rating)

    def recall(self, draw: Ints, state: State, elapsed: Numbers) -> Floats:
        """Return the probability of recall (n,), ``elapsed`` days after the last answers."""
        probability: Floats = self.algorithm.recall(self.parameters(draw), state, elapsed)
        return probability

    def parameters(self, draw: Ints) -> Sequence[Any]:
        """Return each parameter by unit (n,), or as one number for all units if there is one draw."""
        return list(self.w[:, 0] if self.n_draws == 1 else self.w[:, draw])


def replay(memory: Memory, rows: CardRows, start: Ints, size: Ints, draw: Ints) -> State:
    """Return the state of each unit after the first rows of its card.

    Args:
        memory: the memory with its draws.
        rows: the rows of the log.
        start: the first row of each card (cards,).
        size: the number of rows to replay of each card (cards,), at least one.
        draw: the draw of each unit. The units are all cards once, or several times one after the other.
    """
    start = np.resize(start, len(draw))
    size = np.resize(size, len(draw))
    state = tuple(np.array(column) for column in memory.first(draw, rows.rating[start]))
    for position in range(1, int(size.max(initial=0))):
        units = np.flatnonzero(size > position)
        row = start[units] + position
        new_state = memory.step(draw[units], take(state, units), rows.elapsed_days[row], rows.rating[row])
        store(state, units, new_state)
    return state

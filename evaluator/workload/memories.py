"""Models of one person's memory, each with several draws of its parameters, on arrays of cards.

A *unit* is one card under one draw. A state is a tuple of arrays whose first axis is the units; every function takes
for each unit the number of its draw.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, Sequence, Tuple

import numpy as np

from ..algorithms.algorithm import Parametric, Recurrent, Trace
from ..derivatives import Floats
from ..histories import Numbers
from ..revlog import SECONDS_PER_DAY, Ints

State = Tuple[Numbers, ...]

#: Days between two answers on one day, for an algorithm that sees intervals to the second: ten minutes.
SAME_DAY = 600 / SECONDS_PER_DAY
#: The earlier reviews of a card that a trace algorithm is told of: the newest.
MOST_TRACES = 32


@dataclass(frozen=True)
class Rows:
    """Rows of the log, card by card and in time order within a card, as far as they are known to whoever replays."""

    start: Ints  #: index of each card's first row, (cards,)
    size: Ints  #: of how many rows each card's past consists, at least 1
    rating: Ints  #: of each row
    days: Ints  #: whole days since the card's row before
    exact_days: Floats  #: likewise, to the second


class Memory(Protocol):
    """What a simulation asks of a memory."""

    @property
    def algorithm(self) -> Parametric:
        """What it is a memory by."""
        ...

    def first(self, draw: Ints, rating: Ints) -> State:
        """The state after a card's first answer."""
        ...

    def step(self, draw: Ints, state: State, elapsed: Numbers, rating: Ints) -> State:
        """The state after a further answer, ``elapsed`` days later."""
        ...

    def recall(self, draw: Ints, state: State, elapsed: Numbers) -> Floats:
        """The probability of recall ``elapsed`` days later."""
        ...


@dataclass(frozen=True)
class RecurrentMemory:
    """An algorithm that keeps a state for each card."""

    algorithm: Recurrent
    w: Floats  #: (P, draws), or (P, 1) for all draws

    def first(self, draw: Ints, rating: Ints) -> State:
        return tuple(np.broadcast_to(x, rating.shape) for x in self.algorithm.first(self._of(draw), rating))

    def step(self, draw: Ints, state: State, elapsed: Numbers, rating: Ints) -> State:
        after: State = self.algorithm.step(self._of(draw), state, elapsed, rating)
        return after

    def recall(self, draw: Ints, state: State, elapsed: Numbers) -> Floats:
        chance: Floats = self.algorithm.recall(self._of(draw), state, elapsed)
        return chance

    def _of(self, draw: Ints) -> Sequence[Any]:
        """The parameters of each unit; one number for all where there is one draw."""
        return list(self.w[:, 0] if self.w.shape[1] == 1 else self.w[:, draw])


@dataclass(frozen=True)
class TraceMemory:
    """An algorithm that looks at all earlier reviews of a card, of which the newest :data:`MOST_TRACES` are kept.

    It must not remember what it predicted then. State: the days from each review to the newest one and its rating, both
    (units, MOST_TRACES) from the newest on; the rating is 0 where there was none.
    """

    algorithm: Trace
    w: Floats  #: (P, draws)

    def first(self, draw: Ints, rating: Ints) -> State:  # noqa: ARG002 - other memories need the draw
        age = np.zeros((len(rating), MOST_TRACES), dtype=np.float32)
        ratings = np.zeros((len(rating), MOST_TRACES), dtype=np.int8)
        ratings[:, 0] = rating
        return age, ratings

    def step(self, draw: Ints, state: State, elapsed: Numbers, rating: Ints) -> State:  # noqa: ARG002 - likewise
        age, ratings = (np.zeros_like(column) for column in state)
        age[:, 1:] = (state[0][:, :-1] + elapsed[:, None]) * (state[1][:, :-1] > 0)
        ratings[:, 0], ratings[:, 1:] = rating, state[1][:, :-1]
        return age, ratings

    def recall(self, draw: Ints, state: State, elapsed: Numbers) -> Floats:
        known = state[1] > 0
        most = int(known.sum(axis=1).max(initial=1))  # the older columns are empty
        age, rating, known = state[0][:, :most] + np.asarray(elapsed)[:, None], state[1][:, :most], known[:, :most]
        traces = self.algorithm.trace(list(self.w[:, draw, None]), age, rating, np.zeros_like(age))
        totals = tuple((trace * known).sum(axis=1) for trace in traces)
        chance: Floats = self.algorithm.recall(list(self.w[:, draw]), totals, elapsed)
        return chance


def memory_of(algorithm: Parametric, w: Floats) -> Memory:
    """The memory that an algorithm describes, with parameters w (P, draws)."""
    if isinstance(algorithm, Recurrent):
        return RecurrentMemory(algorithm, w)
    if isinstance(algorithm, Trace) and not algorithm.remembers:
        return TraceMemory(algorithm, w)
    raise TypeError(f"{algorithm.name} has neither a state nor traces that stay as they are")


def replay(memory: Memory, rows: Rows, card: Ints, draw: Ints) -> State:
    """The state of units after the last row of each one's card, by each one's draw; columns (units, ...)."""
    units = np.arange(len(card))
    size, start = rows.size[card], rows.start[card]
    state: State = ()
    for position in range(int(size.max(initial=0))):
        here = units[size > position]
        row = start[here] + position
        if position == 0:
            fresh = memory.first(draw[here], rows.rating[row])
            state = tuple(np.empty((len(units), *column.shape[1:]), dtype=column.dtype) for column in fresh)
        else:
            if not memory.algorithm.inputs.same_day:
                here, row = here[rows.days[row] > 0], row[rows.days[row] > 0]
            elapsed = rows.exact_days if memory.algorithm.inputs.fractional else rows.days
            before = tuple(column[here] for column in state)
            fresh = memory.step(draw[here], before, elapsed[row], rows.rating[row])
        for column, value in zip(state, fresh):
            column[here] = value
    return state

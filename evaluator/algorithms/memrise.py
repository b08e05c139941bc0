"""Memrise, whose intervals are the steps of a fixed ladder, as in the comparison of algorithms of 2023."""

from __future__ import annotations

from typing import Sequence

import numpy as np

from .algorithm import Array, Exponential, State

#: Intervals in days. The last one repeats.
LADDER = (1.0, 6.0, 12.0, 24.0, 48.0, 96.0, 180.0)


class Memrise(Exponential):
    """Memrise, whose state is the interval in days and the number of passes since the first review or a lapse."""

    family = "Memrise"
    uses = ("ratings",)

    def first(self, w: Sequence[Array], rating: Array) -> State:
        zeros = 0.0 * rating
        return LADDER[0] + zeros, zeros

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        passes = np.where(rating > 1, state[1] + 1, 0.0)
        interval: Array = LADDER[0]
        for count, longer in enumerate(LADDER[1:], start=1):
            interval = np.where(passes >= count, longer, interval)
        return interval, passes


ALGORITHMS = (Memrise("Memrise", "A fixed ladder of intervals, which assume 90% recall"),)

"""Memrise: a fixed ladder of intervals.

Memrise gives intervals, not probabilities, and is not part of the benchmark. As for SM-2, the interval is read as the
time after which recall is 90 %: R(t) = 0.9^(t / interval).

Reference: the steps 1, 6, 12, 48, 96 and 180 days as in the simulators of open-spaced-repetition/SSP-MMC-FSRS.
"""

from __future__ import annotations

from typing import Sequence

import numpy as np

from .algorithm import Array, Recurrent, State

STEPS = (1.0, 6.0, 12.0, 48.0, 96.0, 180.0)


class Memrise(Recurrent):
    """Memrise, whose state is the step: the first after a lapse, else the next one; the last repeats."""

    family = "SM-2"

    def first(self, w: Sequence[Array], rating: Array) -> State:
        return (0.0 * rating,)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        """After a lapse the first rung of the ladder, else the one above that closest to the interval that passed."""
        closest = np.searchsorted(_MIDDLES, elapsed, side="left")
        return (np.where(rating > 1, np.minimum(closest + 1, len(STEPS) - 1), 0.0) + 0.0 * state[0],)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        interval = np.take(STEPS, state[0].astype(np.int64))
        return 0.9 ** (elapsed / interval)


_MIDDLES = (np.array(STEPS[1:]) + np.array(STEPS[:-1])) / 2

ALGORITHMS = (Memrise("Memrise", "A fixed ladder of intervals, read as 90 % recall"),)

"""SM-2 with its constants trained: the first two intervals, the starting ease and how answers change it.

As :mod:`evaluator.algorithms.sm2`, with one difference that the benchmark's version has: after a lapse the next pass
gives the second interval, not the first again.
"""

from __future__ import annotations

from typing import Sequence

import numpy as np

from .algorithm import Array, Parameter, Recurrent, State, Training

PARAMETERS = (
    Parameter(1, 0.01, 100, width=2.0, log=True),  # w0, w1: the first and the second interval, in days
    Parameter(6, 0.01, 100, width=2.0, log=True),
    Parameter(2.5, 1.3, 10, width=1.0),  # w2: ease factor at the start
    Parameter(0.02, 0, 1, width=0.05),  # w3..w5: change of ease, w5 - w3 (quality - w4)^2
    Parameter(7, 5, 15, width=2.0),
    Parameter(0.18, -2, 2, width=0.3),
)


class SM2Trainable(Recurrent):
    """Trainable SM-2, whose state is interval in days, ease factor, passes in a row. R(t) = 0.9^(t / interval)."""

    family = "SM-2"
    uses = ("ratings",)
    parameters = PARAMETERS

    def first(self, w: Sequence[Array], rating: Array) -> State:
        blank = 0.0 * rating
        return self.step(w, (blank, w[2] + blank, blank), blank, rating)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        interval, ease, passes = state
        passes = np.where(rating > 1, np.minimum(passes + 1, 3), 1)
        interval = np.where(passes == 1, w[0], np.where(passes == 2, w[1], interval * ease))
        ease = ease + w[5] - w[3] * (rating + 1 - w[4]) ** 2
        return np.clip(interval, 0.01, 36_500.0), np.clip(ease, 1.3, 10.0), passes

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return 0.9 ** (elapsed / state[0])


ALGORITHMS = (
    SM2Trainable("SM-2 trainable", "SM-2 with its constants trained on your earlier reviews", training=Training()),
)

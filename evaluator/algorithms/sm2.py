"""SM-2 (1987), the ancestor of Anki's original scheduler, with its published constants or with trained ones."""

from __future__ import annotations

from typing import Sequence

import numpy as np

from .algorithm import Array, Exponential, Parameter, State, Training

MAX_INTERVAL = 36_500.0


class SM2(Exponential):
    """SM-2 with its published constants.

    The state is the interval in days, the ease factor, and the number of passes in a row, at most 2.
    """

    family = "SM-2"
    uses = ("ratings",)

    def first(self, w: Sequence[Array], rating: Array) -> State:
        zeros = 0.0 * rating
        return self.step(w, (zeros, zeros + 2.5, zeros), zeros, rating)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        interval, ease, passes = state
        quality = rating + 1
        passed = quality > 2
        interval_after_pass = np.where(passes == 0, 1.0, np.where(passes == 1, 6.0, interval * ease))
        interval = np.where(passed, interval_after_pass, 1.0)
        passes = np.where(passed, np.minimum(passes + 1, 2), 0)
        ease = np.maximum(1.3, ease + 0.1 - (5 - quality) * (0.08 + (5 - quality) * 0.02))
        return np.clip(np.rint(interval + 0.01), 1.0, MAX_INTERVAL), ease, passes


class SM2Trainable(Exponential):
    """SM-2 with trained constants. Unlike SM-2 it does not round intervals to whole days."""

    family = "SM-2"
    uses = ("ratings",)
    parameters = (
        # w0 and w1 are the first and the second interval in days.
        Parameter(1, 0.01, 100, width=2.0, log=True),
        Parameter(6, 0.01, 100, width=2.0, log=True),
        # w2 is the ease factor at the start.
        Parameter(2.5, 1.3, 10, width=1.0),
        # w3 to w5 make the change of ease, w5 - w3 (quality - w4)^2.
        Parameter(0.02, 0, 1, width=0.05),
        Parameter(7, 5, 15, width=2.0),
        Parameter(0.18, -2, 2, width=0.3),
    )

    def first(self, w: Sequence[Array], rating: Array) -> State:
        zeros = 0.0 * rating
        return self.step(w, (zeros, w[2] + zeros, zeros), zeros, rating)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        interval, ease, passes = state
        passes = np.where(rating > 1, np.minimum(passes + 1, 3), 1)
        interval = np.where(passes == 1, w[0], np.where(passes == 2, w[1], interval * ease))
        ease = ease + w[5] - w[3] * (rating + 1 - w[4]) ** 2
        return np.clip(interval, 0.01, MAX_INTERVAL), np.clip(ease, 1.3, 10.0), passes


ALGORITHMS = (
    SM2("SM-2", "The classic algorithm of 1987; its intervals assume 90% recall"),
    SM2Trainable("SM-2 trainable", "SM-2 with its constants trained on your earlier reviews", training=Training()),
)

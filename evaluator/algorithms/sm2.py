"""SM-2 (1987), the ancestor of Anki's original scheduler, as it is and with trained constants."""

from __future__ import annotations

from typing import Sequence

import numpy as np

from .algorithm import Array, Parameter, Recurrent, State, Training

LOG_90_PERCENT = np.log(0.9)
MAX_INTERVAL = 36_500.0

PARAMETERS = (
    Parameter(1, 0.01, 100, width=2.0, log=True),  # w0, w1: the first and the second interval, in days
    Parameter(6, 0.01, 100, width=2.0, log=True),
    Parameter(2.5, 1.3, 10, width=1.0),  # w2: ease factor at the start
    Parameter(0.02, 0, 1, width=0.05),  # w3..w5: change of ease, w5 - w3 (quality - w4)^2
    Parameter(7, 5, 15, width=2.0),
    Parameter(0.18, -2, 2, width=0.3),
)


class SM2(Recurrent):
    """SM-2, whose state is the interval in days, the ease factor, and the passes in a row (0, 1, or 2 for more)."""

    family = "SM-2"
    uses = ("ratings",)

    def first(self, w: Sequence[Array], rating: Array) -> State:
        blank = 0.0 * rating
        return self.step(w, (blank, blank + 2.5, blank), blank, rating)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        interval, ease, passes = state
        quality = rating + 1
        passed = quality > 2
        later = np.where(passes == 0, 1.0, np.where(passes == 1, 6.0, interval * ease))
        interval = np.where(passed, later, 1.0)
        passes = np.where(passed, np.minimum(passes + 1, 2), 0)
        ease = np.maximum(1.3, ease + 0.1 - (5 - quality) * (0.08 + (5 - quality) * 0.02))
        return np.clip(np.rint(interval + 0.01), 1.0, MAX_INTERVAL), ease, passes

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        interval, _, _ = state
        return np.exp(LOG_90_PERCENT * elapsed / interval)


class SM2Trainable(Recurrent):
    """SM-2 with trained constants. R(t) = 0.9^(t / interval), as for SM-2."""

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
    SM2("SM-2", "The classic algorithm of 1987; its intervals assume 90% recall"),
    SM2Trainable("SM-2 trainable", "SM-2 with its constants trained on your earlier reviews", training=Training()),
)

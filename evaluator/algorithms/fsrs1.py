"""FSRS v1 (2022).

State: stability S, difficulty D, lapses L (an Again counts 1). R(t) = 0.9^(t / S).

Reference: J. Ye, The Algorithm, wiki of open-spaced-repetition/fsrs4anki, section FSRS v1.
"""

from __future__ import annotations

from typing import Sequence

import numpy as np

from .algorithm import Array, Parameter, Recurrent, State, Training
from .fsrs_state import MAX_STABILITY

PARAMETERS = (
    Parameter(2, 0.1, 10, width=2.0, log=True),  # w0: stability after a first Good / 1, Hard / 2, Again / 4, Easy * 2
    Parameter(5, 1, 10, width=2.0),  # w1: difficulty after a first Good
    Parameter(3, 0.01, 10, width=1.0),  # w2..w5: growth of stability: size, by difficulty, by stability, by recall
    Parameter(-0.7, -1, -0.01, width=0.3),
    Parameter(-0.2, -1, -0.01, width=0.2),
    Parameter(1, 0.01, 10, width=0.5),
    Parameter(-0.3, -1, -0.01, width=0.3),  # w6: stability after a lapse, by lapses
)


class FSRS1(Recurrent):
    """FSRS v1."""

    family = "FSRS"
    parameters = PARAMETERS

    def first(self, w: Sequence[Array], rating: Array) -> State:
        return (
            np.clip(w[0] * _grade(rating), self.min_stability, MAX_STABILITY),
            w[1] - rating + 3,
            np.maximum(0.0, 2.0 - rating),
        )

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        s, d, lapses = state
        r = self.recall(w, state, elapsed)
        d = np.maximum(0.0, d + r - _grade(rating) + 0.1)
        passed = s * (1 + np.exp(w[2]) * (d + 0.1) ** w[3] * s ** w[4] * np.expm1((1 - r) * w[5]))
        lapsed = w[0] * np.exp(w[6] * lapses)
        return (
            np.clip(np.where(rating > 1, passed, lapsed), self.min_stability, MAX_STABILITY),
            d,
            lapses + np.maximum(0.0, 2.0 - rating),
        )

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return 0.9 ** (elapsed / state[0])


def _grade(rating: Array) -> Array:
    return 0.25 * 2.0 ** (rating - 1)


ALGORITHMS = (FSRS1("FSRS v1", "The first FSRS (2022), trained on your earlier reviews", training=Training()),)

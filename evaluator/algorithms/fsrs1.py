"""FSRS v1 (2022).

The state is stability S in days, difficulty D, and the number of Again so far. R(t) = 0.9^(t / S).

Reference: J. Ye, The Algorithm, wiki of open-spaced-repetition/fsrs4anki, section FSRS v1.
"""

from __future__ import annotations

from typing import Sequence

import numpy as np

from .algorithm import Array, Exponential, Parameter, State, Training
from .fsrs_state import MAX_STABILITY


class FSRS1(Exponential):
    """FSRS v1, the only version whose state counts lapses."""

    family = "FSRS"
    parameters = (
        # w0 is the stability in days after a first Good. Other first ratings multiply it by 1/4, 1/2 or 2.
        Parameter(2, 0.1, 10, width=2.0, log=True),
        # w1 is the difficulty after a first Good.
        Parameter(5, 1, 10, width=2.0),
        # w2 to w5 are the size of the growth of stability, and its dependence on difficulty, stability and recall.
        Parameter(3, 0.01, 10, width=1.0),
        Parameter(-0.7, -1, -0.01, width=0.3),
        Parameter(-0.2, -1, -0.01, width=0.2),
        Parameter(1, 0.01, 10, width=0.5),
        # w6 says how the stability after a lapse depends on the number of lapses.
        Parameter(-0.3, -1, -0.01, width=0.3),
    )

    def first(self, w: Sequence[Array], rating: Array) -> State:
        return (
            np.clip(w[0] * _grade(rating), self.min_stability, MAX_STABILITY),
            w[1] - rating + 3,
            1.0 * (rating == 1),
        )

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        s, d, lapses = state
        r = self.recall(w, state, elapsed)
        d = np.maximum(0.0, d + r - _grade(rating) + 0.1)
        after_pass = s * (1 + np.exp(w[2]) * (d + 0.1) ** w[3] * s ** w[4] * np.expm1((1 - r) * w[5]))
        after_lapse = w[0] * np.exp(w[6] * lapses)
        return (
            np.clip(np.where(rating > 1, after_pass, after_lapse), self.min_stability, MAX_STABILITY),
            d,
            lapses + (rating == 1),
        )


def _grade(rating: Array) -> Array:
    """Return 1/4, 1/2, 1 and 2 for Again, Hard, Good and Easy."""
    return 0.25 * 2.0 ** (rating - 1)


ALGORITHMS = (FSRS1("FSRS v1", "The first FSRS (2022), trained on your earlier reviews", training=Training()),)

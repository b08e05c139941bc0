"""FSRS v2 (2022).

The state is stability S in days and difficulty D from 1 to 10. R(t) = 0.9^(t / S).

Reference: J. Ye, The Algorithm, wiki of open-spaced-repetition/fsrs4anki, section FSRS v2.
"""

from __future__ import annotations

from typing import Sequence

import numpy as np

from .algorithm import Array, Exponential, Parameter, State, Training
from .fsrs_state import clamp


class FSRS2(Exponential):
    """FSRS v2, the first version that limits difficulty to 1 to 10."""

    family = "FSRS"
    parameters = (
        # w0 and w1 set the stability after the first rating.
        Parameter(1, 0.1, 10, width=2.0, log=True),
        Parameter(1, 0.01, 10, width=2.0, log=True),
        # w2 and w3 set the difficulty after the first rating.
        Parameter(1, 1, 10, width=1.0),
        Parameter(-1, -10, -0.01, width=1.0),
        # w4 and w5 are the change of difficulty by rating, and its reversion to the mean.
        Parameter(-1, -10, -0.01, width=0.5),
        Parameter(0.2, 0, 1, width=0.2),
        # w6 to w9 are the size of the growth of stability, and its dependence on difficulty, stability and recall.
        Parameter(3, 0, 5, width=1.0),
        Parameter(-0.8, -2, -0.01, width=0.3),
        Parameter(-0.2, -2, -0.01, width=0.2),
        Parameter(1.3, 0.01, 2, width=0.5),
        # w10 to w13 are the same for the stability after a lapse.
        Parameter(2.6, 0, 5, width=1.0),
        Parameter(-0.2, -2, -0.01, width=0.2),
        Parameter(0.6, 0.01, 1, width=0.2),
        Parameter(1.5, 0.01, 2, width=0.5),
    )

    def first(self, w: Sequence[Array], rating: Array) -> State:
        return clamp(w[0] * (w[1] * (rating - 1) + 1), w[2] * (w[3] * (rating - 4) + 1), self.min_stability)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        s, d = state
        r = self.recall(w, state, elapsed)
        d = np.clip(w[5] * w[2] * (1 - w[3]) + (1 - w[5]) * (d + w[4] * (rating - 3)), 1.0, 10.0)
        after_pass = s * (1 + np.exp(w[6]) * d ** w[7] * s ** w[8] * np.expm1((1 - r) * w[9]))
        after_lapse = w[10] * d ** w[11] * s ** w[12] * np.expm1((1 - r) * w[13])
        return clamp(np.where(rating > 1, after_pass, after_lapse), d, self.min_stability)


ALGORITHMS = (FSRS2("FSRS v2", "The second FSRS (2022), trained on your earlier reviews", training=Training()),)

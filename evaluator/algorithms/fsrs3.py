"""FSRS v3 (2022), the first version that people used in Anki, as a custom scheduler.

The state is stability S in days and difficulty D from 1 to 10. R(t) = 0.9^(t / S).

Reference: J. Ye, The Algorithm, wiki of open-spaced-repetition/fsrs4anki, section FSRS v3.
"""

from __future__ import annotations

from typing import Sequence

import numpy as np

from .algorithm import Array, Exponential, Parameter, State, Training
from .fsrs_state import clamp


class FSRS3(Exponential):
    """FSRS v3, whose formulas differ from those of v2 in how first ratings and difficulty count."""

    family = "FSRS"
    parameters = (
        # w0 and w1 set the stability after the first rating.
        Parameter(0.9605, 0.1, 10, width=2.0, log=True),
        Parameter(1.7234, 0.1, 5, width=2.0, log=True),
        # w2 and w3 set the difficulty after the first rating.
        Parameter(4.8527, 1, 10, width=1.0),
        Parameter(-1.1917, -5, -0.1, width=0.7),
        # w4 and w5 are the change of difficulty by rating, and its reversion to the mean.
        Parameter(-1.2956, -5, -0.1, width=0.7),
        Parameter(0.0573, 0.05, 0.5, width=0.1),
        # w6 to w8 are the size of the growth of stability, and its dependence on stability and recall.
        Parameter(1.7352, 0, 2, width=0.5),
        Parameter(-0.1673, -0.8, -0.15, width=0.2),
        Parameter(1.065, 0.01, 1.5, width=0.4),
        # w9 to w12 are the size of the stability after a lapse, and its dependence on difficulty, stability and recall.
        Parameter(1.8907, 0.5, 5, width=0.7),
        Parameter(-0.3832, -2, -0.01, width=0.3),
        Parameter(0.5867, 0.01, 0.9, width=0.2),
        Parameter(1.0721, 0.01, 2, width=0.5),
    )

    def first(self, w: Sequence[Array], rating: Array) -> State:
        return clamp(w[0] + w[1] * (rating - 1), w[2] + w[3] * (rating - 3), self.min_stability)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        s, d = state
        r = self.recall(w, state, elapsed)
        d = np.clip(w[5] * w[2] + (1 - w[5]) * (d + w[4] * (rating - 3)), 1.0, 10.0)
        after_pass = s * (1 + np.exp(w[6]) * (11 - d) * s ** w[7] * np.expm1((1 - r) * w[8]))
        after_lapse = w[9] * d ** w[10] * s ** w[11] * np.exp((1 - r) * w[12])
        return clamp(np.where(rating > 1, after_pass, after_lapse), d, self.min_stability)


ALGORITHMS = (FSRS3("FSRS v3", "FSRS v3 (2022), trained on your earlier reviews", training=Training()),)

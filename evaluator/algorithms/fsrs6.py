"""FSRS-6 (2025), which is FSRS-5 with a trainable forgetting curve and smaller same-day gains at high stability.

The hand-derived kernel of FSRS-5 (:mod:`evaluator.fitting.fsrs_kernel`) also runs it.

Reference: J. Ye, The Algorithm, wiki of open-spaced-repetition/fsrs4anki, section FSRS-6. The same-day
formula is that of December 2025, in which Hard does not lower stability either.
"""

from __future__ import annotations

from typing import Sequence, Tuple

import numpy as np

from ..data.histories import Inputs
from .algorithm import RECENCY, Array, Parameter, State, Training
from .fsrs5 import FSRS5, INITIAL_STABILITIES, initial_stabilities

PARAMETERS: Tuple[Parameter, ...] = (
    # w0 to w18 mean the same as in FSRS-5.
    *initial_stabilities(0.212, 1.2931, 2.3065, 8.2956, lower=0.001),
    Parameter(6.4133, 1, 10, 0.57),
    Parameter(0.8334, 0.001, 4, 0.28),
    Parameter(3.0194, 0.001, 4, 0.6),
    Parameter(0.001, 0.001, 0.75, 0.12),
    Parameter(1.8722, 0, 4.5, 0.39),
    Parameter(0.1666, 0, 0.8, 0.18),
    Parameter(0.796, 0.001, 3.5, 0.33),
    Parameter(1.4835, 0.001, 5, 0.3),
    Parameter(0.0614, 0.001, 0.25, 0.09),
    Parameter(0.2629, 0.001, 0.9, 0.16),
    Parameter(1.6483, 0, 4, 0.57),
    Parameter(0.6014, 0, 1, 0.25),
    Parameter(1.8729, 1, 6, 1.03),
    Parameter(0.5425, 0, 2, 0.31),
    Parameter(0.0912, 0, 2, 0.32),
    # w19 says how much a high stability lowers the gain at a same-day review.
    Parameter(0.0658, 0, 0.8, 0.14),
    # w20 is the decay of the forgetting curve.
    Parameter(0.1542, 0.1, 0.8, 0.27),
)


class FSRS6(FSRS5):
    """FSRS-6, with R(t) = (1 + F t/S)^(-w20). F is such that R(S) = 0.9."""

    parameters = PARAMETERS
    min_stability = 0.001

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        factor = np.expm1(np.log(0.9) / -w[20])
        return np.exp(-w[20] * np.log1p(factor * elapsed / state[0]))

    def _same_day_stability(self, w: Sequence[Array], s: Array, rating: Array) -> Array:
        gain = np.exp(w[17] * (rating - 3 + w[18])) * s ** -w[19]
        return s * np.where(rating >= 2, np.maximum(gain, 1.0), gain)


#: FSRS-6 trained on the user's reviews, which sections also use as their model of memory.
FSRS_6 = FSRS6("FSRS-6", "FSRS-6 (2025), trained on your earlier reviews", training=Training())

ALGORITHMS = (
    FSRS6("FSRS-6 default", "FSRS-6 (2025) with its published parameters, not trained on your reviews"),
    FSRS_6,
    FSRS6(
        "FSRS-6 pretrain", "FSRS-6, only its initial stabilities trained", training=Training(only=INITIAL_STABILITIES)
    ),
    FSRS6(
        "FSRS-6 recency",
        "FSRS-6 trained with more weight on recent reviews, as Anki does",
        training=Training(recency=RECENCY),
    ),
    FSRS6(
        "FSRS-6 binary",
        "FSRS-6 trained on two buttons: Hard and Easy count as Good",
        inputs=Inputs(same_day=True, two_buttons=True),
        training=Training(),
    ),
    FSRS6("FSRS-6 preset", "FSRS-6 with parameters for each preset", training=Training(by="preset")),
    FSRS6("FSRS-6 deck", "FSRS-6 with parameters for each deck", training=Training(by="deck")),
    FSRS6(
        "FSRS-6 optimized",
        "FSRS-6 trained on each preset by itself with more weight on recent reviews, as Anki does",
        training=Training(recency=RECENCY, by="preset", from_shared=False),
    ),
)

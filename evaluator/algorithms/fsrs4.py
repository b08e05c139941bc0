"""FSRS v4 (2023) and FSRS-4.5 (late 2023), which differ in the forgetting curve.

The state is stability S in days and difficulty D from 1 to 10.

Reference: J. Ye, The Algorithm, wiki of open-spaced-repetition/fsrs4anki, sections FSRS v4 and FSRS-4.5.
"""

from __future__ import annotations

from typing import Sequence, Tuple

import numpy as np

from .algorithm import Array, Parameter, Recurrent, State, Training, by_rating
from .fsrs5 import (
    FACTOR,
    INITIAL_STABILITIES,
    initial_stabilities,
    next_stabilities,
    with_defaults,
    with_same_day_bounds,
)
from .fsrs_state import clamp

#: The published parameters of FSRS-4.5 for the same-day table.
# fmt: off
V4_5_SAME_DAY = (
    0.0012, 0.0826, 0.8382, 26.2146, 4.8622, 1.0311, 0.8295, 0.0379, 2.0884, 0.4704, 1.2009, 1.7196, 0.1874, 0.1593,
    1.5636, 0.2358, 3.3175,
)
# fmt: on


class FSRS4(Recurrent):
    """FSRS v4, with R(t) = (1 + t / (9 S))^-1."""

    family = "FSRS"
    parameters = (
        *initial_stabilities(0.4, 0.9, 2.3, 10.9, lower=0.01),
        # w4 and w5 set the difficulty after the first rating.
        Parameter(4.93, 1, 10, 0.6),
        Parameter(0.94, 0.1, 5, 0.4),
        # w6 and w7 are the change of difficulty by rating, and its reversion to the mean.
        Parameter(0.86, 0.1, 5, 0.4),
        Parameter(0.01, 0, 0.5, 0.1),
        # w8 to w10 are the size of the growth of stability, and its dependence on stability and recall.
        Parameter(1.49, 0, 3, 0.4),
        Parameter(0.14, 0.1, 0.8, 0.18),
        Parameter(0.94, 0.01, 2.5, 0.34),
        # w11 to w14 are the size of the stability after a lapse, and its dependence on difficulty, stability, recall.
        Parameter(2.18, 0.5, 5, 0.4),
        Parameter(0.05, 0.01, 0.2, 0.08),
        Parameter(0.34, 0.01, 0.9, 0.15),
        Parameter(1.26, 0.01, 2, 0.5),
        # w15 is the factor of the growth after Hard.
        Parameter(0.29, 0, 1, 0.25),
        # w16 is the factor of the growth after Easy.
        Parameter(2.61, 1, 4, 1.0),
    )

    def same_day_parameters(self) -> Tuple[Parameter, ...]:
        return with_same_day_bounds(self.parameters)

    def first(self, w: Sequence[Array], rating: Array) -> State:
        return clamp(by_rating(rating, *w[:4]), w[4] - w[5] * (rating - 3), self.min_stability)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        s, d = state
        r = self.recall(w, state, elapsed)
        after_pass, after_lapse = next_stabilities(w, s, d, r, rating)
        after_lapse = self._limit_lapse(s, after_lapse)
        difficulty = w[7] * w[4] + (1 - w[7]) * (d - w[6] * (rating - 3))
        return clamp(np.where(rating > 1, after_pass, after_lapse), difficulty, self.min_stability)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return 1 / (1 + elapsed / (9 * state[0]))

    def _limit_lapse(self, s: Array, after_lapse: Array) -> Array:
        """Return the stability after a lapse, given the stability ``s`` before it and that of the formula."""
        return after_lapse


class FSRS4_5(FSRS4):  # noqa: N801 - the version is 4.5
    """FSRS-4.5, with R(t) = (1 + 19/81 t/S)^(-1/2). A lapse never raises stability."""

    parameters = (
        *initial_stabilities(0.4872, 1.4003, 3.7145, 13.8206, lower=0.01),
        Parameter(5.1618, 0, 10, 0.6),
        Parameter(1.2298, 0.01, 5, 0.4),
        Parameter(0.8975, 0.01, 5, 0.4),
        Parameter(0.031, 0, 0.8, 0.1),
        Parameter(1.6474, 0, 6, 0.4),
        Parameter(0.1367, 0, 0.8, 0.18),
        Parameter(1.0461, 0.01, 5, 0.34),
        Parameter(2.1072, 0.2, 6, 0.4),
        Parameter(0.0793, 0.01, 0.4, 0.08),
        Parameter(0.3246, 0.01, 0.9, 0.15),
        Parameter(1.587, 0.01, 4, 0.5),
        Parameter(0.2272, 0, 1, 0.25),
        Parameter(2.8755, 1, 10, 1.0),
    )

    def same_day_parameters(self) -> Tuple[Parameter, ...]:
        return with_defaults(with_same_day_bounds(self.parameters), V4_5_SAME_DAY)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return (1 + FACTOR * elapsed / state[0]) ** -0.5

    def _limit_lapse(self, s: Array, after_lapse: Array) -> Array:
        return np.minimum(after_lapse, s)


ALGORITHMS = (
    FSRS4("FSRS v4", "FSRS v4 (2023), trained on your earlier reviews", training=Training()),
    FSRS4_5("FSRS-4.5 default", "FSRS-4.5 (2023) with its published parameters, not trained on your reviews"),
    FSRS4_5(
        "FSRS-4.5 pretrain",
        "FSRS-4.5, only its initial stabilities trained",
        training=Training(only=INITIAL_STABILITIES),
    ),
    FSRS4_5("FSRS-4.5", "FSRS-4.5 (2023), trained on your earlier reviews", training=Training()),
)

"""FSRS-5 (2024), the first version that uses same-day reviews.

The state is stability S, the days until recall falls to 90%, and difficulty D from 1 to 10.

A hand-derived kernel (:mod:`evaluator.fitting.fsrs_kernel`) replays collections. It must agree with these formulas.

Reference: J. Ye, The Algorithm, wiki of open-spaced-repetition/fsrs4anki, section FSRS-5. The long-term formulas
descend from J. Ye, J. Su & Y. Cao (2022), A Stochastic Shortest Path Algorithm for Optimizing Spaced Repetition
Scheduling, KDD '22, doi 10.1145/3534678.3539081.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Iterable, Sequence, Tuple

import numpy as np

from ..data.histories import WITH_SAME_DAY
from .algorithm import RECENCY, SAME_DAY_MIN_STABILITY, Array, Parameter, Recurrent, State, Training, by_rating
from .fsrs_state import clamp

#: Factor of t / S in the forgetting curve, with which R(S) = 0.9.
FACTOR = 0.9**-2 - 1

#: Width of the prior of an initial stability's logarithm. The published widths belong to a prior that is centered on a
#: first fit to the user's own reviews. This one is centered on the defaults.
INITIAL_STABILITY_WIDTH = 3.0
#: Indices of the initial stabilities.
INITIAL_STABILITIES = (0, 1, 2, 3)


def initial_stabilities(*defaults: float, lower: float) -> Tuple[Parameter, ...]:
    """Return w0 to w3, the stability in days after a first Again, Hard, Good and Easy."""
    return tuple(Parameter(default, lower, 100, INITIAL_STABILITY_WIDTH, log=True) for default in defaults)


PARAMETERS: Tuple[Parameter, ...] = (
    *initial_stabilities(0.40255, 1.18385, 3.173, 15.69105, lower=0.01),
    # w4 is the difficulty after a first Again.
    Parameter(7.1949, 1, 10, 0.55),
    # w5 is how much the first rating lowers the difficulty.
    Parameter(0.5345, 0.001, 4, 0.28),
    # w6 is how much later ratings change the difficulty.
    Parameter(1.4604, 0.001, 4, 0.67),
    # w7 is the share by which difficulty reverts to its mean at each review.
    Parameter(0.0046, 0.001, 0.75, 0.12),
    # w8 to w10 are the size of the growth of stability, and its dependence on stability and recall.
    Parameter(1.54575, 0, 4.5, 0.4),
    Parameter(0.1192, 0, 0.8, 0.18),
    Parameter(1.01925, 0.001, 3.5, 0.34),
    # w11 to w14 are the size of the stability after a lapse, and its dependence on difficulty, stability and recall.
    Parameter(1.9395, 0.001, 5, 0.27),
    Parameter(0.11, 0.001, 0.25, 0.08),
    Parameter(0.29605, 0.001, 0.9, 0.14),
    Parameter(2.2698, 0, 4, 0.57),
    # w15 is the factor of the growth after Hard.
    Parameter(0.2315, 0, 1, 0.25),
    # w16 is the factor of the growth after Easy.
    Parameter(2.9898, 1, 6, 1.03),
    # w17 and w18 set the gain of stability at a same-day review.
    Parameter(0.51655, 0, 2, 0.27),
    Parameter(0.6621, 0, 2, 0.39),
)


def with_defaults(parameters: Iterable[Parameter], defaults: Iterable[float]) -> Tuple[Parameter, ...]:
    """Return these parameters with other defaults."""
    return tuple(replace(p, default=default) for p, default in zip(parameters, defaults))


def with_same_day_bounds(parameters: Sequence[Parameter]) -> Tuple[Parameter, ...]:
    """Return these parameters with the lower bound of the same-day table for the initial stabilities."""
    return (*(replace(p, lower=SAME_DAY_MIN_STABILITY) for p in parameters[:4]), *parameters[4:])


class FSRS5(Recurrent):
    """FSRS-5, with R(t) = (1 + 19/81 t/S)^(-1/2)."""

    family = "FSRS"
    inputs = WITH_SAME_DAY
    parameters = PARAMETERS
    meanings = "FSRS"

    def same_day_parameters(self) -> Tuple[Parameter, ...]:
        # The benchmark of this table rounds its single-precision parameters to four digits.
        rounded = (round(float(np.float32(p.default)), 4) for p in self.parameters)
        return with_same_day_bounds(with_defaults(self.parameters, rounded))

    def first(self, w: Sequence[Array], rating: Array) -> State:
        stability = by_rating(rating, *w[:4])
        return clamp(stability, first_difficulty(w, rating), self.min_stability)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        s, d = state
        r = self.recall(w, state, elapsed)
        after_pass, after_lapse = next_stabilities(w, s, d, r, rating)
        after_lapse = np.minimum(after_lapse, s / np.exp(w[17] * w[18]))
        next_day = np.where(rating == 1, after_lapse, after_pass)
        stability = np.where(elapsed < 1, self._same_day_stability(w, s, rating), next_day)

        changed_d = d - w[6] * (rating - 3) * (10 - d) / 9
        difficulty = w[7] * first_difficulty(w, 4) + (1 - w[7]) * changed_d
        return clamp(stability, difficulty, self.min_stability)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return (1 + FACTOR * elapsed / state[0]) ** -0.5

    def _same_day_stability(self, w: Sequence[Array], s: Array, rating: Array) -> Array:
        """Return the stability after a same-day review, given the stability ``s`` before it."""
        return s * np.exp(w[17] * (rating - 3 + w[18]))


def first_difficulty(w: Sequence[Array], rating: Array) -> Array:
    """Return the difficulty after a first rating, before it is kept within its limits."""
    return w[4] - np.exp(w[5] * (rating - 1)) + 1


def next_stabilities(w: Sequence[Array], s: Array, d: Array, r: Array, rating: Array) -> Tuple[Array, Array]:
    """Return the stability after a pass and after a lapse on a later day, as in FSRS v4 to FSRS-6 without limits."""
    hard = np.where(rating == 2, w[15], 1.0)
    easy = np.where(rating == 4, w[16], 1.0)
    after_pass = s * (1 + np.exp(w[8]) * (11 - d) * s ** -w[9] * np.expm1((1 - r) * w[10]) * hard * easy)
    return after_pass, w[11] * d ** -w[12] * ((s + 1) ** w[13] - 1) * np.exp((1 - r) * w[14])


#: The older of the two published parameter sets of FSRS-5, which the benchmark's page lists.
# fmt: off
WIKI_PARAMETERS = with_defaults(PARAMETERS, (
    0.4197, 1.1869, 3.0412, 15.2441, 7.1434, 0.6477, 1.0007, 0.0674, 1.6597, 0.1712, 1.1178, 2.0225, 0.0904, 0.3025,
    2.1214, 0.2498, 2.9466, 0.4891, 0.6468,
))
# fmt: on


ALGORITHMS = (
    FSRS5("FSRS-5 default", "FSRS-5 (2024) with its published parameters, not trained on your reviews"),
    FSRS5(
        "FSRS-5 default (wiki)",
        "FSRS-5 with the parameters of the benchmark's page, not trained on your reviews",
        parameters=WIKI_PARAMETERS,
    ),
    FSRS5(
        "FSRS-5 pretrain", "FSRS-5, only its initial stabilities trained", training=Training(only=INITIAL_STABILITIES)
    ),
    FSRS5("FSRS-5", "FSRS-5 (2024), trained on your earlier reviews", training=Training()),
    FSRS5("FSRS-5 recency", "FSRS-5 trained with more weight on recent reviews", training=Training(recency=RECENCY)),
)

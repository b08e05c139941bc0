"""FSRS-7 (2026, still changing): intervals to the second, and a forgetting curve that is a sum of two.

State: stability S (days), difficulty D (1 to 10).

Reference: open-spaced-repetition/srs-benchmark, FSRS-7, as of May 2026. There the parameters are first fitted to the
first intervals, from 16 starting points; here, as for all algorithms, one search from the published defaults fits
everything.
"""

from __future__ import annotations

from typing import ClassVar, Optional, Sequence, Tuple

import numpy as np

from ..histories import BY_THE_SECOND, Inputs
from .algorithm import Array, Parameter, Recurrent, State, Training, by_rating
from .fsrs5 import INITIAL_STABILITY_WIDTH
from .fsrs_state import clamp

MIN_STABILITY = 0.0001

PARAMETERS = (
    Parameter(0.041, 0.0001, 50, INITIAL_STABILITY_WIDTH, log=True),  # w0..w3: stability after the first rating
    Parameter(2.4175, 0.0001, 100, INITIAL_STABILITY_WIDTH, log=True),
    Parameter(4.1283, 0.0001, 100, INITIAL_STABILITY_WIDTH, log=True),
    Parameter(11.9709, 0.0001, 100, INITIAL_STABILITY_WIDTH, log=True),
    Parameter(5.6385, 1, 10, 0.74),  # w4..w6: difficulty after the first rating, its spread, how ratings change it
    Parameter(0.4468, 0.001, 4, 0.36),
    Parameter(3.262, 0.1, 4, 0.61),
    Parameter(2.3054, 0, 4, 0.42),  # w7..w9: long-term growth of stability: size, by stability, by recall
    Parameter(0.1688, 0, 1.2, 0.3),
    Parameter(1.3325, 0.3, 3, 0.41),
    Parameter(0.3524, 0.01, 1.5, 0.26),  # w10..w13: after a lapse: size, by difficulty, stability, recall
    Parameter(0.0049, 0.001, 0.9, 0.12),
    Parameter(0.7503, 0.1, 1, 0.25),
    Parameter(0.0896, 0, 3.5, 0.54),
    Parameter(0.6625, 0, 1, 0.43),  # w14, w15: Hard, Easy
    Parameter(1.3, 1, 7, 1.29),
    Parameter(0.882, 0, 4, 0.46),  # w16..w24: the same for the short term
    Parameter(0.3072, 0, 2, 0.35),
    Parameter(3.5875, 0.5, 6, 0.46),
    Parameter(0.303, 0.001, 1.5, 0.26),
    Parameter(0.0107, 0.001, 2, 0.22),
    Parameter(0.2279, 0.001, 1, 0.25),
    Parameter(2.6413, 0, 5, 0.65),
    Parameter(0.5594, 0, 1, 0.44),
    Parameter(1.3, 1, 7, 1.22),
    Parameter(2.5, 2.5, 15, 0.57),  # w25, w26: how the short term turns into the long one
    Parameter(1.0, 0, 1, 0.23),
    Parameter(0.0723, 0.01, 0.25, 0.06),  # w27..w34: the two curves: decays, bases, weights and how S shifts them
    Parameter(0.1634, 0.01, 0.95, 0.37),
    Parameter(0.5, 0.5, 0.85, 0.11),
    Parameter(0.9555, 0.5, 0.99, 0.1),
    Parameter(0.2245, 0.01, 1, 0.18),
    Parameter(0.6232, 0.1, 1, 0.2),
    Parameter(0.1362, 0, 0.9, 0.2),
    Parameter(0.3862, 0.1, 1.1, 0.21),
)


class FSRS7(Recurrent):
    """FSRS-7, with R(t) = (v1 R1(t) + v2 R2(t)) / (v1 + v2), R_i(t) = (1 + (b_i^(-1/d_i) - 1) t/S)^(-d_i)."""

    family: ClassVar[str] = "FSRS"
    inputs: ClassVar[Inputs] = BY_THE_SECOND
    parameters: ClassVar[Tuple[Parameter, ...]] = PARAMETERS
    published: ClassVar[Optional[str]] = "FSRS-7 default"

    def first(self, w: Sequence[Array], rating: Array) -> State:
        return clamp(by_rating(rating, w[0], w[1], w[2], w[3]), _first_difficulty(w, rating), MIN_STABILITY)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        s, d = state
        r = _curve(w, s, elapsed)
        long_term = _stability(w[7:16], s, d, r, rating)
        short_term = _stability(w[16:25], s, d, r, rating)
        share = 1 - w[26] * np.exp(-w[25] * elapsed)
        moved = d - w[6] * (rating - 3) * (10 - d) / 9
        difficulty = 0.01 * _first_difficulty(w, 4) + 0.99 * moved
        return clamp(share * long_term + (1 - share) * short_term, difficulty, MIN_STABILITY)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return np.clip(_curve(w, state[0], elapsed), 0.0001, 0.9999)


def _curve(w: Sequence[Array], s: Array, elapsed: Array) -> Array:
    d1, d2, b1, b2, v1, v2, s1, s2 = w[27:35]
    d2, b2 = np.maximum(d1, d2), np.maximum(b1, b2)
    r1 = (1 + (b1 ** (-1 / d1) - 1) * elapsed / s) ** -d1
    r2 = (1 + (b2 ** (-1 / d2) - 1) * elapsed / s) ** -d2
    weight1, weight2 = v1 * s**-s1, v2 * s**s2
    return (weight1 * r1 + weight2 * r2) / (weight1 + weight2)


def _stability(w: Sequence[Array], s: Array, d: Array, r: Array, rating: Array) -> Array:
    """The stability after a review, from one block of nine parameters."""
    lapsed = w[3] * d ** -w[4] * ((s + 1) ** w[5] - 1) * np.exp((1 - r) * w[6])
    lapsed = np.minimum(s, lapsed)
    hard = np.where(rating == 2, w[7], 1.0)
    easy = np.where(rating == 4, w[8], 1.0)
    growth = 1 + np.exp(w[0] - 1.5) * (11 - d) * s ** -w[1] * np.expm1((1 - r) * w[2]) * hard * easy
    return np.where(rating > 1, np.maximum(lapsed, s * growth), lapsed)


def _first_difficulty(w: Sequence[Array], rating: Array) -> Array:
    return w[4] - np.exp(w[5] * (rating - 1)) + 1


ALGORITHMS = (
    FSRS7("FSRS-7 default", "FSRS-7 (2026) with its published parameters, not trained on you"),
    FSRS7("FSRS-7", "FSRS-7 (2026), trained on your earlier reviews", Training()),
    FSRS7("FSRS-7 recency", "FSRS-7 trained with more weight on recent reviews", Training(recency=True)),
)

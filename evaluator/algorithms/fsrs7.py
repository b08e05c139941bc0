"""FSRS-7 (2026): intervals to the second, a long and a short stability, and a forgetting curve that is a sum of two.

State: long stability L and short stability K (days), difficulty D (1 to 10). Neither of the two is the time in which
recall falls to 90%.

A collection is run by a hand-derived kernel (:mod:`evaluator.fitting.fsrs7`), which must agree with these formulas.

Reference: open-spaced-repetition/srs-benchmark, models/fsrs_v7.py with 34 parameters, as of September 2026. There the
search stops after nine passes over the reviews; here, as for all algorithms, it goes on to the optimum.
"""

from __future__ import annotations

import math
from typing import Sequence, Tuple

import numpy as np

from ..data.histories import FRACTIONAL_DAYS
from ..derivatives import Floats
from .algorithm import Array, Parameter, Recency, Recurrent, State, Training, by_rating
from .fsrs5 import INITIAL_STABILITY_WIDTH
from .fsrs_state import MAX_STABILITY

MIN_STABILITY = 0.0001

#: K after a first review, and its maximum after a lapse, as a share of L.
SHORT_SHARE = 0.8
#: Minimum distance of predictions from 0 and 1.
MARGIN = 1e-5
#: Maximum logarithm of the factor by which the short curve's time is stretched.
MAX_LOG_STRETCH = 60.0
#: Bounds of a decay.
DECAYS = (0.01, 0.95)


#: Width of the prior in published sigmas. It makes the prior 2/3 ((w - default) / sigma)^2, twice the published weight.
#: The published search stops long before the optimum, so its parameters move less than its prior would let them.
PRIOR = 2 / 3


def _parameter(default: float, lower: float, upper: float, sigma: float) -> Parameter:
    return Parameter(default, lower, upper, sigma / math.sqrt(PRIOR))


def _initial_stability(default: float, upper: float) -> Parameter:
    """Return the parameter of an initial stability. The published prior does not cover it."""
    return Parameter(default, MIN_STABILITY, upper, INITIAL_STABILITY_WIDTH, log=True)


PARAMETERS = (
    _initial_stability(0.1104, 50),  # w0..w3: L after a first Again, Hard, Good, Easy
    _initial_stability(2.2395, 100),
    _initial_stability(3.9221, 100),
    _initial_stability(11.7841, 100),
    _parameter(6.1686, 1, 10, 0.523),  # w4..w6: difficulty after the first rating, its spread, how ratings change it
    _parameter(0.6457, 0.001, 4, 0.2528),
    _parameter(3.6807, 0.1, 4, 0.4329),
    _parameter(1.9795, 0, 4, 0.2966),  # w7..w9: growth of L: size, by stability, by recall
    _parameter(0.0, 0, 1.2, 0.2139),
    _parameter(1.3826, 0.3, 3, 0.2889),
    _parameter(0.7024, 0.01, 1.5, 0.1862),  # w10..w12: L after a lapse: size, by stability, by recall
    _parameter(0.5999, 0.1, 1, 0.175),
    _parameter(0.8146, 0, 3.5, 0.3812),
    _parameter(0.6398, 0, 1, 0.3013),  # w13, w14: Hard, Easy
    _parameter(1.0, 1, 7, 0.9104),
    _parameter(1.3207, 0, 4, 0.3234),  # w15..w22: the same of K
    _parameter(0.6707, 0, 2, 0.2448),
    _parameter(3.8668, 0.5, 6, 0.3273),
    _parameter(0.4416, 0.001, 1.5, 0.1842),
    _parameter(0.0934, 0.001, 1, 0.1735),
    _parameter(1.8631, 0, 5, 0.4608),
    _parameter(0.6162, 0, 1, 0.311),
    _parameter(1.0869, 1, 7, 0.864),
    _parameter(0.1567, 0.01, 0.25, 0.0418),  # w23..w28: the short and the long curve: decays, bases, weights
    _parameter(0.0801, 0.01, 0.95, 0.2596),
    _parameter(0.2421, 0.2, 0.85, 0.0798),
    _parameter(0.9464, 0.5, 0.99, 0.0682),
    _parameter(0.1433, 0.01, 1, 0.1282),
    _parameter(0.7145, 0.1, 1, 0.1397),
    _parameter(0.0, 0, 0.9, 0.1407),  # w29, w30: how the stabilities shift the weights
    _parameter(0.5667, 0.1, 1.1, 0.1489),
    _parameter(0.3734, 0, 1, 0.2),  # w31, w32: how D shifts the long curve's weight (plus 0.5), time (plus 0.3)
    _parameter(0.5333, 0, 0.6, 0.15),
    _parameter(0.3048, 0, 0.6, 0.15),  # w33: how K shifts the short curve's decay (plus 0.3)
)

#: Recency weights published with FSRS-7.
RECENCY = Recency(least=0.0667, power=11.25, reaches_1=False)


class FSRS7(Recurrent):
    """FSRS-7, with R(t) = (v1 R1(t) + v2 R2(t)) / (v1 + v2), see :func:`curves`.

    Published parameters are in order (w0 <= w1 <= w2 <= w3, w25 <= w26). If trained ones are not, the larger of two
    counts for both.
    """

    family = "FSRS"
    inputs = FRACTIONAL_DAYS
    parameters = PARAMETERS

    def first(self, w: Sequence[Array], rating: Array) -> State:
        hard = np.maximum(w[0], w[1])
        good = np.maximum(hard, w[2])
        long = by_rating(rating, w[0], hard, good, np.maximum(good, w[3]))
        return _clamp(long, SHORT_SHARE * long, _first_difficulty(w, rating))

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        long, short, d = state
        r1, mixed = curves(w, state, elapsed)
        r = _within_margin(mixed)
        new_long = _stability(w[7:15], long, d, r, rating)
        new_short = _stability(w[15:23], short, d, r1, rating)
        new_short = np.where(rating == 1, np.minimum(new_short, SHORT_SHARE * new_long), new_short)
        change = -w[6] * (rating - 3) * np.where(rating == 1, r + 0.1, 1.0)
        new_d = 0.01 * _first_difficulty(w, 4) + 0.99 * (d + change * (10 - d) / 9)
        return _clamp(new_long, new_short, new_d)

    def effective(self, w: Floats) -> Floats:
        ordered = w.copy()
        ordered[..., :4] = np.maximum.accumulate(w[..., :4], axis=-1)
        ordered[..., 26] = np.maximum(w[..., 25], w[..., 26])
        return ordered

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return _within_margin(curves(w, state, elapsed)[1])


def curves(w: Sequence[Array], state: State, elapsed: Array) -> Tuple[Array, Array]:
    """Return the short curve R1 and the mixture of both curves (v1 R1 + v2 R2) / (v1 + v2), ``elapsed`` days later.

    R1 = (1 + f1 t/K)^-m with m = w23 K^(w33 - 0.3), and R2 = (1 + f2 e^((D - 5) (w32 - 0.3)) t/L)^-w24; f1 and f2 are
    such that without that shift by D they were w25 at t = K and w26 at t = L. The weights are v1 = w27 K^-w29 and
    v2 = w28 L^w30 e^((D - 5) (w31 - 0.5)).
    """
    return along(shape_of(w, state), elapsed)


def shape_of(w: Sequence[Array], state: State) -> Tuple[Array, ...]:
    """Return decay, rate and weight of the short curve, then of the long one. They do not depend on the time."""
    long, short, d = state
    decay1 = np.clip(w[23] * short ** (w[33] - 0.3), *DECAYS)
    decay2 = np.clip(w[24], *DECAYS)
    factor1 = np.expm1(np.minimum(-np.log(w[25]) / decay1, MAX_LOG_STRETCH))
    factor2 = np.expm1(-np.log(np.maximum(w[25], w[26])) / decay2)
    weight1 = w[27] * short ** -w[29]
    weight2 = w[28] * long ** w[30] * np.exp((d - 5) * (w[31] - 0.5))
    return decay1, factor1 / short, weight1, decay2, factor2 / long * np.exp((d - 5) * (w[32] - 0.3)), weight2


def along(shape: Tuple[Array, ...], elapsed: Array) -> Tuple[Array, Array]:
    """Return the short curve and the mixture of both, ``elapsed`` days later."""
    decay1, rate1, weight1, decay2, rate2, weight2 = shape
    r1 = (1 + rate1 * elapsed) ** -decay1
    r2 = (1 + rate2 * elapsed) ** -decay2
    return r1, (weight1 * r1 + weight2 * r2) / (weight1 + weight2)


def _within_margin(r: Array) -> Array:
    return MARGIN + (1 - 2 * MARGIN) * r


def _stability(w: Sequence[Array], s: Array, d: Array, r: Array, rating: Array) -> Array:
    """Return the stability after a review, from one block of eight parameters."""
    lapsed = w[3] * np.expm1(w[4] * np.log1p(s)) * np.exp((1 - r) * w[5])
    lapsed = np.minimum(s, lapsed)
    hard = np.where(rating == 2, w[6], 1.0)
    easy = np.where(rating == 4, w[7], 1.0)
    growth = 1 + np.exp(w[0] - 1.5) * (11 - d) * s ** -w[1] * np.expm1((1 - r) * w[2]) * hard * easy
    return np.where(rating > 1, np.maximum(lapsed, s * growth), lapsed)


def _first_difficulty(w: Sequence[Array], rating: Array) -> Array:
    return w[4] - np.exp(w[5] * (rating - 1)) + 1


def _clamp(long: Array, short: Array, difficulty: Array) -> State:
    limits = MIN_STABILITY, MAX_STABILITY
    return np.clip(long, *limits), np.clip(short, *limits), np.clip(difficulty, 1.0, 10.0)


ALGORITHMS = (
    FSRS7("FSRS-7 default", "FSRS-7 (2026) with its published parameters, not trained on your reviews"),
    FSRS7("FSRS-7", "FSRS-7 (2026), trained on your earlier reviews", training=Training()),
    FSRS7(
        "FSRS-7 recency",
        "FSRS-7 trained with its published extra weight on recent reviews",
        training=Training(recency=RECENCY),
    ),
    FSRS7("FSRS-7 preset", "FSRS-7 with parameters for each preset", training=Training(by="preset")),
    FSRS7("FSRS-7 deck", "FSRS-7 with parameters for each deck", training=Training(by="deck")),
    FSRS7(
        "FSRS-7 optimized",
        "FSRS-7 trained on each preset by itself with its published extra weight on recent reviews",
        training=Training(recency=RECENCY, by="preset", from_shared=False),
    ),
)

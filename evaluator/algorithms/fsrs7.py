"""FSRS-7 (2026), which has exact times, a long and a short stability, and a mixture of two forgetting curves.

The state is the long stability L and the short stability K in days, and difficulty D from 1 to 10. Recall falls to 90%
at neither L nor K.

A hand-derived kernel (:mod:`evaluator.fitting.fsrs7_kernel`) replays collections. It must agree with these formulas.

Reference: open-spaced-repetition/srs-benchmark, models/fsrs_v7.py with 34 parameters, as of September 2026. There, the
search stops after nine passes over the reviews. Here it goes on to the optimum, as for all algorithms.
"""

from __future__ import annotations

import math
from typing import Sequence, Tuple

import numpy as np

from ..data.histories import FRACTIONAL_DAYS
from ..derivatives import Floats
from .algorithm import Array, Parameter, Recency, Recurrent, State, Training, by_rating
from .fsrs5 import INITIAL_STABILITY_WIDTH, first_difficulty
from .fsrs_state import MAX_STABILITY

#: Smallest stability, in days.
MIN_STABILITY = 0.0001

#: K as a share of L. After a first review it is this, and after a lapse at most this.
SHORT_SHARE = 0.8
#: Smallest distance of a prediction from 0 and 1.
MARGIN = 1e-5
#: Largest logarithm of f1 + 1, see :func:`curves`.
MAX_LOG_STRETCH = 60.0
#: Smallest and largest decay of a curve.
DECAYS = (0.01, 0.95)

#: Factor of the prior, which is 2/3 ((w - default) / sigma)^2. This is twice the published weight. The published search
#: stops long before the optimum, and so moves the parameters less than its prior would let them.
PRIOR_WEIGHT = 2 / 3


def _parameter(default: float, lower: float, upper: float, sigma: float) -> Parameter:
    """Return a parameter whose prior has the published standard deviation ``sigma``."""
    return Parameter(default, lower, upper, sigma / math.sqrt(PRIOR_WEIGHT))


def _initial_stability(default: float, upper: float) -> Parameter:
    """Return the parameter of an initial stability. The published prior does not cover it."""
    return Parameter(default, MIN_STABILITY, upper, INITIAL_STABILITY_WIDTH, log=True)


PARAMETERS = (
    # w0 to w3 are L after a first Again, Hard, Good and Easy.
    _initial_stability(0.1104, 50),
    _initial_stability(2.2395, 100),
    _initial_stability(3.9221, 100),
    _initial_stability(11.7841, 100),
    # w4 to w6 are the difficulty after a first Again, and how much first and later ratings change it.
    _parameter(6.1686, 1, 10, 0.523),
    _parameter(0.6457, 0.001, 4, 0.2528),
    _parameter(3.6807, 0.1, 4, 0.4329),
    # w7 to w9 are the size of the growth of L, and its dependence on L and recall.
    _parameter(1.9795, 0, 4, 0.2966),
    _parameter(0.0, 0, 1.2, 0.2139),
    _parameter(1.3826, 0.3, 3, 0.2889),
    # w10 to w12 are the size of L after a lapse, and its dependence on L and recall.
    _parameter(0.7024, 0.01, 1.5, 0.1862),
    _parameter(0.5999, 0.1, 1, 0.175),
    _parameter(0.8146, 0, 3.5, 0.3812),
    # w13 and w14 are the factors of the growth after Hard and Easy.
    _parameter(0.6398, 0, 1, 0.3013),
    _parameter(1.0, 1, 7, 0.9104),
    # w15 to w22 are to K what w7 to w14 are to L.
    _parameter(1.3207, 0, 4, 0.3234),
    _parameter(0.6707, 0, 2, 0.2448),
    _parameter(3.8668, 0.5, 6, 0.3273),
    _parameter(0.4416, 0.001, 1.5, 0.1842),
    _parameter(0.0934, 0.001, 1, 0.1735),
    _parameter(1.8631, 0, 5, 0.4608),
    _parameter(0.6162, 0, 1, 0.311),
    _parameter(1.0869, 1, 7, 0.864),
    # w23 to w28 are the decays, bases and weights of the short and the long curve.
    _parameter(0.1567, 0.01, 0.25, 0.0418),
    _parameter(0.0801, 0.01, 0.95, 0.2596),
    _parameter(0.2421, 0.2, 0.85, 0.0798),
    _parameter(0.9464, 0.5, 0.99, 0.0682),
    _parameter(0.1433, 0.01, 1, 0.1282),
    _parameter(0.7145, 0.1, 1, 0.1397),
    # w29 and w30 say how K and L change the weights.
    _parameter(0.0, 0, 0.9, 0.1407),
    _parameter(0.5667, 0.1, 1.1, 0.1489),
    # w31 - 0.5 and w32 - 0.3 say how D changes the weight and the time of the long curve.
    _parameter(0.3734, 0, 1, 0.2),
    _parameter(0.5333, 0, 0.6, 0.15),
    # w33 - 0.3 says how K changes the decay of the short curve.
    _parameter(0.3048, 0, 0.6, 0.15),
)

#: Recency weights published with FSRS-7.
RECENCY = Recency(oldest=0.0667, power=11.25, reaches_1=False)


class FSRS7(Recurrent):
    """FSRS-7, with R(t) = (v1 R1(t) + v2 R2(t)) / (v1 + v2), see :func:`curves`.

    The formulas need w0 <= w1 <= w2 <= w3 and w25 <= w26. A parameter that is below the one before it is replaced by
    that one.
    """

    family = "FSRS"
    inputs = FRACTIONAL_DAYS
    parameters = PARAMETERS

    def first(self, w: Sequence[Array], rating: Array) -> State:
        hard = np.maximum(w[0], w[1])
        good = np.maximum(hard, w[2])
        long = by_rating(rating, w[0], hard, good, np.maximum(good, w[3]))
        return _clamp(long, SHORT_SHARE * long, first_difficulty(w, rating))

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        long, short, d = state
        r1, mixture = curves(w, state, elapsed)
        r = _within_margin(mixture)
        new_long = _stability(w[7:15], long, d, r, rating)
        new_short = _stability(w[15:23], short, d, r1, rating)
        new_short = np.where(rating == 1, np.minimum(new_short, SHORT_SHARE * new_long), new_short)
        change = -w[6] * (rating - 3) * np.where(rating == 1, r + 0.1, 1.0)
        new_d = 0.01 * first_difficulty(w, 4) + 0.99 * (d + change * (10 - d) / 9)
        return _clamp(new_long, new_short, new_d)

    def effective_parameters(self, w: Floats) -> Floats:
        effective_w = w.copy()
        effective_w[..., :4] = np.maximum.accumulate(w[..., :4], axis=-1)
        effective_w[..., 26] = np.maximum(w[..., 25], w[..., 26])
        return effective_w

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return _within_margin(curves(w, state, elapsed)[1])


def curves(w: Sequence[Array], state: State, elapsed: Array) -> Tuple[Array, Array]:
    """Return the short curve R1 and the mixture of both curves (v1 R1 + v2 R2) / (v1 + v2), ``elapsed`` days later.

    R1 = (1 + f1 t/K)^-m with m = w23 K^(w33 - 0.3), and R2 = (1 + f2 e^((D - 5) (w32 - 0.3)) t/L)^-w24. f1 is such that
    R1 is w25 at t = K. f2 is such that R2 is w26 at t = L and D = 5. The weights are v1 = w27 K^-w29 and
    v2 = w28 L^w30 e^((D - 5) (w31 - 0.5)).
    """
    return evaluate_curves(curve_shape(w, state), elapsed)


def curve_shape(w: Sequence[Array], state: State) -> Tuple[Array, ...]:
    """Return the decay, rate and weight of the short curve and then of the long one, for :func:`evaluate_curves`."""
    long, short, d = state
    decay1 = np.clip(w[23] * short ** (w[33] - 0.3), *DECAYS)
    decay2 = np.clip(w[24], *DECAYS)
    factor1 = np.expm1(np.minimum(-np.log(w[25]) / decay1, MAX_LOG_STRETCH))
    factor2 = np.expm1(-np.log(np.maximum(w[25], w[26])) / decay2)
    weight1 = w[27] * short ** -w[29]
    weight2 = w[28] * long ** w[30] * np.exp((d - 5) * (w[31] - 0.5))
    return decay1, factor1 / short, weight1, decay2, factor2 / long * np.exp((d - 5) * (w[32] - 0.3)), weight2


def evaluate_curves(shape: Tuple[Array, ...], elapsed: Array) -> Tuple[Array, Array]:
    """Return the short curve and the mixture of both curves, ``elapsed`` days later."""
    decay1, rate1, weight1, decay2, rate2, weight2 = shape
    r1 = (1 + rate1 * elapsed) ** -decay1
    r2 = (1 + rate2 * elapsed) ** -decay2
    return r1, (weight1 * r1 + weight2 * r2) / (weight1 + weight2)


def _within_margin(r: Array) -> Array:
    """Return a probability moved slightly away from 0 and 1."""
    return MARGIN + (1 - 2 * MARGIN) * r


def _stability(w: Sequence[Array], s: Array, d: Array, r: Array, rating: Array) -> Array:
    """Return L or K after a review. ``w`` holds its eight parameters, w7 to w14 or w15 to w22."""
    lapsed = w[3] * np.expm1(w[4] * np.log1p(s)) * np.exp((1 - r) * w[5])
    lapsed = np.minimum(s, lapsed)
    hard = np.where(rating == 2, w[6], 1.0)
    easy = np.where(rating == 4, w[7], 1.0)
    growth = 1 + np.exp(w[0] - 1.5) * (11 - d) * s ** -w[1] * np.expm1((1 - r) * w[2]) * hard * easy
    return np.where(rating > 1, np.maximum(lapsed, s * growth), lapsed)


def _clamp(long: Array, short: Array, difficulty: Array) -> State:
    """Return the state with both stabilities and the difficulty within their limits."""
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

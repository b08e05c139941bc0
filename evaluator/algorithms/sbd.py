"""SBD (2026), a model of stability, brittleness and difficulty.

The state has three numbers. s is the logarithm of the stability S in days. q is the last rating, from 0 (Again) to 3
(Easy). The brittleness n says how often the card was forgotten: each Again adds 1 and each Hard 1/2, up to 50.

After a first rating q, s = L + q r with r = (H - L) / 3. Then

    R(t) = (1 + age / S)^-beta,  age = t^(1/k) + e^(v/k - q r/2) S^(1/2),  beta = e^alpha (e^lambda + n)^c

A pass adds the age to the stability, a lapse multiplies it by (1 - R)^c.

Reference: open-spaced-repetition/srs-benchmark, SBD, as of September 2026, with its limits and its prior. The
benchmark adds 2 ((w - default) / sigma)^2 / reviews to the weighted mean of the losses. Here, their sum is minimized.
"""

from __future__ import annotations

from math import log
from typing import Sequence

import numpy as np

from ..data.histories import FRACTIONAL_DAYS
from .algorithm import Array, Parameter, Recurrent, State, Training
from .fsrs7 import RECENCY

#: Mean weight of the reviews in training.
MEAN_WEIGHT = RECENCY.oldest + (1 - RECENCY.oldest) / (RECENCY.power + 1)
#: Width of the prior, as a multiple of the published standard deviation.
WIDTH = (2 * MEAN_WEIGHT) ** -0.5

#: Bounds of s.
MIN_S = log(0.001)
MAX_S = log(36_500)
MIN_RECALL = 1e-6
MAX_BRITTLENESS = 50.0


class SBD(Recurrent):
    """SBD, with the parameters L, H, k, alpha, c, v and lambda in this order."""

    family = "Half-life and activation"
    inputs = FRACTIONAL_DAYS
    parameters = (
        # L and H are s after a first Again and a first Easy.
        Parameter(-2.803101, MIN_S, MAX_S, 1.754 * WIDTH),
        Parameter(1.386926, MIN_S, MAX_S, 1.2339 * WIDTH),
        # k says how much time slows down.
        Parameter(1.739235, 0.5, 20, 0.5003 * WIDTH),
        # alpha says how fast memory fades.
        Parameter(-1.819954, -20, 20, 0.546 * WIDTH),
        # c says how brittleness adds to that, and to the loss of stability at a lapse.
        Parameter(0.529839, 0, 5, 0.0989 * WIDTH),
        # v sets the age right after a review.
        Parameter(-0.886052, -20, 20, 1.1685 * WIDTH),
        # lambda is the logarithm of the brittleness of a card that was never forgotten.
        Parameter(-1.393709, -20, 20, 0.7778 * WIDTH),
    )

    def first(self, w: Sequence[Array], rating: Array) -> State:
        q = rating - 1.0
        return w[0] + q * _rating_effect(w), q, _added_brittleness(rating)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        s, _, n = state
        beta = _beta(w, n)
        minus_log_recall = _minus_log_recall(w, state, elapsed)
        s = s + np.where(rating > 1, minus_log_recall / beta, w[4] * np.log(-np.expm1(-minus_log_recall)))
        return np.clip(s, MIN_S, MAX_S), rating - 1.0, np.minimum(n + _added_brittleness(rating), MAX_BRITTLENESS)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return np.exp(-_minus_log_recall(w, state, elapsed))


def _rating_effect(w: Sequence[Array]) -> Array:
    """Return r, how much a first rating raises s."""
    return (np.maximum(w[0], w[1]) - w[0]) / 3


def _added_brittleness(rating: Array) -> Array:
    """Return how much a review with this rating raises the brittleness."""
    return np.maximum((3 - rating) / 2, 0.0)


def _beta(w: Sequence[Array], n: Array) -> Array:
    """Return the exponent of the forgetting curve at brittleness ``n``."""
    return np.exp(np.clip(w[3] + w[4] * np.log(np.exp(w[6]) + n), -30.0, 30.0))


def _minus_log_recall(w: Sequence[Array], state: State, elapsed: Array) -> Array:
    """Return -ln R, which grows as the memory fades."""
    s, q, n = state
    elapsed_age = np.exp(np.log(np.maximum(elapsed, 1e-9)) / w[2] - s)
    initial_age = np.exp(w[5] / w[2] - 0.5 * (q * _rating_effect(w) + s))
    minus_log_recall = _beta(w, n) * np.log1p(elapsed_age + initial_age)
    return np.clip(minus_log_recall, -np.log1p(-MIN_RECALL), -log(MIN_RECALL))


ALGORITHMS = (
    SBD("SBD default", "SBD (2026) with its published parameters, not trained on your reviews"),
    SBD(
        "SBD",
        "Stability, brittleness and difficulty (2026), trained with more weight on recent reviews",
        training=Training(recency=RECENCY),
    ),
)

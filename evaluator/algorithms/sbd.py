"""SBD (2026): stability, brittleness, difficulty.

State: the logarithm s of the stability S (days); q, the last rating from 0 (Again) to 3 (Easy); the brittleness n, how
much the card was forgotten so far: 1 for each Again, 1/2 for each Hard, at most 50.

After a first rating q, s = L + q r with r = (H - L) / 3. Then

    R(t) = (1 + age / S)^-beta,  age = t^(1/k) + e^(v/k - q r/2) S^(1/2),  beta = e^alpha (e^lambda + n)^c

A pass adds the age to the stability, a lapse multiplies it by (1 - R)^c.

Reference: open-spaced-repetition/srs-benchmark, SBD, as of September 2026, with its limits and its prior. That one adds
2 ((w - default) / sigma)^2 / reviews to the weighted mean of the losses; here their sum is minimized.
"""

from __future__ import annotations

from math import log
from typing import Sequence

import numpy as np

from ..data.histories import FRACTIONAL_DAYS
from .algorithm import Array, Parameter, Recurrent, State, Training
from .fsrs7 import RECENCY

#: Mean weight of the reviews in training.
MEAN_WEIGHT = RECENCY.least + (1 - RECENCY.least) / (RECENCY.power + 1)
#: The prior's width, in sigmas.
WIDTH = (2 * MEAN_WEIGHT) ** -0.5

MIN_S, MAX_S = log(0.001), log(36_500)  #: bounds of s
MIN_RECALL = 1e-6
MAX_BRITTLENESS = 50.0

PARAMETERS = (
    Parameter(-2.803101, MIN_S, MAX_S, 1.754 * WIDTH),  # L, H: s after a first Again and a first Easy
    Parameter(1.386926, MIN_S, MAX_S, 1.2339 * WIDTH),
    Parameter(1.739235, 0.5, 20, 0.5003 * WIDTH),  # k: how time slows down
    Parameter(-1.819954, -20, 20, 0.546 * WIDTH),  # alpha: how fast memory fades
    Parameter(0.529839, 0, 5, 0.0989 * WIDTH),  # c: how brittleness adds to that, and to what a lapse costs
    Parameter(-0.886052, -20, 20, 1.1685 * WIDTH),  # v: age at the time of a review
    Parameter(-1.393709, -20, 20, 0.7778 * WIDTH),  # lambda: logarithm of the brittleness of what was never forgotten
)


class SBD(Recurrent):
    """SBD, trained on the user's reviews."""

    family = "Half-life and activation"
    inputs = FRACTIONAL_DAYS
    parameters = PARAMETERS

    def first(self, w: Sequence[Array], rating: Array) -> State:
        q = rating - 1.0
        return w[0] + q * _range(w), q, _brittleness(rating)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        s, _, n = state
        beta, faded = _beta(w, n), _faded(w, state, elapsed)
        s = s + np.where(rating > 1, faded / beta, w[4] * np.log(-np.expm1(-faded)))
        return np.clip(s, MIN_S, MAX_S), rating - 1.0, np.minimum(n + _brittleness(rating), MAX_BRITTLENESS)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return np.exp(-_faded(w, state, elapsed))


def _range(w: Sequence[Array]) -> Array:
    return (np.maximum(w[0], w[1]) - w[0]) / 3


def _brittleness(rating: Array) -> Array:
    return np.maximum((3 - rating) / 2, 0.0)


def _beta(w: Sequence[Array], n: Array) -> Array:
    return np.exp(np.clip(w[3] + w[4] * np.log(np.exp(w[6]) + n), -30.0, 30.0))


def _faded(w: Sequence[Array], state: State, elapsed: Array) -> Array:
    """-ln R."""
    s, q, n = state
    of_time = np.exp(np.log(np.maximum(elapsed, 1e-9)) / w[2] - s)
    at_review = np.exp(w[5] / w[2] - 0.5 * (q * _range(w) + s))
    faded = _beta(w, n) * np.log1p(of_time + at_review)
    return np.clip(faded, -np.log1p(-MIN_RECALL), -log(MIN_RECALL))


ALGORITHMS = (
    SBD("SBD default", "SBD (2026) with its published parameters, not trained on your reviews"),
    SBD(
        "SBD",
        "Stability, brittleness and difficulty (2026), trained with more weight on recent reviews",
        training=Training(recency=RECENCY),
    ),
)

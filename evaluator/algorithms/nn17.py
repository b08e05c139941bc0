"""NN-17 (2023), which computes the quantities of SM-17 by five tiny networks instead of SM-17's matrices."""

from __future__ import annotations

from dataclasses import replace
from typing import Sequence, Tuple

import numpy as np

from . import weights
from .algorithm import Array, Parameter, Recurrent, State, Training, by_rating, sigmoid

MIN_STABILITY, MAX_STABILITY = 0.01, 36_500.0
MIN_RECALL, MAX_RECALL = 0.0001, 0.9999

# The index of the first parameter of each group, in the order of the file.
#: The stability after each first rating.
S0 = 0
#: The difficulty after each first rating.
D0 = 4
#: SM-17's formula for the increase of stability.
SINC = 8
#: The network for weighted recall.
RECALL = 11
#: The network for the next difficulty.
DIFFICULTY = 17
#: The network for the stability after a lapse.
LAPSE = 23
#: The network for the increase of stability.
INCREASE = 28
#: The network that weighs this increase against that of SM-17's formula.
BEST_INCREASE = 34


def _parameters() -> Tuple[Parameter, ...]:
    """Return the pretrained weights with the bounds and priors of all groups."""
    result = list(weights.parameters(weights.load("nn17"), width=0.5))
    for i in range(4):
        result[S0 + i] = Parameter(result[S0 + i].default, MIN_STABILITY, 100, width=2.0, log=True)
        result[D0 + i] = Parameter(result[D0 + i].default, 0, 1, width=0.3)
    for i, (lower, upper) in enumerate(((-5, 5), (0, 1), (-5, 5))):
        result[SINC + i] = replace(result[SINC + i], lower=lower, upper=upper)
    return tuple(result)


def softplus(x: Array) -> Array:
    """Return ln(1 + e^x) without overflow."""
    return np.maximum(x, 0.0) + np.log1p(np.exp(-np.maximum(x, -x)))


def mish(x: Array) -> Array:
    """Return x tanh(ln(1 + e^x))."""
    return x * np.tanh(softplus(x))


def network(w: Sequence[Array], start: int, *inputs: Array) -> Array:
    """Return the output of the network whose parameters begin at ``start``, before its squashing function."""
    size = len(inputs)
    hidden = sum((w[start + i] * x for i, x in enumerate(inputs)), w[start + size])
    return w[start + size + 1] * mish(hidden) + w[start + size + 2]


def weighted_recall(w: Sequence[Array], difficulty: Array, stability: Array, theoretical: Array) -> Array:
    """Return the probability of recall, corrected from ``theoretical``, which stability alone implies."""
    return np.clip(np.exp(-softplus(network(w, RECALL, difficulty, stability, theoretical))), MIN_RECALL, MAX_RECALL)


class NN17(Recurrent):
    """NN-17, whose state is stability S in days, difficulty D from 0 to 1, and the number of lapses.

    R(t) comes from a network of D, S and 0.9^(t / S).
    """

    family = "Neural"
    # Its starting weights were pretrained on whole days.
    whole_days_only = True
    parameters = _parameters()

    def first(self, w: Sequence[Array], rating: Array) -> State:
        return by_rating(rating, *w[S0 : S0 + 4]), by_rating(rating, *w[D0 : D0 + 4]), 0.0

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        s, d, lapses = state
        r = weighted_recall(w, d, s, np.clip(0.9 ** (elapsed / s), MIN_RECALL, MAX_RECALL))
        implied_stability = np.clip(np.log(0.9) * elapsed / np.log(r), MIN_STABILITY, MAX_STABILITY)
        d = sigmoid(network(w, DIFFICULTY, d, r, rating))
        formula_increase = 1 + np.exp(w[SINC] - w[SINC + 2] * r) * (5 * (1 - d) + 1) * implied_stability ** -w[SINC + 1]
        network_increase = 1 + softplus(network(w, INCREASE, d, implied_stability, r))
        increase = 1 + softplus(network(w, BEST_INCREASE, formula_increase, network_increase))
        passed = implied_stability * increase
        lapsed = softplus(network(w, LAPSE, r, lapses))
        s = np.clip(np.where(rating > 1, passed, lapsed), MIN_STABILITY, MAX_STABILITY)
        return s, d, lapses + (rating == 1)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        s, d, _ = state
        return weighted_recall(w, d, s, 0.9 ** (elapsed / s))


ALGORITHMS = (
    NN17("NN-17", "Five tiny networks for SM-17's variables, trained on your earlier reviews", training=Training()),
)

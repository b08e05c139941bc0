"""GRU (39) (2023): a gated recurrent network of two hidden units that ends in a stability.

Its input at each review is the interval before it and the rating, as they are. R(t) = (1 + 19/81 t/S)^(-1/2) with
S = e^(v h + b).

Reference: K. Cho et al. (2014), Learning phrase representations using RNN encoder-decoder, EMNLP, arXiv 1406.1078; as
a model of memory: SRS Benchmark, open-spaced-repetition.
"""

from __future__ import annotations

from typing import Sequence, Tuple

import numpy as np

from . import weights
from .algorithm import Array, Recurrent, State, Training, sigmoid

INPUTS = 2  #: interval and rating
HIDDEN = 2
FACTOR = 0.9**-2 - 1


def shapes(hidden: int) -> weights.Shapes:
    """Return the tensors of a network of one layer; rows of the first four: reset gate, update gate, candidate."""
    return {
        "weight_ih_l0": (3 * hidden, INPUTS),
        "weight_hh_l0": (3 * hidden, hidden),
        "bias_ih_l0": (3 * hidden,),
        "bias_hh_l0": (3 * hidden,),
        "fc.weight": (1, hidden),
        "fc.bias": (1,),
    }


def advance(w: Sequence[Array], hidden: Sequence[Array], elapsed: Array, rating: Array) -> Tuple[Array, ...]:
    """Return the hidden units after an input.

    With x the input: r = sigmoid(W_r x + b_r + U_r h + c_r), z in the same way from its own weights, n = tanh(W_n x +
    b_n + r (U_n h + c_n)), h' = (1 - z) n + z h.
    """
    size = len(hidden)
    from_hidden = 3 * size * INPUTS
    bias_ih = from_hidden + 3 * size * size
    bias_hh = bias_ih + 3 * size

    def input_sum(row: int) -> Array:
        return w[INPUTS * row] * elapsed + w[INPUTS * row + 1] * rating + w[bias_ih + row]

    def hidden_sum(row: int) -> Array:
        return sum((w[from_hidden + size * row + j] * h for j, h in enumerate(hidden)), w[bias_hh + row])

    def unit(i: int) -> Array:
        reset = sigmoid(input_sum(i) + hidden_sum(i))
        update = sigmoid(input_sum(size + i) + hidden_sum(size + i))
        candidate = np.tanh(input_sum(2 * size + i) + reset * hidden_sum(2 * size + i))
        return candidate + update * (hidden[i] - candidate)

    return tuple(unit(i) for i in range(size))


def output(w: Sequence[Array], hidden: Sequence[Array]) -> Array:
    """Return the linear layer on top: v h + b."""
    size = len(hidden)
    return sum((w[len(w) - 1 - size + i] * h for i, h in enumerate(hidden)), w[len(w) - 1])


class GRU39(Recurrent):
    """GRU (39), whose state is the hidden units, 0 before the first review."""

    family = "Neural"
    whole_days_only = True  # pretrained on whole days
    parameters = weights.parameters(weights.load("gru39", shapes(HIDDEN)), width=0.3)

    def first(self, w: Sequence[Array], rating: Array) -> State:
        return advance(w, (0.0,) * HIDDEN, 0.0, rating)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        return advance(w, state, elapsed, rating)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return (1 + FACTOR * elapsed * np.exp(-output(w, state))) ** -0.5


ALGORITHMS = (
    GRU39("GRU (39)", "A recurrent network of 2 hidden units, trained on your earlier reviews", training=Training()),
)

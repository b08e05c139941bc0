"""GRU (39) and GRU-P (2023), gated recurrent networks of two and of eight hidden units.

The input of GRU (39) at each review is the interval before it and the rating, as they are. It ends in a stability:
R(t) = (1 + 19/81 t/S)^(-1/2) with S = e^(v h + b).

GRU-P predicts recall itself, without a forgetting curve. Its input at each review is the rating and the interval
*after* it, so the last input holds the elapsed time at the predicted review: p = sigmoid(v h + b).

Reference: K. Cho et al. (2014), Learning phrase representations using RNN encoder-decoder, EMNLP, arXiv 1406.1078; as
a model of memory: SRS Benchmark, open-spaced-repetition.
"""

from __future__ import annotations

from typing import Sequence, Tuple

import numpy as np

from ..data.histories import WITH_SAME_DAY
from . import weights
from .algorithm import Array, Recurrent, State, Training, sigmoid
from .fsrs5 import FACTOR

#: Number of inputs, the interval and the rating.
INPUTS = 2
#: Number of hidden units of GRU (39).
SIZE = 2
#: Number of hidden units of GRU-P.
SIZE_P = 8
#: Width of the prior of the weights of GRU-P.
WIDTH_P = 0.2


def update_hidden(w: Sequence[Array], hidden: Sequence[Array], elapsed: Array, rating: Array) -> Tuple[Array, ...]:
    """Return the hidden units after one more input.

    With x the input and h the hidden units, r = sigmoid(W_r x + b_r + U_r h + c_r), z is the same with its own weights,
    n = tanh(W_n x + b_n + r (U_n h + c_n)), and h' = (1 - z) n + z h.

    Args:
        w: W, U, b and c row by row, each for the reset gate r, the update gate z and the candidate n, in this order.
            Then the weights of :func:`output`.
        hidden: the hidden units before the input.
        elapsed: the interval in the input, in days.
        rating: the rating in the input, from 1 to 4.
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
    """Return the output of the linear layer: v h + b."""
    size = len(hidden)
    return sum((w[len(w) - 1 - size + i] * h for i, h in enumerate(hidden)), w[len(w) - 1])


class GRU39(Recurrent):
    """GRU (39), whose state is the hidden units, 0 before the first review."""

    family = "Neural"
    # Its starting weights were pretrained on whole days.
    whole_days_only = True
    parameters = weights.parameters(weights.load("gru39"), width=0.3)

    def first(self, w: Sequence[Array], rating: Array) -> State:
        return update_hidden(w, (0.0,) * SIZE, 0.0, rating)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        return update_hidden(w, state, elapsed, rating)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return (1 + FACTOR * elapsed * np.exp(-output(w, state))) ** -0.5


class GRUP(Recurrent):
    """GRU-P, whose state is the hidden units before the last review, and its rating."""

    family = "Neural"
    # Its starting weights were pretrained on whole days.
    whole_days_only = True
    parameters = weights.parameters(weights.load("gru_p"), WIDTH_P)

    def first(self, w: Sequence[Array], rating: Array) -> State:
        return (*(0.0,) * SIZE_P, rating)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        return (*update_hidden(w, state[:-1], elapsed, state[-1]), rating)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return sigmoid(output(w, update_hidden(w, state[:-1], elapsed, state[-1])))


ALGORITHMS = (
    GRU39("GRU (39)", "A recurrent network of 2 hidden units, trained on your earlier reviews", training=Training()),
    GRUP(
        "GRU-P",
        "A recurrent network of 8 hidden units without a forgetting curve, trained on your reviews",
        training=Training(),
    ),
    GRUP(
        "GRU-P-short",
        "GRU-P that also uses same-day reviews",
        inputs=WITH_SAME_DAY,
        parameters=weights.parameters(weights.load("gru_p_short"), WIDTH_P),
        training=Training(),
    ),
)

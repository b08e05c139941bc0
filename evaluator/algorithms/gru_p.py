"""GRU-P (2023): a gated recurrent network of eight hidden units that predicts recall itself, with no forgetting curve.

Its input at each review is the rating and the interval *after* it, so the last input holds the elapsed time
at the predicted review: p = sigmoid(v h + b).

Reference: SRS Benchmark, open-spaced-repetition; the network as in :mod:`evaluator.algorithms.gru39`.
"""

from __future__ import annotations

from typing import Sequence

from ..data.histories import WITH_SAME_DAY
from . import weights
from .algorithm import Array, Recurrent, State, Training, sigmoid
from .gru39 import advance, output, shapes

HIDDEN = 8
WIDTH = 0.2


class GRUP(Recurrent):
    """GRU-P, whose state is the hidden units before the last review, and its rating."""

    family = "Neural"
    whole_days_only = True  # pretrained on whole days
    parameters = weights.parameters(weights.load("gru_p", shapes(HIDDEN)), WIDTH)

    def first(self, w: Sequence[Array], rating: Array) -> State:
        return (*(0.0,) * HIDDEN, rating)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        return (*advance(w, state[:-1], elapsed, state[-1]), rating)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return sigmoid(output(w, advance(w, state[:-1], elapsed, state[-1])))


class GRUPShort(GRUP):
    """GRU-P that is shown same-day reviews too."""

    inputs = WITH_SAME_DAY
    parameters = weights.parameters(weights.load("gru_p_short", shapes(HIDDEN)), WIDTH)


ALGORITHMS = (
    GRUP(
        "GRU-P",
        "A recurrent network of 8 hidden units without a forgetting curve, trained on your reviews",
        training=Training(),
    ),
    GRUPShort("GRU-P-short", "GRU-P that also uses same-day reviews", training=Training()),
)

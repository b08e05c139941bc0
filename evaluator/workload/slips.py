"""FSRS-6 for a user who answers some known cards with Again: by a slip, or because the question was another.

R(t) = (1 - s) R of FSRS-6. States follow from the answers as in FSRS-6. Without it, such answers would have to be
explained by forgetting that happens at once, which the curve of FSRS-6 can do only by being wrong elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

import numpy as np

from ..algorithms.algorithm import Array, Parameter, State, Training
from ..algorithms.fsrs6 import FSRS6, FSRS_6
from ..derivatives import Floats
from ..fitting.kernels import HAND_DERIVED, make_replay
from ..fitting.replay import Linearization, Replay

#: s: share of known cards answered with Again.
SLIPS = Parameter(0.0, 0.0, 0.2, width=0.03)


class SlippingFSRS6(FSRS6):
    """FSRS-6 with a 22nd parameter, s."""

    parameters = (*FSRS6.parameters, SLIPS)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        return FSRS_6.step(w, state, elapsed, rating)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return (1 - w[21]) * FSRS_6.recall(w, state, elapsed)


@dataclass(frozen=True)
class _SlippingReplay(Replay):
    plain: Replay  #: replay of FSRS-6

    def linearize(self, w: Floats) -> Linearization:
        plain, no_slip = self.plain.linearize(w[:-1]), 1 - float(w[-1])

        def gradient(by_predicted: Floats) -> Floats:
            return np.append(plain.gradient(no_slip * by_predicted), -(plain.predicted @ by_predicted))

        def jacobian() -> Floats:
            return np.vstack([no_slip * plain.jacobian(), -plain.predicted])

        return Linearization(no_slip * plain.predicted, gradient, jacobian)


HAND_DERIVED[SlippingFSRS6] = lambda _, trie: _SlippingReplay(make_replay(FSRS_6, trie))

SLIPPING_FSRS_6 = SlippingFSRS6(FSRS_6.name, FSRS_6.description, training=Training())

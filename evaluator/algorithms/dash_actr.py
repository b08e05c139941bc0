"""DASH[ACT-R]: DASH with one trace per review that fades as a power of its age.

p = sigmoid(w0 ln(1 + max(sum over earlier reviews of age^-w1 (w3 if passed, otherwise w2), 0)) + w4).

Reference: Choffin, Popineau, Bourda & Vie (2019), DAS3H, EDM; Anderson & Schooler (1991) for the power of age.
"""

from __future__ import annotations

from typing import Sequence

import numpy as np

from .algorithm import Array, Parameter, Trace, Training, sigmoid

PARAMETERS = (
    Parameter(1.4164, 0.001, 20, width=0.5),
    Parameter(0.516, 0.001, 20, width=0.3),
    Parameter(-0.0564, -20, 20, width=0.3),
    Parameter(1.9223, -20, 20, width=0.5),
    Parameter(1.0549, -20, 20, width=0.5),
)
MIN_AGE = 0.1


class DashACTR(Trace):
    """DASH[ACT-R], whose total is the sum of the traces. A review less than 0.1 days old leaves none."""

    family = "Half-life and activation"
    parameters = PARAMETERS

    def trace(self, w: Sequence[Array], age: Array, rating: Array, total_then: Array) -> Array:
        faded = np.maximum(age, MIN_AGE) ** -w[1] * (age > MIN_AGE)
        return faded * np.where(rating > 1, w[3], w[2])

    def recall(self, w: Sequence[Array], total: Array, elapsed: Array) -> Array:
        return sigmoid(w[0] * np.log1p(np.maximum(total, 0.0)) + w[4])


ALGORITHMS = (
    DashACTR(
        "DASH[ACT-R]", "Traces that fade as a power of their age, trained on your earlier reviews", training=Training()
    ),
)

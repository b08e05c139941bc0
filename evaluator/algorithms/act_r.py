"""ACT-R and DASH[ACT-R], in which each review leaves a trace that decays as a power of its age.

In ACT-R, the more active a memory was when a trace was laid, the faster the trace decays. The activation is

    m = ln(sum over earlier reviews j of (age_j h, in seconds)^-(c e^(m_j) + a)), m_j the activation at review j,

and p = 1 / (1 + e^((tau - m) / s)). Ratings are not used.

In DASH[ACT-R], p = sigmoid(w0 ln(1 + max(sum over earlier reviews of age^-w1 (w3 if passed, otherwise w2), 0)) + w4).

Reference: Pavlik & Anderson (2005), Practice and forgetting effects on vocabulary memory, Cogn. Sci. 29:559,
doi 10.1207/s15516709cog0000_14. Choffin, Popineau, Bourda & Vie (2019), DAS3H, EDM; Anderson & Schooler (1991) for the
power of age.
"""

from __future__ import annotations

from typing import Sequence

import numpy as np

from .algorithm import Array, Parameter, Trace, Training, sigmoid

SECONDS_PER_DAY = 86_400

#: Age in days up to which a review leaves no trace in DASH[ACT-R].
MIN_AGE = 0.1


class DashACTR(Trace):
    """DASH[ACT-R], whose total is the sum of the traces. A review less than 0.1 days old leaves no trace."""

    family = "Half-life and activation"
    parameters = (
        Parameter(1.4164, 0.001, 20, width=0.5),
        Parameter(0.516, 0.001, 20, width=0.3),
        Parameter(-0.0564, -20, 20, width=0.3),
        Parameter(1.9223, -20, 20, width=0.5),
        Parameter(1.0549, -20, 20, width=0.5),
    )

    def trace(self, w: Sequence[Array], age: Array, rating: Array, total_then: Array) -> Array:
        power = np.maximum(age, MIN_AGE) ** -w[1] * (age > MIN_AGE)
        return power * np.where(rating > 1, w[3], w[2])

    def recall(self, w: Sequence[Array], total: Array, elapsed: Array) -> Array:
        return sigmoid(w[0] * np.log1p(np.maximum(total, 0.0)) + w[4])


class ACTR(Trace):
    """ACT-R, whose total is e to the power of the activation m."""

    family = "Half-life and activation"
    uses = ("intervals",)
    parameters = (
        # a is the decay of the first trace.
        Parameter(0.176786766570677, 0.001, 1, width=1.0, log=True),
        # c says how much activation speeds up the decay.
        Parameter(0.216967308403809, 0.001, 1, width=1.0, log=True),
        # s is the noise of the activation.
        Parameter(0.254893976981164, 0.001, 1, width=1.0, log=True),
        # tau is the threshold of recall.
        Parameter(-0.704205679427144, -10, -0.001, width=1.0),
        # h scales the time since a review.
        Parameter(0.025, 0.001, 1, width=1.0, log=True),
    )
    uses_total = True

    def trace(self, w: Sequence[Array], age: Array, rating: Array, total_then: Array) -> Array:
        a, c, _, _, h = w
        return np.maximum(age * SECONDS_PER_DAY * h, 1.0) ** -(c * total_then + a)

    def recall(self, w: Sequence[Array], total: Array, elapsed: Array) -> Array:
        _, _, s, tau, _ = w
        return sigmoid((np.log(total) - tau) / s)


ALGORITHMS = (
    DashACTR(
        "DASH[ACT-R]", "Traces that fade as a power of their age, trained on your earlier reviews", training=Training()
    ),
    ACTR("ACT-R", "Activation that decays as a power of time, trained on your earlier reviews", training=Training()),
)

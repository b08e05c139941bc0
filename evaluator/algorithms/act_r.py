"""ACT-R: activation of a memory as the sum of traces that decay the faster, the more active it was when they were laid.

Activation m = ln(sum over earlier reviews j of (age_j h, in seconds)^-(c e^(m_j) + a)), m_j the activation at review
j; p = 1 / (1 + e^((tau - m) / s)). Grades are not used.

Reference: Pavlik & Anderson (2005), Practice and forgetting effects on vocabulary memory, Cogn. Sci. 29:559,
doi 10.1207/s15516709cog0000_14.
"""

from __future__ import annotations

from typing import Sequence

import numpy as np

from .algorithm import Array, Parameter, Trace, Training, sigmoid

PARAMETERS = (
    Parameter(0.176786766570677, 0.001, 1, width=1.0, log=True),  # a: decay of a first trace
    Parameter(0.216967308403809, 0.001, 1, width=1.0, log=True),  # c: how activation speeds decay up
    Parameter(0.254893976981164, 0.001, 1, width=1.0, log=True),  # s: noise
    Parameter(-0.704205679427144, -10, -0.001, width=1.0),  # tau: threshold
    Parameter(0.025, 0.001, 1, width=1.0, log=True),  # h: how fast time passes between sessions
)
SECONDS_PER_DAY = 86_400


class ACTR(Trace):
    """ACT-R, whose total is e to the power of the activation m."""

    family = "Half-life and activation"
    uses = ("intervals",)
    parameters = PARAMETERS
    remembers = True

    def trace(self, w: Sequence[Array], age: Array, rating: Array, total_then: Array) -> Array:
        a, c, _, _, h = w
        return np.maximum(age * SECONDS_PER_DAY * h, 1.0) ** -(c * total_then + a)

    def recall(self, w: Sequence[Array], total: Array, elapsed: Array) -> Array:
        _, _, s, tau, _ = w
        return sigmoid((np.log(total) - tau) / s)


ALGORITHMS = (
    ACTR("ACT-R", "Activation that decays as a power of time, trained on your earlier reviews", training=Training()),
)

"""DASH (2014) and its variant MCM. Of difficulty, ability and study history, they use only the study history."""

from __future__ import annotations

from typing import Tuple

import numpy as np

from ..data.histories import WITH_SAME_DAY, Trie, earlier_reviews
from ..derivatives import Floats
from .algorithm import Array, Encoder, Parameter, Training, sigmoid

#: Lengths of the time windows in days.
WINDOWS = (1, 7, 30, np.inf)


def _parameters(*defaults: float) -> Tuple[Parameter, ...]:
    """Return the weight of each feature, then the bias."""
    return tuple(Parameter(default, -20, 20, width=0.5) for default in defaults)


#: Parameters if same-day reviews are counted.
SHORT_PARAMETERS = _parameters(-0.1766, 0.4483, -0.3618, 0.5953, -0.5104, 0.8609, -0.3643, 0.6447, 1.2815)


class Dash(Encoder):
    """DASH. For each time window it has two features, from the number of reviews and of passes."""

    family = "Half-life and activation"
    parameters = _parameters(0.2024, 0.5967, 0.1255, 0.6039, -0.1485, 0.572, 0.0933, 0.4801, 0.787)
    #: Time constant in days with which the counts of each window fade.
    fade_days = (np.inf,) * 4

    def same_day_parameters(self) -> Tuple[Parameter, ...]:
        return SHORT_PARAMETERS

    def encode(self, trie: Trie) -> Floats:
        past = earlier_reviews(trie)
        counts = []
        for window, fade in zip(WINDOWS, self.fade_days):
            weight = (past.age <= window) * np.exp(-past.age / fade)
            counts += [past.sum(weight), past.sum(weight * (past.rating > 1))]
        return np.log1p(np.stack(counts, axis=1))

    def curve(self, outputs: Tuple[Array, ...], elapsed: Array) -> Array:
        return sigmoid(outputs[0])


class DashMCM(Dash):
    """DASH[MCM], in which a review counts less as it ages. Each window has its own time constant."""

    parameters = _parameters(0.2783, 0.8131, 0.4252, 1.0056, -0.1527, 0.6455, 0.1409, 0.669, 0.843)
    fade_days = (0.2434, 1.9739, 16.0090, 129.8426)


ALGORITHMS = (
    Dash(
        "DASH",
        "Counts of reviews and passes in growing windows of time, trained on your earlier reviews",
        training=Training(),
    ),
    Dash(
        "DASH-short",
        "DASH that also uses same-day reviews",
        inputs=WITH_SAME_DAY,
        parameters=SHORT_PARAMETERS,
        # In the same-day table, DASH itself counts same-day reviews.
        whole_days_only=True,
        training=Training(),
    ),
    DashMCM(
        "DASH[MCM]", "DASH with counts that fade with their age, trained on your earlier reviews", training=Training()
    ),
)

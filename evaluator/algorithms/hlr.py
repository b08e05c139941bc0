"""HLR, half-life regression (2016), with the two features of the benchmark."""

from __future__ import annotations

from typing import Tuple

import numpy as np

from ..data.histories import WITH_SAME_DAY, Trie, earlier_reviews
from ..derivatives import Floats
from .algorithm import Array, Encoder, Parameter, Training


class HLR(Encoder):
    """HLR. Its features are the square roots of the numbers of passes and of lapses."""

    family = "Half-life and activation"
    uses = ("ratings",)
    parameters = (
        Parameter(2.5819, -20, 20, width=1.0),
        Parameter(-0.8674, -20, 20, width=1.0),
        Parameter(2.7245, -20, 20, width=2.0),
    )

    def encode(self, trie: Trie) -> Floats:
        past = earlier_reviews(trie)
        return np.sqrt(np.stack([past.sum(1.0 * (past.rating > 1)), past.sum(1.0 * (past.rating == 1))], axis=1))

    def curve(self, outputs: Tuple[Array, ...], elapsed: Array) -> Array:
        return 0.5 ** (elapsed * 0.5 ** np.clip(outputs[0], -15.0, 15.0))


ALGORITHMS = (
    HLR("HLR", "Half-life regression (2016), trained on your earlier reviews", training=Training()),
    HLR(
        "HLR-short",
        "HLR that also uses same-day reviews",
        inputs=WITH_SAME_DAY,
        # In the same-day table, HLR itself counts same-day reviews.
        whole_days_only=True,
        training=Training(),
    ),
)

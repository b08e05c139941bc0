"""LSTM (489), the neural network in the comparison of algorithms of 2023.

The input at each review is the days since the last one, as they are, and the rating. There are eight hidden units, and
R(t) = 0.9^(t/S) with S = e^(v h + b). Two things differ from the public notebook. It trains all weights from random
ones, but here the 480 weights of the recurrent layer stay as they were pretrained, and the 9 of the last layer are
trained. Same-day reviews are shown too, with 0 days.

Reference: S. Hochreiter & J. Schmidhuber (1997), Long short-term memory, Neural Computation 9(8).
"""

from __future__ import annotations

from typing import Dict, Tuple

import numpy as np

from ..data.histories import WITH_SAME_DAY, Trie
from .algorithm import Array, Training
from .layers import Network
from .lstm import recurrent_outputs
from .weights import last_layer, load


class LSTM489(Network):
    """LSTM (489), whose last layer is trained and whose recurrent layer is frozen."""

    inputs = WITH_SAME_DAY
    # Its starting weights were pretrained on whole days.
    whole_days_only = True
    weights = load("lstm489")
    parameters = last_layer(weights, width=1.0)

    def body(self, w: Dict[str, Array], trie: Trie) -> Array:
        """Return the hidden units after each node's history, (nodes, 8)."""
        x = np.concatenate([trie.elapsed[:, None], trie.rating[:, None] == np.arange(1, 5)], axis=1)
        return recurrent_outputs(w, "lstm", x.astype(w["lstm.weight_hh"].dtype), trie)

    def curve(self, outputs: Tuple[Array, ...], elapsed: Array) -> Array:
        return 0.9 ** (elapsed * np.exp(-outputs[0]))


ALGORITHMS = (
    LSTM489(
        "LSTM (489)",
        "A recurrent network of 489 weights (2023); its last layer is trained on your reviews",
        training=Training(),
    ),
)

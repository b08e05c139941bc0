"""GRU (2026), a recurrent network of 503 weights and the best small network of the benchmark."""

from __future__ import annotations

from typing import Dict, List

import numpy as np

from ..data.histories import Trie
from .algorithm import Array, Training, sigmoid
from .layers import ExactTimeNetwork, dense, network_inputs, norm
from .weights import last_layer, load

#: Number of hidden units.
SIZE = 7


def _recurrent_outputs(w: Dict[str, Array], x: Array, trie: Trie) -> Array:
    """Return the outputs of the recurrent layer at each node (nodes, 7), level by level.

    The columns of its sums are seven each for the reset gate, the update gate and the candidate.
    """
    from_input = x @ np.swapaxes(w["gru.weight_ih"], 0, 1) + w["gru.bias_ih"]
    from_hidden = np.swapaxes(w["gru.weight_hh"], 0, 1)
    bias = w["gru.bias_hh"]
    outputs: List[Array] = []
    # The roots have -1 as parent, which leads to these zeros.
    hidden = np.zeros((1, SIZE), dtype=x.dtype)
    previous_start = 0
    for level in trie.levels():
        hidden = hidden[trie.parent[level] - previous_start]
        sums = from_input[level]
        hidden_sums = hidden @ from_hidden + bias
        gates = sigmoid(sums[:, : 2 * SIZE] + hidden_sums[:, : 2 * SIZE])
        candidate = np.tanh(sums[:, 2 * SIZE :] + gates[:, :SIZE] * hidden_sums[:, 2 * SIZE :])
        hidden = candidate + gates[:, SIZE:] * (hidden - candidate)
        outputs.append(hidden)
        previous_start = level.start
    return np.concatenate(outputs) if outputs else x


class GRU(ExactTimeNetwork):
    """GRU, whose last layer is trained and whose other layers are frozen."""

    weights = load("gru")
    parameters = last_layer(weights, width=0.6)

    def body(self, w: Dict[str, Array], trie: Trie) -> Array:
        """Return the features of each node's history, (nodes, 7)."""
        x = norm(w, "input_norm", dense(w, "input", network_inputs(trie).astype(w["input.weight"].dtype)))
        x = norm(w, "gru_norm", _recurrent_outputs(w, x, trie))
        return norm(w, "output_norm", dense(w, "output", x))


ALGORITHMS = (
    GRU(
        "GRU",
        "A recurrent network of 503 weights, with exact times; its last layer is trained on your reviews",
        training=Training(),
    ),
)

"""LSTM (2025), a recurrent network of 8,849 weights that does not use answer times."""

from __future__ import annotations

from typing import Dict, List

import numpy as np

from ..data.histories import Trie
from .algorithm import Array, Training, sigmoid
from .layers import ExactTimeNetwork, dense, network_inputs, norm
from .weights import last_layer, load


def recurrent_outputs(w: Dict[str, Array], name: str, x: Array, trie: Trie) -> Array:
    """Return the outputs of a recurrent layer at each node (nodes, size), level by level.

    The columns of its sums belong to the input gate, the forget gate, the new content and the output gate, in four
    equal parts.
    """
    from_input = x @ np.swapaxes(w[f"{name}.weight_ih"], 0, 1) + (w[f"{name}.bias_ih"] + w[f"{name}.bias_hh"])
    from_hidden = np.swapaxes(w[f"{name}.weight_hh"], 0, 1)
    size = w[f"{name}.weight_hh"].shape[1]
    outputs: List[Array] = []
    # The roots have -1 as parent, which leads to these zeros.
    hidden = cell = np.zeros((1, size), dtype=x.dtype)
    previous_start = 0
    for level in trie.levels():
        parent = trie.parent[level] - previous_start
        sums = from_input[level] + hidden[parent] @ from_hidden
        gates = sigmoid(sums)
        content = np.tanh(sums[:, 2 * size : 3 * size])
        cell = gates[:, :size] * content + gates[:, size : 2 * size] * cell[parent]
        hidden = gates[:, 3 * size :] * np.tanh(cell)
        outputs.append(hidden)
        previous_start = level.start
    return np.concatenate(outputs) if outputs else x


class LSTM(ExactTimeNetwork):
    """LSTM, whose last layer is trained and whose other layers are frozen."""

    weights = load("lstm")
    parameters = last_layer(weights, width=0.4)

    def body(self, w: Dict[str, Array], trie: Trie) -> Array:
        """Return the features of each node's history, (nodes, 20)."""
        x = dense(w, "input", network_inputs(trie).astype(w["input.weight"].dtype))
        x = dense(w, "dense", norm(w, "input_norm", x))
        x = x + recurrent_outputs(w, "lstm1", norm(w, "lstm1_norm", x), trie)
        x = x + recurrent_outputs(w, "lstm2", norm(w, "lstm2_norm", x) + w["lstm2_norm.bias"], trie)
        mixed = dense(w, "mixer1", norm(w, "mixer1_norm", x))
        x = x + dense(w, "mixer2", norm(w, "mixer2_norm", mixed))
        return dense(w, "output", norm(w, "output_norm", x))


ALGORITHMS = (
    LSTM(
        "LSTM",
        "A recurrent network of 8,849 weights, with exact times; its last layer is trained on your reviews",
        training=Training(),
    ),
)

"""Transformer (2023), which attends to the whole history, with two numbers per review.

The source is the intervals and ratings of the history as they are, and the target is one zero vector. There are one
encoder layer and one decoder layer with two heads each. There are no position codes, so the order of the reviews does
not matter. Two things differ from the benchmark. Histories are not padded with zeros. The norms add 1 to the variance,
because 0.00001 would leave only the sign of a vector of two numbers. The 124 weights of the body stay as they were
pretrained, and the 3 weights of the last layer are trained. R(t) = (1 + 19/81 t/S)^(-1/2) with S = e^(v x + b).

Reference: A. Vaswani et al. (2017), Attention is all you need, NIPS 30, arXiv 1706.03762; as a model of memory: SRS
Benchmark, open-spaced-repetition.
"""

from __future__ import annotations

from typing import Dict, Tuple

import numpy as np

from ..data.histories import Trie
from ..derivatives import Floats
from .algorithm import Array, Training
from .fsrs5 import FACTOR
from .layers import Network, layer_norm
from .weights import last_layer, load

#: Number that the norms add to the variance.
EPSILON = 1.0
#: Size of each vector and of the feed-forward layers. The two heads have size 1.
SIZE = 2


def _equal_length_features(w: Dict[str, Array], history: Floats) -> Array:
    """Return the features (n, 2) of n histories of equal length (n, L, 2)."""
    memory = _attention_layer(w, "encoder.layers.0", "self_attn", history, history, norm="norm1")
    memory = _norm(w, "encoder.norm", _feed_forward(w, "encoder.layers.0", memory, norm="norm2"))
    target = np.zeros((len(history), 1, SIZE))
    x = _attention_layer(w, "decoder.layers.0", "self_attn", target, target, norm="norm1")
    x = _attention_layer(w, "decoder.layers.0", "multihead_attn", x, memory, norm="norm2")
    x = _norm(w, "decoder.norm", _feed_forward(w, "decoder.layers.0", x, norm="norm3"))
    return x.reshape(len(history), SIZE)


def _attention_layer(w: Dict[str, Array], layer: str, name: str, x: Array, memory: Array, *, norm: str) -> Array:
    """Return the output of an attention layer from ``x`` (n, L, 2) to ``memory`` (n, M, 2), with its norm."""
    prefix = f"{layer}.{name}"
    weight = w[f"{prefix}.in_proj_weight"]
    bias = w[f"{prefix}.in_proj_bias"]
    query = x @ np.swapaxes(weight[:SIZE], 0, 1) + bias[:SIZE]
    key = memory @ np.swapaxes(weight[SIZE : 2 * SIZE], 0, 1) + bias[SIZE : 2 * SIZE]
    value = memory @ np.swapaxes(weight[2 * SIZE :], 0, 1) + bias[2 * SIZE :]
    heads = []
    for head in range(SIZE):
        columns = slice(head, head + 1)
        heads.append(_softmax(query[..., columns] @ np.swapaxes(key[..., columns], 1, 2)) @ value[..., columns])
    attention = np.concatenate(heads, axis=2)
    projection = attention @ np.swapaxes(w[f"{prefix}.out_proj.weight"], 0, 1) + w[f"{prefix}.out_proj.bias"]
    return _norm(w, f"{layer}.{norm}", x + projection)


def _feed_forward(w: Dict[str, Array], layer: str, x: Array, *, norm: str) -> Array:
    """Return the output of a feed-forward layer with its norm."""
    hidden = x @ np.swapaxes(w[f"{layer}.linear1.weight"], 0, 1) + w[f"{layer}.linear1.bias"]
    output = np.maximum(hidden, 0.0) @ np.swapaxes(w[f"{layer}.linear2.weight"], 0, 1) + w[f"{layer}.linear2.bias"]
    return _norm(w, f"{layer}.{norm}", x + output)


def _norm(w: Dict[str, Array], name: str, x: Array) -> Array:
    return layer_norm(x, EPSILON) * w[f"{name}.weight"] + w[f"{name}.bias"]


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return powers / np.sum(powers, axis=-1, keepdims=True)


def sequences(trie: Trie, level: slice) -> Floats:
    """Return the interval and rating of each review in the n histories of a level, oldest first (n, L, 2)."""
    reviews = []
    node = np.arange(level.start, level.stop)
    while len(node) and node[0] >= 0:
        reviews.append(np.stack([trie.elapsed[node], trie.rating[node]], axis=1))
        node = trie.parent[node]
    return np.stack(reviews[::-1], axis=1).astype(np.float64)


class Transformer(Network):
    """Transformer, whose last layer is trained on the outputs of its frozen decoder."""

    # Its starting weights were pretrained on whole days.
    whole_days_only = True
    weights = load("transformer")
    parameters = last_layer(weights, width=1.0)

    def body(self, w: Dict[str, Array], trie: Trie) -> Array:
        """Return the features of the history of each node (nodes, 2)."""
        features = [_equal_length_features(w, sequences(trie, level)) for level in trie.levels()]
        return np.concatenate(features) if features else np.zeros((0, SIZE))

    def curve(self, outputs: Tuple[Array, ...], elapsed: Array) -> Array:
        return (1 + FACTOR * elapsed * np.exp(-outputs[0])) ** -0.5


ALGORITHMS = (
    Transformer(
        "Transformer",
        "Attention over the history, 127 weights; its last layer is trained on your reviews",
        training=Training(),
    ),
)

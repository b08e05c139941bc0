"""Inputs, layers and forgetting curve shared by the networks for exact times."""

from __future__ import annotations

from functools import reduce
from typing import ClassVar, Dict, Tuple

import numpy as np

from ..data.histories import FRACTIONAL_DAYS, Trie
from ..derivatives import Floats
from .algorithm import Array, Encoder, sigmoid
from .weights import Weights

#: Number of inputs, one for the interval and one for each rating.
INPUTS = 5
#: Rough mean of ln(0.00001 + days). Changing it would invalidate the stored weights.
LOG_DAYS_MEAN = -1.5
#: Its rough standard deviation, which is fixed for the same reason.
LOG_DAYS_DEVIATION = 5.5
#: Largest absolute value whose exponential is taken.
MAX_EXPONENT = 25.0


def network_inputs(trie: Trie) -> Floats:
    """Return the network's input for each node's last review (nodes, 5)."""
    log_days = (np.log(1e-5 + trie.elapsed) - LOG_DAYS_MEAN) / LOG_DAYS_DEVIATION
    return np.concatenate([log_days[:, None], trie.rating[:, None] == np.arange(1, 5)], axis=1)


def dense(w: Dict[str, Array], name: str, x: Array) -> Array:
    """Return the output of a linear layer with the activation SiLU, y sigmoid(y)."""
    y = x @ np.swapaxes(w[f"{name}.weight"], 0, 1) + w[f"{name}.bias"]
    return y * sigmoid(y)


def norm(w: Dict[str, Array], name: str, x: Array) -> Array:
    """Return the output of a layer norm that has weights but no bias."""
    return layer_norm(x) * w[f"{name}.weight"]


def layer_norm(x: Array, epsilon: float = 1e-5) -> Array:
    """Standardize each vector along the last axis, as in layer normalization (Ba et al. 2016, arXiv 1607.06450)."""
    size = x.shape[-1]
    centered = x - np.sum(x, axis=-1, keepdims=True) / size
    return centered / np.sqrt(np.sum(centered * centered, axis=-1, keepdims=True) / size + epsilon)


def mixture(outputs: Tuple[Array, ...], elapsed: Array) -> Array:
    """Return the recall of a mixture of n power curves, the sum of m_i (1 + t / s_i)^(-d_i).

    The 3 n outputs give first the shares m_i, then the times s_i in days, then the exponents d_i.
    """
    curves = len(outputs) // 3
    shares = outputs[:curves]
    times = outputs[curves : 2 * curves]
    exponents = outputs[2 * curves :]
    max_share = reduce(np.maximum, shares)
    weights = [np.exp(share - max_share) for share in shares]
    values = [
        (1 + elapsed / (1e-7 + _bounded_exp(time))) ** -_bounded_exp(exponent)
        for time, exponent in zip(times, exponents)
    ]
    return (1 - 1e-7) * sum((m * value for m, value in zip(weights, values)), 0.0) / sum(weights, 0.0)


def _bounded_exp(x: Array) -> Array:
    """Return e^x without overflow."""
    return np.exp(np.clip(x, -MAX_EXPONENT, MAX_EXPONENT))


class Network(Encoder):
    """A network whose last layer is trained on the outputs of its frozen body."""

    family = "Neural"
    weights: ClassVar[Weights]  #: the pretrained weights of all layers

    def body(self, w: Dict[str, Array], trie: Trie) -> Array:
        """Return the features of each node's history (nodes, K), given the weights of all layers."""
        raise NotImplementedError

    def encode(self, trie: Trie) -> Floats:
        features: Floats = self.body(self.weights, trie)
        return features[trie.query_node]


class ExactTimeNetwork(Network):
    """A network whose features are the activations below its three heads, which form a :func:`mixture`."""

    inputs = FRACTIONAL_DAYS

    def curve(self, outputs: Tuple[Array, ...], elapsed: Array) -> Array:
        return mixture(outputs, elapsed)

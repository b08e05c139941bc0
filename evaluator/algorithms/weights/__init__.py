"""Pretrained weights of the networks, from JSON files that ``python3 tools pretrain`` writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Dict, Tuple

import numpy as np

from ...derivatives import Floats
from ..algorithm import Parameter

FOLDER = Path(__file__).resolve().parent

#: Largest absolute value of a trained weight.
BOUND = 30.0

Weights = Dict[str, Floats]


def load(name: str) -> Weights:
    """Return the tensors in the file of a network, by name."""
    stored = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["tensors"]
    return {key: np.array(values, dtype=np.float64) for key, values in stored.items()}


def last_layer(weights: Weights, width: float) -> Tuple[Parameter, ...]:
    """Return the trainable parameters of the last layer of a network, see :func:`parameters`."""
    return parameters({key: weights[key] for key in ("fc.weight", "fc.bias")}, width)


def flatten(weights: Weights) -> Floats:
    """Return all numbers of the tensors as one array."""
    return np.concatenate([tensor.ravel() for tensor in weights.values()])


def parameters(weights: Weights, width: float) -> Tuple[Parameter, ...]:
    """Return a trainable parameter for each weight, with a prior of this width around its pretrained value."""
    return tuple(Parameter(float(value), -BOUND, BOUND, width) for value in flatten(weights))

"""Starting weights of the networks, in JSON files that ``python3 tools pretrain`` writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Dict, Tuple

import numpy as np

from ...derivatives import Floats
from ..algorithm import Parameter

FOLDER = Path(__file__).resolve().parent

#: Bound of the absolute value of a weight.
BOUND = 30.0

Weights = Dict[str, Floats]


def load(name: str) -> Weights:
    """Return the tensors of the file of this name."""
    stored = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["tensors"]
    return {key: np.array(values, dtype=np.float64) for key, values in stored.items()}


def flat(weights: Weights) -> Floats:
    """Return all numbers of these tensors in one list."""
    return np.concatenate([tensor.ravel() for tensor in weights.values()])


def parameters(weights: Weights, width: float) -> Tuple[Parameter, ...]:
    """Return a trainable parameter for each number, with a prior around the pretrained value."""
    return tuple(Parameter(float(value), -BOUND, BOUND, width) for value in flat(weights))

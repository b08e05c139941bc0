"""Starting weights of the networks: small JSON files that ``python3 tools pretrain`` makes from simulated learners."""

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

Shapes = Dict[str, Tuple[int, ...]]
Weights = Dict[str, Floats]


def load(name: str, shapes: Shapes) -> Weights:
    """Return the tensors of the file ``name``, in the order of ``shapes``.

    Raises:
        ValueError: the file's tensors have other names or shapes.
    """
    stored = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["tensors"]
    result = {key: np.array(values, dtype=np.float64) for key, values in stored.items()}
    if {key: tensor.shape for key, tensor in result.items()} != shapes:
        raise ValueError(f"{name}.json holds tensors of other names or shapes")
    return {key: result[key] for key in shapes}


def flat(weights: Weights) -> Floats:
    """Return all numbers of these tensors, one after the other."""
    return np.concatenate([tensor.ravel() for tensor in weights.values()])


def unflat(values: Floats, shapes: Shapes) -> Weights:
    """Return the tensors of these shapes whose numbers, one after the other, are ``values``."""
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
    parts = np.split(np.asarray(values, dtype=np.float64), ends[:-1])
    return {key: part.reshape(shape) for (key, shape), part in zip(shapes.items(), parts)}


def parameters(weights: Weights, width: float) -> Tuple[Parameter, ...]:
    """Return one trainable parameter for each number, with a prior around the pretrained value."""
    return tuple(Parameter(float(value), -BOUND, BOUND, width) for value in flat(weights))

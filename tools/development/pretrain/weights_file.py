"""Write weights in the file format that the add-on reads."""

from __future__ import annotations

import json
from pathlib import Path

from evaluator.algorithms.weights import Weights
from ui.files import write_whole

DIGITS = 6  #: significant ones


def write_weights(path: Path, weights: Weights, made: dict[str, object]) -> None:
    """Write the weights, rounded; ``made`` says how they were made."""
    tensors = {name: _rounded(tensor.tolist()) for name, tensor in weights.items()}
    text = json.dumps({"made": made, "tensors": tensors}, separators=(",", ":"))
    write_whole(path, text.replace('],"', '],\n"') + "\n")


def _rounded(values: object) -> object:
    if isinstance(values, list):
        return [_rounded(value) for value in values]
    return float(f"{values:.{DIGITS}g}")

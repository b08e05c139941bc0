"""``python3 tools pretrain``: train the starting weights of the networks with simulated learners."""

from __future__ import annotations

import json
import os
from concurrent.futures import as_completed
from pathlib import Path

from evaluator.algorithms.weights import FOLDER, Weights
from tools.development.pretrain.plans import LEARNERS, LEARNERS_PER_BATCH, PLANS
from tools.development.pretrain.simulated_people import batches, population
from tools.output.output_files import write_text_file
from tools.output.streams import show
from tools.processes import processes

#: Seed of the learners and of the training.
SEED = 1
PROCESSES = 2
#: Number of significant digits of the weights.
DIGITS = 6


def main(_arguments: list[str]) -> int:
    """Pretrain all networks, and return the exit code."""
    # The processes read this variable. With one thread, numbers are always summed in the same order.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with processes(PROCESSES) as pool:
        tasks = [pool.submit(pretrain, name) for name in PLANS]
        for task in as_completed(tasks):
            show(f"Written: {task.result()}\n")
    return 0


def pretrain(name: str) -> Path:
    """Pretrain one network, write its file, and return its path."""
    plan = PLANS[name]
    tables = list(batches(*population(SEED, LEARNERS), LEARNERS // LEARNERS_PER_BATCH, SEED))

    def report(epoch: int, loss: float) -> None:
        show(f"{name}: epoch {epoch + 1} of {plan.epochs}, log loss {loss:.4f}\n")

    weights = plan.run(SEED, tables, report)
    origin = {"by": "python3 tools pretrain", "seed": SEED, "learners": LEARNERS, "epochs": plan.epochs}
    path = FOLDER / f"{name}.json"
    write_weights(path, weights, origin)
    return path


def write_weights(path: Path, weights: Weights, origin: dict[str, object]) -> None:
    """Write the rounded weights, and how they were trained."""
    tensors = {name: _round_all(tensor.tolist()) for name, tensor in weights.items()}
    text = json.dumps({"made": origin, "tensors": tensors}, separators=(",", ":"))
    write_text_file(path, text.replace('],"', '],\n"') + "\n")


def _round_all(values: object) -> object:
    if isinstance(values, list):
        return [_round_all(value) for value in values]
    return float(f"{values:.{DIGITS}g}")

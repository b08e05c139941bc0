"""``python3 tools pretrain``: make the starting weights of the networks, from simulated learners."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import as_completed
from dataclasses import replace
from pathlib import Path

from evaluator.algorithms.weights import FOLDER, Weights
from tools import parsers
from tools.benchmark.executors import processes
from tools.development.pretrain.plans import LEARNERS, LEARNERS_PER_BATCH, PLANS
from tools.development.pretrain.population import batches, population
from tools.output.streams import show
from ui.files import write_text_file

SEED = 1  #: seed of the learners
PROCESSES = 2


def main(arguments: list[str]) -> int:
    """Pretrain the networks that the arguments name, and return the exit code."""
    options = parsers.pretrain().parse_args(arguments)
    names = [name for name in PLANS if options.only is None or name in options.only]
    folder = options.output or FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for threads in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ[threads] = "1"  # read by the processes below; also keeps the order of sums the same
    with processes(PROCESSES) as pool:
        tasks = [pool.submit(make, name, options.seed, folder, options.share) for name in names]
        for task in as_completed(tasks):
            show(f"{task.result()}\n")
    return 0


def make(name: str, seed: int, folder: Path, share: float) -> str:
    """Pretrain one network, write its file, and return a sentence on it."""
    began = time.monotonic()
    learners = max(LEARNERS_PER_BATCH, int(LEARNERS * share))
    epochs = max(1, int(PLANS[name].epochs * share))
    tables = list(batches(*population(SEED, learners), learners // LEARNERS_PER_BATCH, seed))
    losses: list[float] = []

    def report(epoch: int, loss: float) -> None:
        losses.append(loss)
        show(f"{name}: epoch {epoch + 1} of {epochs}, log loss {loss:.4f}\n")

    result = replace(PLANS[name], epochs=epochs).run(seed, tables, report)
    made = {"by": "python3 tools pretrain", "seed": seed, "learners": learners, "epochs": epochs}
    path = folder / f"{name}.json"
    write_weights(path, result, made)
    return f"{path}: log loss {losses[-1]:.4f} after {time.monotonic() - began:.0f} s"


DIGITS = 6  #: significant ones


def write_weights(path: Path, weights: Weights, made: dict[str, object]) -> None:
    """Write the rounded weights, and how they were ``made``."""
    tensors = {name: _rounded(tensor.tolist()) for name, tensor in weights.items()}
    text = json.dumps({"made": made, "tensors": tensors}, separators=(",", ":"))
    write_text_file(path, text.replace('],"', '],\n"') + "\n")


def _rounded(values: object) -> object:
    if isinstance(values, list):
        return [_rounded(value) for value in values]
    return float(f"{values:.{DIGITS}g}")

"""``python3 tools pretrain``: make the starting weights of the networks, from simulated learners."""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import as_completed
from dataclasses import replace
from pathlib import Path

from evaluator.algorithms.weights import FOLDER
from tools.arguments import Parser
from tools.benchmark.executors import processes
from tools.pretrain.plans import LEARNERS, LEARNERS_PER_BATCH, PLANS
from tools.pretrain.population import batches, population
from tools.pretrain.weights_file import write_weights

SEED = 1
PROCESSES = 2


def main(arguments: list[str]) -> int:
    """Pretrain the networks that the arguments name; return the exit code."""
    options = _parser().parse_args(arguments)
    names = [name for name in PLANS if options.only is None or name in options.only]
    options.output.mkdir(parents=True, exist_ok=True)
    for threads in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ[threads] = "1"  # read by the processes below; also keeps the order of sums the same
    with processes(PROCESSES) as crew:
        tasks = [crew.submit(make, name, options.seed, options.output, options.share) for name in names]
        for task in as_completed(tasks):
            print(task.result(), flush=True)
    return 0


def make(name: str, seed: int, folder: Path, share: float) -> str:
    """Pretrain one network and write its file; return a sentence on it."""
    began = time.monotonic()
    learners = max(LEARNERS_PER_BATCH, int(LEARNERS * share))
    epochs = max(1, int(PLANS[name].epochs * share))
    tables = list(batches(*population(SEED, learners), learners // LEARNERS_PER_BATCH, seed))
    losses: list[float] = []

    def report(epoch: int, loss: float) -> None:
        losses.append(loss)
        print(f"{name}: epoch {epoch + 1} of {epochs}, log loss {loss:.4f}", flush=True)

    found = replace(PLANS[name], epochs=epochs).run(seed, tables, report)
    made = {"by": "python3 tools pretrain", "seed": seed, "learners": learners, "epochs": epochs}
    path = folder / f"{name}.json"
    write_weights(path, found, made)
    return f"{path}: log loss {losses[-1]:.4f} after {time.monotonic() - began:.0f} s"


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python3 tools pretrain",
        description="Make the starting weights of the networks, from simulated learners; takes a quarter of an hour.",
    )
    parser.add_argument("--seed", type=int, default=SEED, help="of the training (default: %(default)s)")
    parser.add_argument("--only", nargs="+", choices=list(PLANS), metavar="NAME", help=f"of {', '.join(PLANS)}")
    parser.add_argument("--output", type=Path, default=FOLDER, help="the folder to write to (default: where they ship)")
    parser.add_argument(
        "--share", type=float, default=1.0, help="of the learners and epochs: below 1 for a quick trial"
    )
    return parser

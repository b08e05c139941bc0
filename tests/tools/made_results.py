"""Simulated results of benchmarks, ours and the original ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tools.benchmark.results_format import METRICS
from tools.summarize.joined_results import BenchmarkResults, join
from tools.summarize.result_lines import parse

Tree = dict[str, Any]


def line(collection: str, algorithm: str, log_loss: float, *, reviews: int = 100, **more: Any) -> Tree:
    """Return a line of `benchmark`, whose other metrics follow from the log loss."""
    metrics = dict.fromkeys(METRICS, log_loss / 7)
    metrics |= {"log_loss": log_loss, "rmse_bins": log_loss / 5, "rmse_bins_benchmark": log_loss / 6, "auc": 0.7}
    metrics |= more.pop("metrics", {})
    about = {"parameters": 21, "inputs": ["intervals", "ratings"], "in_sample": False, "version": "1", "options": {}}
    return {"collection": collection, "algorithm": algorithm, "reviews": reviews, "metrics": metrics, **about, **more}


def original_line(number: int, log_loss: float, *, size: int = 100, **more: Any) -> Tree:
    """Return a line of the original benchmark's results."""
    metrics = {"RMSE": 0.3, "LogLoss": log_loss, "RMSE(bins)": log_loss / 6, "ICI": 0.01, "AUC": 0.7}
    return {"metrics": metrics, "user": number, "size": size, **more}


def write_lines(path: Path, trees: Iterable[Mapping[str, Any]]) -> Path:
    """Write results as JSON lines, and return the path."""
    path.write_text("".join(json.dumps(tree) + "\n" for tree in trees), encoding="utf-8")
    return path


def lines_of_better_and_worse() -> list[Tree]:
    """Return lines of X and Y. By log loss and RMSE (bins), X is better on each of 30 collections, by AUC on none."""
    return [line(str(n), name, 0.3 + step * (n + 1)) for name, step in (("X", 0), ("Y", 0.01)) for n in range(30)]


def simulated_lines(algorithms: Sequence[str], collections: int) -> list[Tree]:
    """Return lines in which each algorithm is a little worse than the last, while people differ much more."""
    random = np.random.default_rng(1)
    people = np.exp(random.normal(-1.1, 0.3, collections))
    reviews = np.exp(random.normal(7, 1.2, collections)).astype(int) + 30
    return [
        line(f"{person}.anki2", name, loss * (1 + 0.01 * rank) + noise, reviews=int(count))
        for rank, name in enumerate(algorithms)
        for person, (loss, count, noise) in enumerate(
            zip(people.tolist(), reviews, random.normal(0, 0.01, collections).tolist(), strict=True)
        )
    ]


def joined(trees: Iterable[Mapping[str, Any]]) -> BenchmarkResults:
    return join(parse(tree, "") for tree in trees)

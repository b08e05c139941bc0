"""The simulated logs of ``tests/data``, with the results of the public SRS Benchmark's own code for them."""

from __future__ import annotations

import csv
import functools
import gzip
import json
from pathlib import Path
from typing import Any, Dict, List

import numpy as np

from evaluator.data.dataset import Dataset
from evaluator.data.revlog import REVLOG_COLUMNS, Clock, Revlog, Snapshot
from evaluator.evaluation import evaluate, prepare
from evaluator.options import Options
from evaluator.scoring.report_builder import Evaluation

DATA = Path(__file__).resolve().parent.parent / "data"
SETS = ("sim-a", "sim-b", "sim-c")
SETS_WITH_PREDICTIONS = ("sim-a", "sim-c")


def read_table(path: Path) -> Dict[str, List[str]]:
    """Read a compressed CSV file as one list per column."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))


@functools.cache
def reference(name: str) -> Dict[str, Any]:
    """Return the results of the benchmark for the log."""
    return json.loads((DATA / name / "reference.json").read_text(encoding="utf-8"))


@functools.cache
def snapshot(name: str) -> Snapshot:
    columns = read_table(DATA / name / "revlog.csv.gz")
    log = Revlog(*(np.array(columns[column], dtype=np.int64) for column in REVLOG_COLUMNS))
    return Snapshot(log, Clock(reference(name)["next_day_at"]))


@functools.cache
def data(name: str) -> Dataset:
    """Return the prepared reviews of the log in five folds."""
    return prepare(snapshot(name), Options())[0]


#: Algorithms that need nothing but a review log.
USUAL = ("AVG", "SM-2", "FSRS-5 default", "FSRS-5", "FSRS-6 default", "FSRS-6", "FSRS-6 recency")


@functools.cache
def evaluation(name: str) -> Evaluation:
    """Evaluate the usual algorithms on the log."""
    return evaluate(snapshot(name), Options(algorithms=USUAL))


@functools.cache
def reference_predictions(name: str) -> Dict[str, Any]:
    """Return the benchmark's predictions of the untrained algorithms, one array per column."""
    return _read_numbers(DATA / name / "predictions.csv.gz")


def reference_states_of_fsrs_7(name: str) -> Dict[str, Any]:
    """Return the benchmark's predictions of FSRS-7 default with the states, one array per column."""
    return _read_numbers(DATA / name / "predictions-fsrs-7-default.csv.gz")


def _read_numbers(path: Path) -> Dict[str, Any]:
    return {column: np.array(values, dtype=float) for column, values in read_table(path).items()}

"""The simulated logs of ``tests/data`` and what the public SRS Benchmark's own code makes of them."""

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


def _table(path: Path) -> Dict[str, List[str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))


@functools.cache
def reference(name: str) -> Dict[str, Any]:
    result: Dict[str, Any] = json.loads((DATA / name / "reference.json").read_text(encoding="utf-8"))
    return result


@functools.cache
def snapshot(name: str) -> Snapshot:
    columns = _table(DATA / name / "revlog.csv.gz")
    log = Revlog(*(np.array(columns[column], dtype=np.int64) for column in REVLOG_COLUMNS))
    return Snapshot(log, Clock(reference(name)["next_day_at"]))


@functools.cache
def data(name: str) -> Dataset:
    """The table, folds and tries of the log."""
    return prepare(snapshot(name), Options())[0]


#: Those that need nothing but a review log.
USUAL = ("AVG", "SM-2", "FSRS-5 default", "FSRS-5", "FSRS-6 default", "FSRS-6", "FSRS-6 recency")


@functools.cache
def evaluation(name: str) -> Evaluation:
    """Our evaluation with the usual algorithms."""
    return evaluate(snapshot(name), Options(algorithms=USUAL))


@functools.cache
def reference_predictions(name: str) -> Dict[str, Any]:
    """The benchmark's predictions of the untrained algorithms, one array per column."""
    return _numbers(DATA / name / "predictions.csv.gz")


def reference_states_of_fsrs_7(name: str) -> Dict[str, Any]:
    """The benchmark's predictions of FSRS-7 default and the states behind them, one array per column."""
    return _numbers(DATA / name / "predictions-fsrs-7-default.csv.gz")


def _numbers(path: Path) -> Dict[str, Any]:
    return {column: np.array(values, dtype=float) for column, values in _table(path).items()}

"""The task of a benchmark, which evaluates one collection in any process on any machine."""

from __future__ import annotations

import functools
import os
import platform
from dataclasses import dataclass, replace
from typing import Any

from evaluator import __version__
from evaluator.data.revlog import Revlog
from evaluator.errors import EvaluatorError
from evaluator.evaluation import evaluate
from evaluator.options import Options
from tools.benchmark import results_format
from tools.benchmark.collections import Collection
from tools.benchmark.prediction_folders import read_predictions
from tools.environment import MachineNotReady
from tools.sources.predictions import PredictionsFile
from ui.anki.optimizer import benchmark_trainer
from ui.text.error_sentences import error_sentence


@dataclass(frozen=True)
class Task:
    """A collection to evaluate, with the algorithms that have no result for it."""

    collection: Collection
    #: The options, with the algorithms to run.
    options: Options
    external: tuple[PredictionsFile, ...] = ()
    #: Names of the algorithms whose results are missing. Others run only because these are compared with them.
    missing: tuple[str, ...] = ()
    #: Version of the main process.
    version: str = __version__

    @property
    def about(self) -> dict[str, Any]:
        """Keys and values that all lines of the collection share."""
        return {
            "collection": self.collection.name,
            "version": self.version,
            "options": results_format.settings(self.options, self.collection.next_day_at),
        }


#: Function that returns Anki's optimizer. Each process creates only one, because each occupies memory for good.
cached_optimizer = functools.cache(benchmark_trainer)

#: The lines of results of a task.
TaskResult = tuple[results_format.Line, ...]


def evaluate_collection(task: Task) -> TaskResult:
    """Read and evaluate a collection. An error of the collection becomes a line of the results.

    Raises:
        MachineNotReady: if this machine cannot evaluate any collection.
    """
    _check_machine(task)
    try:
        snapshot = task.collection.read()
        options, failure_lines = _with_external(task, snapshot.revlog)
        evaluation = evaluate(snapshot, options, optimizer=cached_optimizer())
    except EvaluatorError as error:
        # Results must not depend on the folder's location.
        if "path" in error.facts:
            error.facts["path"] = os.path.relpath(error.facts["path"], task.collection.source)
        return failure_result(task, error_sentence(error))
    except MemoryError:
        return failure_result(task, "Not enough memory.")
    except MachineNotReady:
        raise
    except Exception as error:  # noqa: BLE001 - one collection in ten thousand must not end the work of a night
        reason = isinstance(error, OSError) and error.strerror
        return failure_result(
            task, f"{task.collection.name} cannot be read: {reason}." if reason else results_format.MISTAKE
        )
    all_lines = (*results_format.report_lines(evaluation.report, task.about), *failure_lines)
    return tuple(line for line in all_lines if line["algorithm"] in task.missing)


def _with_external(task: Task, revlog: Revlog) -> tuple[Options, list[results_format.Line]]:
    """Return the options with the external predictions, and a line for each folder that cannot be used."""
    external = []
    failure_lines = []
    for folder in task.external:
        try:
            external.append(read_predictions(folder, task.collection.name, revlog))
        except EvaluatorError as error:
            failure_lines.append(results_format.failure_line(task.about, folder.name, error_sentence(error)))
    # Each row has the log loss anyway.
    metrics = tuple(key for key in results_format.METRICS if key != "log_loss")
    return replace(task.options, external=tuple(external), metrics=metrics), failure_lines


def failure_result(task: Task, reason: str) -> TaskResult:
    """Return the result for a collection that could not be evaluated."""
    return (results_format.failure_line(task.about, None, reason),)


def _check_machine(task: Task) -> None:
    """Raise MachineNotReady if this machine has another version of the program, or lacks a folder."""
    if task.version != __version__:
        raise MachineNotReady(
            f"{platform.node()} runs SRS Evaluator {__version__}, but this run uses {task.version}. "
            "Use the same version everywhere."
        )
    for folder in (task.collection.source, *(item.path for item in task.external)):
        if not folder.is_dir():
            raise MachineNotReady(f"{platform.node()} has no folder {folder}. All machines must see it there.")


def create_task(
    collection: Collection, options: Options, missing: tuple[str, ...], external: tuple[PredictionsFile, ...]
) -> Task:
    """Return the task that computes the missing results of a collection.

    It runs only the algorithms without a result. If predictions from a file are among the missing results, it runs all
    algorithms to compare them with these.
    """
    needs_all = any(name in missing for name in (*collection.recorded, *(folder.name for folder in external)))
    return Task(collection, options if needs_all else replace(options, algorithms=missing), external, missing)

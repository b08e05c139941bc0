"""One piece of work: a collection and some algorithms, in any process on any machine."""

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
from tools.benchmark import lines
from tools.benchmark.collections import Collection
from tools.benchmark.predictions import PredictionsFolder
from tools.environment import MachineNotReady
from ui.anki.optimizer import anki_optimizer
from ui.text.errors import error_sentence


@dataclass(frozen=True)
class Task:
    """A piece of work: one collection, and the algorithms it lacks."""

    collection: Collection
    options: Options  #: options, with only the algorithms that are still missing
    external: tuple[PredictionsFolder, ...] = ()
    missing: tuple[str, ...] = ()  #: the rows that are missing; others are evaluated only to be compared with
    version: str = __version__  #: version of the main process

    @property
    def about(self) -> dict[str, Any]:
        """The keys with which each line of the collection begins."""
        return {
            "collection": self.collection.name,
            "version": self.version,
            "options": lines.settings(self.options, self.collection.next_day_at),
        }


#: Returns Anki's optimizer, one per process: each leaves memory behind in Anki's backend.
ANKI_OPTIMIZER = functools.cache(anki_optimizer)

#: The result of a task.
Done = tuple[lines.Line, ...]


def evaluate_collection(task: Task) -> Done:
    """Read and evaluate a collection. Its errors become a line of the results.

    Raises:
        MachineNotReady: nothing is wrong with the collection, but this machine cannot evaluate any.
    """
    _check_machine(task)
    try:
        snapshot = task.collection.read()
        options, unusable = _with_external(task, snapshot.revlog)
        evaluation = evaluate(snapshot, options, optimizer=ANKI_OPTIMIZER())
    except EvaluatorError as error:
        return failed(task, error_sentence(_shown_from_source(error, task)))
    except MemoryError:
        return failed(task, "Not enough memory.")
    except MachineNotReady:
        raise
    except Exception as error:  # noqa: BLE001 - one collection in ten thousand must not end the work of a night
        return failed(task, f"{type(error).__name__}: {_without_path(error)}")
    all_lines = (*lines.of_report(evaluation.report, task.about), *unusable)
    return tuple(line for line in all_lines if line["algorithm"] in task.missing)


def _with_external(task: Task, revlog: Revlog) -> tuple[Options, list[lines.Line]]:
    """Return the options with external predictions added, and a line for each that cannot be used."""
    external, unusable = [], []
    for folder in task.external:
        try:
            external.append(folder.read(task.collection.name, revlog))
        except EvaluatorError as error:
            unusable.append(lines.failure(task.about, folder.name, error_sentence(error)))
    requested = tuple(key for key in lines.METRICS if key != "log_loss")  # which each row has anyway
    return replace(task.options, external=tuple(external), metrics=requested), unusable


def failed(task: Task, reason: str) -> Done:
    """Return the result for a collection that could not be evaluated."""
    return (lines.failure(task.about, None, reason),)


def _check_machine(task: Task) -> None:
    if task.version != __version__:
        raise MachineNotReady(
            f"{platform.node()} runs SRS Evaluator {__version__}, but this run uses {task.version}. "
            "Use the same version everywhere."
        )
    for folder in (task.collection.source, *(item.folder for item in task.external)):
        if not folder.is_dir():
            raise MachineNotReady(f"{platform.node()} has no folder {folder}. All machines must see it there.")


def _shown_from_source(error: EvaluatorError, task: Task) -> EvaluatorError:
    """Return the error, with its path relative to the source, so that results do not depend on its location."""
    if "path" in error.facts:
        error.facts["path"] = os.path.relpath(error.facts["path"], task.collection.source)
    return error


def _without_path(error: Exception) -> str:
    """Return the error's message, without the path on this machine."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def task_for(
    collection: Collection, options: Options, missing: tuple[str, ...], external: tuple[PredictionsFolder, ...] = ()
) -> Task:
    """Return the task for a collection: the rows that are missing.

    If external predictions are new, or those in the collection, all algorithms are evaluated, to be
    compared with them.
    """
    new = any(name in missing for name in (*collection.recorded, *(folder.name for folder in external)))
    return Task(collection, options if new else replace(options, algorithms=missing), external, missing)

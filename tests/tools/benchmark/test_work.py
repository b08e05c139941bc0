"""One piece of work: on a machine that lacks something, and on one that has other work."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from evaluator.options import Options
from tools.benchmark import work
from tools.benchmark.collections import Collection
from tools.benchmark.predictions import PredictionsFolder
from tools.benchmark.work import Task, evaluate_collection
from tools.environment import MachineNotReady


def test_a_machine_without_the_predictions_is_no_fault_of_the_collection(tmp_path: Path) -> None:
    external = PredictionsFolder("Mine", tmp_path / "mine")
    with pytest.raises(MachineNotReady, match=f"has no folder {tmp_path / 'mine'}. All machines must see it there"):
        evaluate_collection(Task(Collection(tmp_path, "a.csv", 1), Options(), (external,)))


def test_a_failure_does_not_say_where_the_machine_has_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Collection) -> None:
        raise PermissionError(13, "Permission denied", str(self.path))

    monkeypatch.setattr(Collection, "read", refuse)
    (line,) = evaluate_collection(Task(Collection(tmp_path, "a.csv", 1), Options())).lines
    assert line["error"] == "PermissionError: Permission denied"


def test_it_takes_one_processor(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others have collections of their own to work on: Anki's optimiser is asked when all else is done."""
    seen = []

    def optimiser(_items: object) -> tuple[float, ...]:
        new = [thread.name for thread in threading.enumerate() if thread not in before]
        seen.append((fitted.is_set(), new))
        return ()

    def noting(*given: Any, **options: Any) -> object:
        return evaluate(*given, **options, finished=lambda _: fitted.set())

    before, fitted, evaluate = threading.enumerate(), threading.Event(), work.evaluate
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    monkeypatch.setattr(work, "evaluate", noting)
    monkeypatch.setattr(work, "_optimiser", lambda: optimiser)
    collection = Collection(files.collection.parent, files.collection.name, 1)
    options = Options(algorithms=("FSRS-6", "FSRS-rs"))
    done = evaluate_collection(Task(collection, options, wanted=("FSRS-6", "FSRS-rs")))
    assert [line.get("error") for line in done.lines] == [None, None]
    assert seen == [(True, ["optimiser"])] * options.folds

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.options import Options
from tools.benchmark.collections import Collection
from tools.benchmark.predictions import PredictionsFolder
from tools.benchmark.work import Task, evaluate_collection
from tools.environment import MachineNotReady


def test_missing_predictions_do_not_fail_the_collection(tmp_path: Path) -> None:
    external = PredictionsFolder("Mine", tmp_path / "mine")
    with pytest.raises(MachineNotReady, match=f"has no folder {tmp_path / 'mine'}. All machines must see it there"):
        evaluate_collection(Task(Collection(tmp_path, "a.csv", 1), Options(), (external,)))


def test_failure_hides_the_path_on_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Collection) -> None:
        raise PermissionError(13, "Permission denied", str(self.path))

    monkeypatch.setattr(Collection, "read", refuse)
    (line,) = evaluate_collection(Task(Collection(tmp_path, "a.csv", 1), Options()))
    assert line["error"] == "PermissionError: Permission denied"

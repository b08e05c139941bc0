"""The demo leaves everything it says it leaves."""

from __future__ import annotations

import json

from evaluator.options import Options
from tools import demo
from tools.simulate import Learner


def test_the_demo_writes_what_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(demo, "FOLDER", tmp_path / "demo")
    monkeypatch.setattr(demo, "Learner", lambda: Learner(days=80))
    monkeypatch.setattr(demo, "Options", lambda: Options(algorithms=("AVG", "SM-2", "FSRS-6 default")))
    for _ in range(2):  # again, over the first one's files
        assert demo.main([]) == 0
    printed = capsys.readouterr().out
    folder = tmp_path / "demo"
    assert json.loads((folder / "report.json").read_text())["version"]
    assert (folder / "report.html").read_text().startswith("<!DOCTYPE html>")
    assert (folder / "predictions.csv").read_text().startswith("review_id,")
    graphs = list((folder / "charts").glob("*.png"))
    assert graphs
    assert f"{folder / 'charts'}: {len(graphs)} graphs\n" in printed
    for path in folder.rglob("*.*"):
        if path.is_file() and path not in graphs:
            assert path.name in printed

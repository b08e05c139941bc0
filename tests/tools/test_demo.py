"""The demo leaves everything it says it leaves."""

from __future__ import annotations

import json

from evaluator.options import Options
from tools import demo
from tools.simulate import Learner


def test_the_demo_writes_what_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(demo, "FOLDER", tmp_path / "demo")
    monkeypatch.setattr(demo, "Learner", lambda: Learner(days=80))
    monkeypatch.setattr(demo, "Options", lambda: Options(algorithms=("AVG", "SM-2")))
    there = []

    def rendered(report, stream):
        there.append({path.name for path in tmp_path.rglob("*") if path.is_file()})
        assert report.section("graphs") == ()
        return "the table\n"

    monkeypatch.setattr(demo, "render", rendered)
    for _ in range(2):  # again, over the first one's files
        assert demo.main([]) == 0
    assert there[0] == {"collection.anki2"}, "the table comes before anything is written"
    printed, said = capsys.readouterr()
    assert printed.index("the table") < printed.index("Written:")
    folder = tmp_path / "demo"
    assert all(line.endswith(" ...") for line in said.splitlines()), "no terminal, no bar"
    assert len(set(said.splitlines())) == len(said.splitlines()) / 2 == 4
    assert json.loads((folder / "report.json").read_text())["version"]
    page = (folder / "report.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert f"<p>{demo.SIMULATED}</p>" in page
    assert demo.SIMULATED in printed
    assert (folder / "predictions.csv").read_text().startswith("review_id,")
    graphs = list((folder / "charts").glob("*.png"))
    assert graphs
    assert f"{folder / 'charts'}: {len(graphs)} graphs\n" in printed
    for path in folder.rglob("*.*"):
        if path.is_file() and path not in graphs:
            assert path.name in printed

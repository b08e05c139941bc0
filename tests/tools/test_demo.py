"""The demo leaves everything it says it leaves."""

from __future__ import annotations

import json

import pytest

from evaluator.options import Options
from tools import demo
from tools.simulate import Learner


def test_the_demo_writes_what_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(demo, "FOLDER", tmp_path / "demo")
    monkeypatch.setattr(demo, "Learner", lambda: Learner(days=80))
    monkeypatch.setattr(demo, "Options", lambda: Options(algorithms=("AVG", "SM-2", "FSRS-6 default")))
    for _ in range(2):  # again, over the first one's files
        assert demo.main([]) == 0
    printed, said = capsys.readouterr()
    folder = tmp_path / "demo"
    assert all(line.endswith(" ...") for line in said.splitlines()), "no terminal, no bar"
    assert len(set(said.splitlines())) == len(said.splitlines()) / 2 == 7
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


def test_the_table_comes_before_anything_is_written(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(demo, "FOLDER", tmp_path / "demo")
    monkeypatch.setattr(demo, "Learner", lambda: Learner(days=80))
    monkeypatch.setattr(demo, "Options", lambda: Options(algorithms=("AVG", "SM-2")))
    there = []

    def rendered(report, stream):
        there.extend(path.name for path in tmp_path.rglob("*") if path.suffix in {".anki2", ".json", ".csv", ".html"})
        assert report.section("graphs") == ()
        return "the table"

    monkeypatch.setattr(demo, "render", rendered)
    assert demo.main([]) == 0
    assert there == ["collection.anki2"]
    printed = capsys.readouterr().out
    assert printed.index("the table") < printed.index("Written:")


def test_nothing_of_a_person_is_lost(tmp_path, monkeypatch, capsys):
    """What lies in the folder that the demo has not made, and an earlier demo where a new one is interrupted."""
    monkeypatch.setattr(demo, "FOLDER", tmp_path / "demo")
    mine = tmp_path / "demo" / "mine.anki2"
    mine.parent.mkdir()
    mine.write_text("mine")
    assert demo.main([]) == 2
    assert "what the demo has not made: mine.anki2. Move it first." in capsys.readouterr().err
    assert mine.read_text() == "mine"
    copy = mine.rename(mine.with_name("collection.anki2.backup"))
    assert demo.main([]) == 2
    assert copy.read_text() == "mine"
    earlier = copy.rename(mine.with_name("report.json"))

    def interrupt(learner):
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "simulate", interrupt)
    with pytest.raises(KeyboardInterrupt):
        demo.main([])
    assert earlier.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["demo"]

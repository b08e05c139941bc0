from __future__ import annotations

import json
import shlex
import sys
import time

import pytest
from anki.collection import Collection

from evaluator.options import Options
from tools import demo, sources
from tools.simulate import Learner


@pytest.fixture
def kathmandu(monkeypatch):
    """Set the time zone to Nepal's, which is 345 minutes ahead of UTC."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Kathmandu")
        time.tzset()
        time.sleep(1.5)  # Anki's backend notices a change once a second
        yield
    time.tzset()


def test_anki_counts_the_days_of_the_demo_as_the_terminal_does(tmp_path, monkeypatch, kathmandu):
    written = []
    monkeypatch.setattr(demo, "FOLDER", tmp_path)
    monkeypatch.setattr(demo, "Learner", lambda **where: Learner(days=20, **where))
    monkeypatch.setattr(demo, "evaluate_file", lambda path, *_args, **_more: written.append(path) or sys.exit())
    with pytest.raises(SystemExit):
        demo.main([])
    (path,) = written
    before = sources.read(path).clock
    col = Collection(str(path))
    assert col.sched.day_cutoff, "Anki stores the machine's offset"
    col.close()
    assert (sources.read(path).clock, before.utc_offset_minutes) == (before, 345)


def test_demo_writes_the_listed_files(tmp_path, monkeypatch, capsys, few_graphs):
    folder = tmp_path / "a demo's"
    monkeypatch.setattr(demo, "FOLDER", folder)
    monkeypatch.setattr(demo, "Learner", lambda **where: Learner(days=80, **where))
    monkeypatch.setattr(demo, "Options", lambda: Options(algorithms=("FSRS-6 default", "SM-2")))
    old_files = {folder / name: b"of an earlier run" for name in ("report.json", "predictions.csv", "report.html")}
    folder.mkdir()
    for path, text in old_files.items():
        path.write_bytes(text)
    (folder / "collection.anki2").write_bytes(b"SQLite format 3\0")

    def rendered(report, stream):
        assert {path: path.read_bytes() for path in old_files} == old_files, "the table comes before any file"
        assert not (folder / "charts").exists()
        assert report.section("graphs") == ()
        return "the table\n"

    monkeypatch.setattr(demo, "render", rendered)
    assert demo.main([]) == 0
    printed, errors = capsys.readouterr()
    assert printed.index("the table") < printed.index("Written:")
    assert all(line.endswith(" ...") for line in errors.splitlines()), "without a terminal, there is no bar"
    assert len(set(errors.splitlines())) == len(errors.splitlines()) == 4
    assert json.loads((folder / "report.json").read_text())["version"]
    page = (folder / "report.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert f"<p>{demo.SIMULATED}</p>" in page
    assert demo.SIMULATED in printed
    assert (folder / "predictions.csv").read_text().startswith("review_id,")
    command = shlex.split(printed.rpartition("To see the table again: ")[2])
    assert command == ["python3", "tools", "evaluate", str(folder / "collection.anki2")]
    graphs = list((folder / "charts").glob("*.png"))
    assert "calibration-fsrs-6-default-vs-sm-2.png" in {path.name for path in graphs}
    assert "<h3>Calibration (Overall): FSRS-6 (default) and SM-2 (1987)</h3>" in page
    assert f"{folder / 'charts'}: {len(graphs)} graph" in printed
    for path in folder.rglob("*.*"):
        if path.is_file() and path not in graphs:
            assert path.name in printed

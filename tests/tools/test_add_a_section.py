"""The page on adding a section does what it says: its example, added to a copy of the project, is found everywhere."""

from __future__ import annotations

import ast
import csv
import functools
import json
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "evaluator" / "sections" / "README.md"
LOG = ROOT / "tests" / "data" / "sim-c" / "revlog.csv.gz"

#: Is given the folder of the copy and a review log.
SCRIPT = """
import contextlib, io, json, sys
from pathlib import Path
from tools import describe, evaluate

folder, log = Path(sys.argv[1]), sys.argv[2]


def said(*arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        evaluate.main(list(arguments))
    return out.getvalue()


def report(sections):
    path = folder / f"{sections}.json"
    asked = ["--algorithms", "AVG,SM-2,FSRS-6 default", "--folds", "2"]
    asked += ["--predictions", str(folder / "predictions.csv")]
    said(log, *asked, "--sections", sections, "--json", str(path))
    return json.loads(path.read_text(encoding="utf-8"))


print("found:" + json.dumps({
    "all": report("all"),
    "alone": report("weekdays"),
    "none": report("none"),
    "predictions": (folder / "predictions.csv").read_text(encoding="utf-8"),
    "documentation": describe.page(),
    "help": said("--help"),
}))
"""


def examples() -> list[str]:
    """The page's blocks of Python: the section's file."""
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)


def put_before(path: Path, mark: str, added: str) -> None:
    """Into a file of the copy, before the one line that is so."""
    text = path.read_text(encoding="utf-8")
    assert text.count(mark) == 1
    path.write_text(text.replace(mark, added + mark), encoding="utf-8")


@functools.cache
def found() -> Any:
    """What a copy of the project with the example makes of a log, in a process of its own; see ``SCRIPT``."""
    (section,) = examples()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("evaluator", "ui", "tools"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", folder)
        (folder / "evaluator" / "sections" / "weekdays.py").write_text(section, encoding="utf-8")
        put_before(folder / "evaluator" / "sections" / "__init__.py", '    "graphs",\n', '    "weekdays",\n')
        command = [sys.executable, "-W", "error", "-c", SCRIPT, str(folder), str(LOG)]
        path = {"PYTHONPATH": name, "PYTHONDONTWRITEBYTECODE": "1", "HOME": name, "COLUMNS": "200"}
        done = subprocess.run(
            command, cwd=folder, env=path, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.partition("found:")[2])


def test_the_example_is_short_and_runs_where_the_add_on_runs():
    """Less than fifty lines, in the syntax of Python 3.9."""
    (section,) = examples()
    ast.parse(section, feature_version=(3, 9))
    assert sum(bool(line.strip()) for line in section.splitlines()) < 50


def test_it_is_in_the_json_with_the_numbers_that_it_ought_to_have():
    """Worked out by hand from the predictions, which name each review by when it was."""
    rows = list(csv.DictReader(found()["predictions"].splitlines()))
    assert rows
    gaps: dict[int, list[float]] = {}
    for row in rows:
        shifted = int(row["review_id"]) / 1000 - found()["all"]["scope"]["rollover_hour"] * 3600
        shifted += 60 * (found()["all"]["scope"]["utc_offset_minutes"] or 0)
        gap = float(row["recalled"]) - float(row["FSRS-6 default"])
        gaps.setdefault(datetime.fromtimestamp(shifted, UTC).weekday(), []).append(gap)
    weekdays = found()["all"]["weekdays"]
    assert {one["day"]: one["reviews"] for one in weekdays} == {
        day: len(gap) for day, gap in sorted(gaps.items()) if len(gap) >= 100
    }
    for one in weekdays:
        assert one["gap"]["estimate"] == pytest.approx(sum(gaps[one["day"]]) / len(gaps[one["day"]]), abs=1e-6)
        assert one["gap"]["low"] < one["gap"]["estimate"] < one["gap"]["high"]


def test_it_stands_at_the_top_level_where_it_is_registered():
    keys = list(found()["all"])
    assert keys[keys.index("weekdays") - 1 :][:3] == ["sensitivity", "weekdays", "graphs"]


def test_it_is_made_when_it_is_asked_for():
    """Alone as with all others; an empty list elsewhere, as its siblings are."""
    assert found()["alone"]["weekdays"] == found()["all"]["weekdays"]
    assert (found()["none"]["weekdays"], found()["alone"]["groups"], found()["alone"]["stability"]) == ([], [], None)


def test_it_is_in_the_documentation_of_keys():
    lines = found()["documentation"].splitlines()
    assert (
        "| `weekdays` | list of [Weekday](#weekday) | One day of the week, for the algorithm of the verdict. |" in lines
    )
    assert lines[lines.index("## Weekday") :][4:9] == [
        "| key | type | meaning |",
        "| --- | --- | --- |",
        "| `day` | whole number | from Monday, which is 0, to Sunday |",
        "| `reviews` | whole number | how many scored reviews |",
        "| `gap` | [Interval](#interval) | the share that was remembered minus the mean prediction |",
    ]


def test_it_is_among_the_names_of_the_help():
    assert "desired_retention, weekdays, graphs, groups, splitting," in " ".join(found()["help"].split())

"""Two recordings of what the program says are compared: whatever differs is found, and nothing else."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import recordings

REPORT = {"best": "FSRS-6", "loss": 0.25, "rows": [{"name": "SM-2"}, {"name": "AVG"}], "interval": None}
TEXT = "FSRS-6 is better.\nSM-2 is worse.\n"
PAGE = '<h1>Better</h1><p>By <b>far</b>.</p><svg aria-label="a graph"><path d="M 0 0"/><text>days</text></svg>'


@pytest.fixture
def differences(tmp_path: Path):
    """Between the recording of these and one in which something else stands."""

    def record(name: str, report: dict[str, Any], text: str, page: str) -> Path:
        folder = tmp_path / name / "set"
        folder.mkdir(parents=True)
        (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")
        (folder / "terminal.txt").write_text(text, encoding="utf-8")
        (folder / "page.txt").write_text(recordings.page_text(page), encoding="utf-8")
        return tmp_path / name

    def compare(report: dict[str, Any] = REPORT, text: str = TEXT, page: str = PAGE) -> tuple[list[str], int]:
        return recordings.compare(record("old", REPORT, TEXT, PAGE), record("new", report, text, page))

    return compare


def test_equal_recordings(differences) -> None:
    assert differences() == ([], 0)


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"loss": 0.2500000001}, ".loss: 0.25 -> 0.2500000001"),
        ({"loss": 1}, ".loss: 0.25 -> 1"),
        ({"best": "SM-2"}, '.best: "FSRS-6" -> "SM-2"'),
        ({"interval": 0}, ".interval: null -> 0"),
        ({"more": 1}, ".more: nothing -> 1"),
        ({"rows": [{"name": "SM-2"}, {"name": "GRU"}, {"name": "AVG"}]}, '.rows[1]: nothing -> {"name": "GRU"}'),
        ({"rows": [{"name": "AVG"}]}, '.rows[0]: {"name": "SM-2"} -> nothing'),
        ({"rows": [{"name": "SM-2"}, {"name": "AVG "}]}, '.rows[1].name: "AVG" -> "AVG "'),
    ],
)
def test_a_changed_value_is_found(differences, changed, line) -> None:
    lines, _ = differences(report={**REPORT, **changed})
    assert lines == ["== set/report.json", line]


def test_rounding_is_counted_apart(differences) -> None:
    lines, rounded = differences(report={**REPORT, "loss": 0.25 * (1 + 1e-15)})
    assert (lines, rounded) == (["== set/report.json (and 1 numbers by rounding only)"], 1)


def test_a_changed_word_is_found(differences) -> None:
    lines, _ = differences(text=TEXT.replace("worse", "bad"))
    assert {"-SM-2 is worse.", "+SM-2 is bad."} <= set(lines)
    assert not any("FSRS-6" in line for line in lines if line[0] in "+-")


@pytest.mark.parametrize("change", [("far", "little"), ("M 0 0", "M 0 1"), ("days", "weeks"), ("a graph", "one")])
def test_a_changed_page_is_found(differences, change) -> None:
    lines, _ = differences(page=PAGE.replace(*change))
    assert lines


def test_markup_alone_is_no_difference(differences) -> None:
    assert differences(page=PAGE.replace("<p>", '<p class="note">')) == ([], 0)


def test_a_missing_file_is_found(tmp_path: Path, monkeypatch, capsys) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    (tmp_path / "old" / "page.txt").touch()
    monkeypatch.setattr(sys, "argv", ["recordings.py", "compare", str(tmp_path / "old"), str(tmp_path / "new")])
    assert recordings.main() == 1
    assert "page.txt is only in" in capsys.readouterr().out

"""`python3 tools bench window`: what it says of figures that are made up. How long anything takes is not tested."""

from __future__ import annotations

import json
import subprocess

import pytest
from told import says

from tools import commands
from tools.bench import window
from tools.bench.window import ANKIS, ROWS, Measured, as_json, render
from tools.environment import MachineNotReady

MACHINE = {"software": "SRS Evaluator 9", "python": "3", "anki": "99.1", "cpus": 2, "cpu": "Abacus", "date": "today"}


def figures(click: float) -> dict[str, tuple[float, float | None]]:
    """Everything takes 1 ms, but the click."""
    return {**dict.fromkeys(ROWS, (1.0, 0.5)), "click": (click, click / 2), "background": (1234.5, None)}


MEASURED = [
    Measured(anki, tuple(figures(click) for click in clicks))
    for anki, clicks in zip(ANKIS, [(90, 100, 400), (50, 60, 70), (80, 80, 90)], strict=True)
]


def test_medians_of_the_clock_and_of_the_thread():
    assert MEASURED[0].median("click") == (100, 50)
    assert MEASURED[0].median("background") == (1234.5, None)


def test_the_text():
    lines = render(MACHINE, MEASURED).splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[0] == "SRS Evaluator 9, Python 3, Anki 99.1; 2 x Abacus; today"
    assert "Medians of 3 runs" in lines[2]
    (click,) = (line for line in lines if line.startswith(ROWS["click"]))
    assert click.split()[-6:] == ["100", "50", "60", "30", "80", "40"]
    (background,) = (line for line in lines if line.startswith(ROWS["background"]))
    assert background.split()[-3:] == ["1,234", "1,234", "1,234"]
    assert len([line for line in lines if any(line.startswith(words) for words in ROWS.values())]) == len(ROWS)
    assert "One run." in render(MACHINE, [Measured(one.anki, one.runs[:1]) for one in MEASURED])


def test_the_json_holds_every_run():
    told = json.loads(json.dumps(as_json(MACHINE, MEASURED)))
    assert told["cpu"] == "Abacus"
    assert [anki["language"] for anki in told["ankis"]] == ["en_US", "en_US", "ja_JP"]
    assert told["ankis"][0]["medians"]["click"] == [100, 50]
    assert [run["click"][0] for run in told["ankis"][0]["runs"]] == [90, 100, 400]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--repeat", "0"], "--repeat cannot be 0. Allowed: a whole number from 1 on."),
        (["--json", "no/such/folder/file"], "--json cannot be 'no/such/folder/file'."),
    ],
)
def test_what_is_wrong_is_said_before_the_work(arguments, said, capsys, monkeypatch):
    monkeypatch.setattr(window, "_measure", None)
    assert window.main(arguments) == 2
    assert says(capsys.readouterr().err, said)


def test_every_way_to_start_anki_is_measured_again_and_again(tmp_path, capsys, monkeypatch):
    started = []

    def run(command, env, **_):
        started.append((env["ANKI_LANGUAGE"], command[-1]))
        (window.Path(command[2]) / "figures.json").write_text(json.dumps(figures(len(started))))
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(window.subprocess, "run", run)
    monkeypatch.setattr(window, "require_packages", lambda _: None)
    monkeypatch.setattr(window, "machine", lambda: MACHINE)
    monkeypatch.setattr(window, "DAYS", 5)
    written = tmp_path / "bench.json"
    assert window.main(["--repeat", "2", "--json", str(written)]) == 0
    assert started == 2 * [("en_US", "no"), ("en_US", "yes"), ("ja_JP", "no")]
    assert [anki["medians"]["click"][0] for anki in json.loads(written.read_text())["ankis"]] == [2.5, 3.5, 4.5]
    assert capsys.readouterr().out.endswith(f"Written:\n  {written}\n")


def test_an_anki_that_fails_is_told_with_its_last_words(tmp_path, monkeypatch):
    done = subprocess.CompletedProcess([], 1, "", "no screen")
    monkeypatch.setattr(window.subprocess, "run", lambda *_, **__: done)
    with pytest.raises(MachineNotReady, match="no screen"):
        window._run(ANKIS[0], tmp_path / "collection.anki2", tmp_path / "run")


def test_it_needs_what_the_tests_need(monkeypatch):
    asked = []
    monkeypatch.setattr("tools.environment.ensure", asked.append)
    monkeypatch.setattr("tools.bench.window.main", len)
    assert commands.run(["bench", "window", "--repeat", "1"]) == 2
    monkeypatch.setattr("tools.bench.command.main", len)
    assert commands.run(["bench", "--repeat", "1", "window"]) == 3
    assert asked == [("test",), ("bench",)]

"""`python3 tools bench window`: what it says of figures that are made up. How long anything takes is not tested."""

from __future__ import annotations

import json
import subprocess

import pytest
from told import says

from tools import commands
from tools.bench import window
from tools.bench.window import ANKIS, ROWS, render
from tools.environment import MachineNotReady


def figures(click: float) -> dict[str, tuple[float, float | None]]:
    """Everything takes 1 ms, but the click."""
    return {**dict.fromkeys(ROWS, (1.0, 0.5)), "click": (click, click / 2), "background": (1234.5, None)}


CLICKS = dict(zip(ANKIS, [(90, 100, 400), (50, 60, 70), (80, 80, 90)], strict=True))
MEASURED = {title: [figures(click) for click in clicks] for title, clicks in CLICKS.items()}


def test_the_text():
    """Medians of the clock and of the thread; of what is waited for there is no thread's time."""
    lines = render("Abacus", MEASURED).splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[0] == "Abacus"
    assert "Medians of 3 runs" in lines[2]
    (click,) = (line for line in lines if line.startswith(ROWS["click"]))
    assert click.split()[-6:] == ["100", "50", "60", "30", "80", "40"]
    (background,) = (line for line in lines if line.startswith(ROWS["background"]))
    assert background.split()[-3:] == ["1,234", "1,234", "1,234"]
    assert len([line for line in lines if any(line.startswith(words) for words in ROWS.values())]) == len(ROWS)
    assert "One run." in render("Abacus", {title: runs[:1] for title, runs in MEASURED.items()})


def test_what_is_wrong_is_said_before_the_work(capsys, monkeypatch):
    monkeypatch.setattr(window, "_measure", None)
    assert window.main(["--repeat", "0"]) == 2
    assert says(capsys.readouterr().err, "--repeat cannot be 0. Allowed: a whole number from 1 on.")


def test_every_way_to_start_anki_is_measured_again_and_again(capsys, monkeypatch):
    started = []

    def run(command, env, **_):
        started.append((env["ANKI_LANGUAGE"], command[-1]))
        (window.Path(command[2]) / "figures.json").write_text(json.dumps(figures(10 * len(started))))
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(window.subprocess, "run", run)
    monkeypatch.setattr(window, "require_packages", lambda _: None)
    monkeypatch.setattr(window, "machine", lambda: "Abacus")
    monkeypatch.setattr(window, "DAYS", 5)
    assert window.main(["--repeat", "2"]) == 0
    assert started == 2 * [("en_US", "no"), ("en_US", "yes"), ("ja_JP", "no")]
    (click,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith(ROWS["click"]))
    assert click.split()[-6::2] == ["25", "35", "45"]


def test_an_anki_that_fails_is_told_with_its_last_words(tmp_path, monkeypatch):
    done = subprocess.CompletedProcess([], 1, "", "no screen")
    monkeypatch.setattr(window.subprocess, "run", lambda *_, **__: done)
    with pytest.raises(MachineNotReady, match="no screen"):
        window._run("English", tmp_path / "collection.anki2", tmp_path / "run")


def test_it_needs_what_the_tests_need(monkeypatch):
    asked = []
    monkeypatch.setattr("tools.environment.ensure", asked.append)
    monkeypatch.setattr("tools.bench.window.main", len)
    assert commands.run(["bench", "window", "--repeat", "1"]) == 2
    monkeypatch.setattr("tools.bench.command.main", len)
    assert commands.run(["bench", "--repeat", "1", "window"]) == 3
    assert asked == [("test",), ("bench",)]

"""The add-on in the real Anki: each scenario of :mod:`scenarios` in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
#: Longer, and a person notices.
LONGEST_BLOCK_MS = 100
#: That is what the add-on may cost those who do not use it today.
LONGEST_START_MS = 20
#: What a busy machine may add to that.
SLACK_MS = 300


def run(scenario: str, folder: Path) -> Dict[str, Any]:
    """Run one scenario; returns what it measured."""
    command = [sys.executable, str(HERE / "scenarios.py"), scenario, str(folder)]
    temporary = folder / "temporary"  # what Anki and the scenario leave behind goes with the test's own folder
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, env=environment)
    assert done.returncode == 0, f"{scenario} failed\n{done.stdout[-4000:]}\n{done.stderr[-6000:]}"
    facts: Dict[str, Any] = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    print(scenario, facts)
    return facts


def test_results_are_those_of_the_command_line(tmp_path: Path) -> None:
    """The same collection, in the window and in the terminal: the same bytes, timings aside; all sections, too."""
    facts = run("results", tmp_path)
    assert facts["longest_block_ms"] < LONGEST_BLOCK_MS + SLACK_MS

    for name, asked in {"export": [], "whole": ["--sections", "all"]}.items():
        json_file, html_file = tmp_path / f"{name}.json", tmp_path / f"{name}.html"
        command = [sys.executable, "tools", "evaluate", str(tmp_path / "given.anki2"), *asked]
        command += ["--json", str(json_file), "--html", str(html_file)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        window = (tmp_path / "exports" / json_file.name).read_text(encoding="utf-8")
        assert window.partition('"timing"')[0] == json_file.read_text(encoding="utf-8").partition('"timing"')[0]
        assert (tmp_path / "exports" / html_file.name).read_bytes() == html_file.read_bytes()
    assert json.loads(window)["sensitivity"]["complete"]

    lines = (tmp_path / "exports" / "export.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + json.loads(window)["scope"]["reviews"]
    assert (tmp_path / "exports" / "export.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in (tmp_path / "exports" / "export.svg").read_bytes()


def test_cancel_acts_within_a_second(tmp_path: Path) -> None:
    """And what goes wrong is said calmly."""
    facts = run("cancel", tmp_path)
    assert facts["cancel_answered_ms"] < 1000
    assert facts["background_ended_ms"] < 1000


def test_algorithms_are_chosen_and_remembered(tmp_path: Path) -> None:
    """Also with many of them the window answers, and Cancel acts at once."""
    facts = run("choosing", tmp_path)
    assert facts["published_longest_block_ms"] < LONGEST_BLOCK_MS + SLACK_MS
    assert facts["cancel_among_many_ms"] < 1000


def test_a_deck_from_its_gear_menu_is_that_of_the_command_line(tmp_path: Path) -> None:
    """And what else is chosen, from the browser and in the window, is what is evaluated."""
    run("scopes", tmp_path)
    out = tmp_path / "cli.json"
    opened = str(tmp_path / "base" / "User 1" / "collection.anki2")  # Anki has put its own time zone into it
    command = [sys.executable, "tools", "evaluate", opened, "--deck", "Languages", "--json", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    window, terminal = (json.loads(path.read_text(encoding="utf-8")) for path in (tmp_path / "deck.json", out))
    for part in ("scope", "funnel", "results", "verdict"):
        assert window[part] == terminal[part], part


@pytest.mark.parametrize(
    "scenario",
    ["choosing_each", "looks_of_scopes", "looks", "empty", "missing_library", "closing", "offline", "confiding"],
)
def test_scenario(scenario: str, tmp_path: Path) -> None:
    """Everything that it expects is so."""
    run(scenario, tmp_path)


def test_it_adds_little_to_the_start_of_anki(tmp_path: Path) -> None:
    """A few files are read and a menu item is added. To see the figure: ``python3 tools test -k start_of_anki -s``."""
    facts = run("starting", tmp_path)
    assert facts["best_ms"] < LONGEST_START_MS
    assert facts["added_ms"] < LONGEST_START_MS


def test_a_closed_window_gives_its_memory_back(tmp_path: Path) -> None:
    """The first leaves the libraries behind, which stay loaded; more of them leave nothing."""
    kept = run("forgetting", tmp_path)["megabytes_before_and_after_each_window"]
    assert kept[-1] - kept[1] < 15

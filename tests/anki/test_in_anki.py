from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict

import in_process
import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

#: The Python that runs Anki. `python3 tools test --anki` gives that of an older Anki.
ANKI_PYTHON = os.environ.get("ANKI_PYTHON", sys.executable)
#: Algorithms whose results depend on the version of Anki.
ANKI_ALGORITHMS = ("FSRS-rs", "Your parameters")
#: Whether Anki and the command line run on the same Python. If they do not, their numbers agree to some digits only.
IS_SAME_PYTHON = sys.executable == ANKI_PYTHON
#: Longest duration of a scenario. One that takes longer hangs, even on the slowest machine.
MAX_SECONDS = 1800


@pytest.fixture(scope="session", autouse=True)
def _shared_folder(tmp_path_factory):
    """Create the folder for the package and the collections, which all scenarios share, also between workers."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared"
    folder.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHARED_FOLDER", str(folder))
        yield


def play(names: str, folder: Path, *, script: str = "scenarios.py", **variables: str) -> None:
    """Play scenarios in one Anki, with ``+`` between their names and these environment variables."""
    command = [ANKI_PYTHON, str(HERE / script), names, str(folder)]
    # Temporary files that Anki leaves are deleted with the test's folder.
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    environment = {**os.environ, "TMPDIR": str(temporary), **variables}
    done = subprocess.run(command, capture_output=True, text=True, timeout=MAX_SECONDS, check=False, env=environment)
    assert done.returncode == 0, f"{names} failed\n{done.stdout[-4000:]}\n{done.stderr[-6000:]}"


def evaluate(*arguments):
    """Evaluate with the command line."""
    done = in_process.run(["evaluate", *map(str, arguments)], ROOT)
    assert done.returncode == 0, done.stderr


def assert_alike(window: Dict[str, Any], terminal: Dict[str, Any]) -> None:
    """Check that two reports have the same reviews and scores.

    Algorithms that depend on Anki are left out. Each version has its own optimizer, and an older one does not know the
    parameters that a newer one has stored.
    """
    assert window["scope"] == terminal["scope"]
    assert window["funnel"] == terminal["funnel"]
    scores = [
        {row["algorithm"]: row["log_loss"] for row in report["results"] if row["algorithm"] not in ANKI_ALGORITHMS}
        for report in (window, terminal)
    ]
    assert len(scores[0]) > 1
    assert scores[0] == pytest.approx(scores[1], abs=1e-6)


def test_results_and_exports_equal_the_command_line(tmp_path):
    play("results+forgetting", tmp_path)
    json_file = tmp_path / "cli.json"
    html_file = tmp_path / "cli.html"
    evaluate(tmp_path / "given.anki2", "--sections", "all", "--json", json_file, "--html", html_file)
    window, terminal = (path.read_text(encoding="utf-8") for path in (tmp_path / "exports" / "export.json", json_file))
    assert_alike(json.loads(window), json.loads(terminal))
    if IS_SAME_PYTHON:
        assert window.partition('"timing"')[0] == terminal.partition('"timing"')[0]
        assert (tmp_path / "exports" / "export.html").read_bytes() == html_file.read_bytes()

    lines = (tmp_path / "exports" / "export.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + json.loads(window)["scope"]["reviews"]
    assert (tmp_path / "exports" / "export.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in (tmp_path / "exports" / "export.svg").read_bytes()


def test_deck_of_gear_menu_equals_the_command_line(tmp_path):
    play("scopes+offline", tmp_path)
    json_file = tmp_path / "cli.json"
    # Not the given collection, because Anki has stored its time zone in the opened one.
    collection = tmp_path / "Anki2" / "User 1" / "collection.anki2"
    evaluate(collection, "--deck", "Languages", "--json", json_file)
    window, terminal = (json.loads(path.read_text(encoding="utf-8")) for path in (tmp_path / "deck.json", json_file))
    assert_alike(window, terminal)
    if IS_SAME_PYTHON:
        for part in ("results", "verdict", "findings"):
            assert window[part] == terminal[part], part


@pytest.mark.parametrize(
    "names",
    [
        "advising",
        "selecting",
        "too_few",
        "choosing+choosing_each+repeating",
        "opening+cancel+closing",
        "configuring+empty+changing",
        "missing_library",
        "installing",
        "starting",
        pytest.param("looks", marks=pytest.mark.long),
        pytest.param("speaking", marks=pytest.mark.long),
    ],
)
def test_scenarios_succeed(names, tmp_path):
    play(names, tmp_path)


def test_scenarios_succeed_in_japanese(tmp_path):
    play("confiding+dividing", tmp_path, ANKI_LANGUAGE="ja_JP")


@pytest.mark.network
def test_libraries_are_installed(tmp_path):
    play("libraries", tmp_path, script="packaged.py")
    play("libraries_later", tmp_path, script="packaged.py")


@pytest.mark.long
def test_window_is_english_without_catalog(tmp_path):
    play("speaking_english", tmp_path, ANKI_LANGUAGE="ar_SA")

"""`python3 tools test`: what it runs, and in how many processes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from anki.utils import int_version

from tools import environment
from tools import test as checks
from ui.anki.libraries.lock import lock_of, platform_here


@pytest.mark.parametrize("name", checks.CHECKS)
def test_the_code_passes(name):
    done = subprocess.run(
        [sys.executable, "-m", *checks.CHECKS[name]], cwd=checks.ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


@pytest.fixture
def ran(monkeypatch) -> list[list[str]]:
    """The commands that were run, without the interpreter; all of them fail."""
    commands: list[list[str]] = []

    def run(command, *, env, **_):
        assert "PYTHONDONTWRITEBYTECODE" not in env
        commands.append(command[2:])
        return SimpleNamespace(returncode=1)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(checks, "require_packages", lambda _packages: None)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    return commands


@pytest.mark.parametrize(
    ("arguments", "workers"),
    [([], True), (["-q"], True), (["--durations=9"], True), (["tests/ui"], False), (["-k", "csv"], False)],
)
def test_all_tests_run_in_many_processes_and_chosen_ones_in_one(arguments, workers, ran):
    assert checks.main(arguments) == 1
    assert ran == [["pytest", *(checks.WORKERS if workers else ()), *arguments]]


def test_one_check_alone(ran):
    assert checks.main(["--only", "mypy"]) == 1
    assert ran == [["mypy", "tools", "evaluator", "ui"]]


@pytest.fixture
def installations(monkeypatch):
    """What is installed, into environments that seem to be made."""
    made: list[str] = []

    def call(*command: object, failed: str) -> None:
        words = [str(word) for word in command]
        if "venv" in words:
            python = Path(words[-1]) / "bin" / "python"
            python.parent.mkdir(parents=True)
            python.symlink_to(words[0])
        elif "install" in words:
            made.append(" ".join(words[words.index("install") :]))

    monkeypatch.setattr(environment, "call", call)
    monkeypatch.setattr(environment, "pip_wheel", lambda: Path("pip.whl"))
    monkeypatch.setattr(checks, "find_python", lambda version: Path(sys.executable))
    return made


def test_anki_is_installed_once_with_the_libraries_of_our_package(installations, tmp_path, capsys):
    variables = [checks.install("24.11", tmp_path) for _ in range(2)]
    assert variables[0] == variables[1]
    assert variables[0]["ANKI_PYTHON"] == str(tmp_path / "anki-24.11-python-3.9" / "bin" / "python")
    (installed,) = installations
    assert {"aqt[qt6]==24.11", *lock_of("3.9", platform_here()).pins} <= set(installed.split())
    said = capsys.readouterr().err
    assert "Setting up anki-24.11-python-3.9, once. Downloading up to 275 MB: aqt, " in said


def test_all_tests_of_the_window_run_in_that_version(monkeypatch):
    """Those that install the libraries, too, on the Python of that version."""
    ran: list[object] = []
    monkeypatch.setattr(checks, "run", lambda *arguments: ran.extend(arguments) or 0)
    monkeypatch.setattr(checks, "install", lambda version: {"ANKI_PYTHON": version})
    monkeypatch.setattr(checks, "require_packages", lambda _packages: None)
    assert checks.main(["--anki", "24.11", "-k", "scopes"]) == 0
    assert ran == [["pytest", "tests/anki", "-m", "", *checks.WORKERS, "-k", "scopes"], {"ANKI_PYTHON": "24.11"}]


def test_the_supported_versions_are_those_of_the_manifest(monkeypatch):
    """As Anki itself reads its version, whatever stands behind the numbers."""
    manifest = json.loads((checks.ROOT / "manifest.json").read_text(encoding="utf-8"))

    def point_version(release: str) -> int:
        monkeypatch.setattr("anki.buildinfo.version", release)
        return int_version()

    points = [point_version(release) for release, _python in checks.ANKIS.values()]
    assert (min(points), max(points)) == (manifest["min_point_version"], manifest["max_point_version"])
    for suffixed in ("26.09b3+fsrs7", "26.9.3+fsrs7", "25.09rc1"):
        assert min(points) < point_version(suffixed) <= max(points)

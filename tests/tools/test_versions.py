"""Which Pythons and Ankis the tests run in, and where they come from."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from anki.utils import int_version

from tools import environment, versions
from tools.environment import ROOT
from tools.versions import Interpreter
from ui.anki.libraries.lock import lock_of, platform_here

OWN = "{}.{}".format(*sys.version_info[:2])


def test_the_running_python_is_taken_as_it_is():
    assert versions.find_python(OWN) == Interpreter(Path(sys.executable), OWN)


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """A folder with the only commands that are found."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(versions, "BUILD", tmp_path / "build")
    return tmp_path


def write_command(path: Path, *lines: str) -> None:
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)


def test_one_that_is_on_the_machine_is_taken(commands):
    """Also where pyenv's command only starts it for those who name the version."""
    write_command(commands / "python3.9", '[ "$PYENV_VERSION" = 3.9 ] && echo /opt/3.9/bin/python3.9')
    assert versions.find_python("3.9") == Interpreter(Path("/opt/3.9/bin/python3.9"), "3.9")


@pytest.mark.parametrize("lines", [None, ["exit 127"]])
def test_without_one_that_runs_ours_stands_in_and_it_says_so(lines, commands, capsys):
    if lines is not None:
        write_command(commands / "python3.9", *lines)
    assert versions.find_python("3.9") == Interpreter(Path(sys.executable), OWN)
    assert f"Python 3.9 is not to be had here, so {OWN} stands in for it" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.network
def test_python_3_9_out_of_an_older_debian(tmp_path, monkeypatch):
    monkeypatch.setattr(versions, "BUILD", tmp_path)
    found = versions._python_of_debian("3.9")
    program = "import ctypes, decimal, distutils.command.install, sqlite3, ssl, sys, venv; print(sys.version_info[:2])"
    environment = dict(found.variables)
    said = subprocess.run(
        [found.path, "-c", program], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert said == "(3, 9)\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["python-3.9-of-debian", "python-3.9.lock"]


@pytest.fixture
def installations(monkeypatch):
    """What is installed, into environments that seem to be made."""
    made: list[str] = []

    def run(command: list[str], _what_failed: str, _variables: Mapping[str, str]) -> None:
        if "venv" in command:
            python = Path(command[-1]) / "bin" / "python"
            python.parent.mkdir(parents=True)
            python.symlink_to(command[0])
        else:
            made.append(" ".join(command[command.index("install") :]))

    monkeypatch.setattr(environment, "run", run)
    monkeypatch.setattr(environment, "pip_wheel", lambda: Path("pip.whl"))
    monkeypatch.setattr(versions, "find_python", lambda version: Interpreter(Path(sys.executable), version))
    return made


def test_anki_is_installed_once_with_the_libraries_of_our_package(installations, tmp_path, capsys):
    variables = [versions.install("24.11", tmp_path) for _ in range(2)]
    assert variables[0] == variables[1]
    assert variables[0]["ANKI_PYTHON"] == str(tmp_path / "anki-24.11-python-3.9" / "bin" / "python")
    (installed,) = installations
    assert {"aqt[qt6]==24.11", *lock_of("3.9", platform_here()).pins} <= set(installed.split())
    assert "Setting up anki-24.11-python-3.9, once. Downloading about 275 MB: aqt, " in capsys.readouterr().err


def test_an_interrupted_installation_is_not_taken_for_a_good_one(installations, tmp_path):
    (tmp_path / "anki-24.11-python-3.9" / "lib").mkdir(parents=True)
    versions.install("24.11", tmp_path)
    assert len(installations) == 1


def test_in_each_version_all_tests_of_the_window_run(monkeypatch, tmp_path):
    """Those that install the libraries, too, on the Python of that version."""
    ran: list[tuple[list[str], dict[str, str]]] = []

    def run(command: list[str], variables: Mapping[str, str] | None = None) -> int:
        ran.append((command, dict(variables or {})))
        return 0

    def install(version: str) -> dict[str, str]:
        return {"ANKI_PYTHON": str(tmp_path / version)}

    monkeypatch.setattr(versions, "run", run)
    monkeypatch.setattr(versions, "install", install)
    monkeypatch.setattr(versions.system_packages, "require", lambda _packages: None)
    assert versions.main([]) == 0
    of_anki, long = ["pytest", "tests/anki", "-m", ""], ["pytest", "tests", "-m", "long"]
    assert [command[:4] for command, _ in ran] == [*[of_anki] * 4, long]
    assert [variables.get("ANKI_PYTHON") for _, variables in ran[:4]] == [
        str(tmp_path / each) for each in versions.VERSIONS
    ]


def test_the_supported_versions_are_those_of_the_manifest(monkeypatch):
    """As Anki itself reads its version, whatever stands behind the numbers."""
    manifest = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))

    def point_version(release: str) -> int:
        monkeypatch.setattr("anki.buildinfo.version", release)
        return int_version()

    points = [point_version(release) for release, _python in versions.VERSIONS.values()]
    assert (min(points), max(points)) == (manifest["min_point_version"], manifest["max_point_version"])
    for suffixed in ("26.09b3+fsrs7", "26.9.3+fsrs7", "25.09rc1"):
        assert min(points) < point_version(suffixed) <= max(points)

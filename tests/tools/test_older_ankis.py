"""Which Pythons and Ankis the tests run in, and where they come from."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from anki.utils import int_version

from tools import environment
from tools import test as checks
from tools.environment import ROOT, MachineNotReady
from ui.anki.libraries.lock import lock_of, platform_here

OWN = "{}.{}".format(*sys.version_info[:2])
FIND_PYTHON = checks.find_python


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """A folder with the only commands that are found."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(checks, "BUILD", tmp_path / "build")
    return tmp_path


def write_command(path: Path, *lines: str) -> None:
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)


def test_one_that_is_on_the_machine_is_taken(commands):
    """Also where pyenv's command only starts it for those who name the version."""
    write_command(commands / "python3.9", '[ "$PYENV_VERSION" = 3.9 ] && echo /opt/3.9/bin/python3.9')
    assert checks.find_python("3.9") == Path("/opt/3.9/bin/python3.9")


def test_a_machine_of_another_system_has_no_packages_of_debian(commands, monkeypatch):
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.defpath}")
    write_command(commands / "python3.9", "exit 127")
    write_command(commands / "apt-get", '[ "$1" = indextargets ] && echo "deb file:/srv/ubuntu bullseye main"')
    with pytest.raises(MachineNotReady, match=r"This machine does not get its packages from Debian\.$"):
        checks.find_python("3.9")
    assert [path.name for path in (commands / "build").iterdir()] == ["python-3.9.lock"]


@pytest.mark.long
@pytest.mark.network
def test_python_3_9_out_of_an_older_debian(commands, monkeypatch):
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.defpath}")
    monkeypatch.setenv("LD_LIBRARY_PATH", "")
    write_command(commands / "python3.9", "exit 127")
    found = checks.find_python("3.9")
    program = "import ctypes, decimal, distutils.command.install, sqlite3, ssl, sys, venv; print(sys.version_info[:2])"
    said = subprocess.run([found, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said == "(3, 9)\n"
    left = sorted(path.name for path in (commands / "build").iterdir())
    assert left == ["python-3.9-of-debian", "python-3.9.lock"]


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


@pytest.mark.parametrize("lines", [None, ["exit 127"]])
def test_without_a_python_that_runs_ours_stands_in_and_it_says_so(lines, installations, commands, monkeypatch, capsys):
    """With the libraries that our package would fetch for ours."""
    monkeypatch.setattr(checks, "find_python", FIND_PYTHON)
    if lines is not None:
        write_command(commands / "python3.9", *lines)
    variables = checks.install("24.11", commands)
    assert variables["ANKI_PYTHON"] == str(commands / f"anki-24.11-python-{OWN}" / "bin" / "python")
    assert set(lock_of(OWN, platform_here()).pins) <= set(installations[0].split())
    assert f"Python 3.9 is not to be had here: {OWN} stands in for it. [Errno 2]" in capsys.readouterr().err


def test_the_running_python_is_taken_as_it_is(installations, tmp_path, monkeypatch):
    monkeypatch.setattr(checks, "python_here", lambda: "3.9")
    monkeypatch.setattr(checks, "find_python", None)
    checks.install("24.11", tmp_path)
    running = (tmp_path / "anki-24.11-python-3.9" / "bin" / "python").resolve()
    assert running == Path(sys.executable).resolve()


def test_an_interrupted_installation_is_not_taken_for_a_good_one(installations, tmp_path):
    (tmp_path / "anki-24.11-python-3.9" / "lib").mkdir(parents=True)
    checks.install("24.11", tmp_path)
    assert len(installations) == 1


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
    manifest = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))

    def point_version(release: str) -> int:
        monkeypatch.setattr("anki.buildinfo.version", release)
        return int_version()

    points = [point_version(release) for release, _python in checks.ANKIS.values()]
    assert (min(points), max(points)) == (manifest["min_point_version"], manifest["max_point_version"])
    for suffixed in ("26.09b3+fsrs7", "26.9.3+fsrs7", "25.09rc1"):
        assert min(points) < point_version(suffixed) <= max(points)

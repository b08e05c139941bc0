"""Which Pythons and Ankis the tests run in, and where they come from."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from anki.utils import int_version

from tools import interpreters, versions
from tools.environment import ROOT
from tools.interpreters import Interpreter
from tools.system_packages import MachineNotReady

OWN = "{}.{}".format(*sys.version_info[:2])


def test_the_running_python_is_taken_as_it_is():
    assert interpreters.find(OWN) == Interpreter(Path(sys.executable), OWN)


def test_one_that_is_on_the_machine_is_taken_if_it_runs(tmp_path, monkeypatch):
    placeholder, good = tmp_path / "placeholder", tmp_path / "good"
    placeholder.write_text("#!/bin/sh\nexit 127\n")
    good.write_text("#!/bin/sh\nexit 0\n")
    for file in (placeholder, good):
        file.chmod(0o755)
    monkeypatch.setattr(interpreters, "_on_this_machine", lambda _version: [str(placeholder), str(good)])
    assert interpreters.find("3.9") == Interpreter(good, "3.9")


def test_without_one_ours_stands_in_and_it_says_so(monkeypatch, capsys):
    def unpacked(_version: str) -> Interpreter:
        raise MachineNotReady("This is no Debian.")

    monkeypatch.setattr(interpreters, "_on_this_machine", lambda _version: [])
    monkeypatch.setattr(interpreters, "_unpacked", unpacked)
    assert interpreters.find("3.9") == Interpreter(Path(sys.executable), OWN)
    assert "Python 3.9 is not to be had here" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.network
def test_python_3_9_out_of_an_older_debian(tmp_path, monkeypatch):
    monkeypatch.setattr(interpreters, "FOLDER", tmp_path)
    found = interpreters._unpacked("3.9")
    program = "import ctypes, decimal, distutils.command.install, sqlite3, ssl, sys, venv; print(sys.version_info[:2])"
    environment = dict(found.variables)
    said = subprocess.run(
        [found.path, "-c", program], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert said == "(3, 9)\n"


def test_an_environment_that_could_not_be_made_is_not_taken_for_one(tmp_path, monkeypatch):
    def run(_command: list[str], _what_failed: str, _variables: dict[str, str]) -> None:
        raise MachineNotReady("no network")

    monkeypatch.setattr(versions.environment, "run", run)
    monkeypatch.setattr(interpreters, "find", lambda version: Interpreter(Path(sys.executable), version))
    with pytest.raises(MachineNotReady):
        versions.install("24.11", tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []


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

"""Debian's packages: asked for only where they are missing, and installed only where that is allowed."""

from __future__ import annotations

import subprocess

import pytest

from tools import system_packages
from tools.system_packages import MachineNotReady


@pytest.fixture
def machine(monkeypatch):
    """A machine on which only libold and libnewt64 are installed, and apt knows libtwo under its new name."""
    calls: list[list[str]] = []

    def run(command, **options):
        calls.append(list(command))
        out = {
            "dpkg-query": "installed libold\ninstalled libnewt64\nnot-installed libgone\n",
            "apt-cache": "libtwot64\nlibone\n",
        }.get(command[0], "")
        if "--print-uris" in command:
            out = "2 newly installed\nNeed to get 3,400 kB/4,000 kB of archives.\n"
        return subprocess.CompletedProcess(command, 0, out, "")

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    return calls


def test_what_is_installed_is_not_asked_for(machine):
    system_packages.require(["libold", "libnew"])
    assert [command[0] for command in machine] == ["dpkg-query"]


def test_an_ordinary_person_gets_the_one_line(machine, monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(MachineNotReady, match=r"\n  sudo apt-get install libgone libtwot64$"):
        system_packages.require(["libold", "libgone", "libtwo"])


def test_root_installs_what_is_missing(machine, monkeypatch, capsys):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    system_packages.require(["libold", "libgone", "libtwo"])
    assert machine[1] == ["apt-get", "update"]
    assert machine[-1] == ["apt-get", "install", "--yes", "--no-install-recommends", "libgone", "libtwot64"]
    assert capsys.readouterr().err == "Installing 2 system packages with apt (3,400 kB): libgone, libtwo\n"


def test_a_failed_installation_is_shown(machine, monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    whole = subprocess.run

    def run(command, **options):
        if command[:2] == ("apt-get", "install"):
            return subprocess.CompletedProcess(command, 100, "", "E: Unable to locate package libgone\n")
        return whole(command, **options)

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(MachineNotReady, match="Unable to locate package libgone"):
        system_packages.require(["libgone"])


def test_other_systems_are_left_alone(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    system_packages.require(["libgone"])

"""Debian's packages: asked for only where they are missing, and installed only where that is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import environment
from tools.environment import MachineNotReady
from tools.test import QT_LIBRARIES


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine on which only libold and libnewt64 are installed, and the file in which it writes apt's commands.

    apt fails where there is a file ``fails``.
    """
    calls = tmp_path / "calls"
    calls.touch()
    write_command(tmp_path / "dpkg-query", "printf 'installed libold\\ninstalled libnewt64\\nnot-installed libgone\\n'")
    write_command(
        tmp_path / "apt-get",
        f'printf "%s\\n" "$*" >> "{calls}"',
        'case "$*" in satisfy*) echo "Need to get 3,400 kB of archives.";; esac',
        f'[ ! -e "{tmp_path}/fails" ] || {{ echo "E: Unable to locate package libgone" >&2; exit 100; }}',
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    return calls


def write_command(path: Path, *lines: str) -> None:
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)


def test_what_is_installed_is_not_asked_for(machine):
    environment.require_packages(["libold", "libnewt64 | libnew", "libgone | libold"])
    assert machine.read_text() == ""


def test_an_ordinary_person_gets_the_one_line(machine, monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    line = r"\n  sudo apt-get satisfy --no-install-recommends 'libgone, libtwot64 \| libtwo'$"
    with pytest.raises(MachineNotReady, match=line):
        environment.require_packages(["libold", "libgone", "libtwot64 | libtwo"])
    assert machine.read_text() == ""


def test_root_installs_what_is_missing(machine, monkeypatch, capfd):
    """apt itself says what it installs, and how much it downloads before it does."""
    monkeypatch.setattr("os.geteuid", lambda: 0)
    environment.require_packages(["libold", "libgone", "libtwot64 | libtwo"])
    installed = "satisfy --no-install-recommends libgone, libtwot64 | libtwo --yes\n"
    assert machine.read_text() == f"update\n{installed}"
    assert capfd.readouterr() == ("", "Need to get 3,400 kB of archives.\n")


@pytest.mark.parametrize("known", [False, True])
def test_a_failed_installation_is_shown(known, machine, monkeypatch, capfd):
    """That of the list of packages as well."""
    monkeypatch.setattr("os.geteuid", lambda: 0)
    if known:
        write_command(machine.with_name("apt-get"), '[ "$1" = update ] || { echo "Unable to locate" >&2; exit 1; }')
    else:
        machine.with_name("fails").touch()
    with pytest.raises(MachineNotReady) as caught:
        environment.require_packages(["libgone"])
    assert "Unable to locate" in (capfd.readouterr().err if known else str(caught.value))


def test_other_systems_are_left_alone(machine, monkeypatch):
    machine.with_name("dpkg-query").unlink()
    environment.require_packages(["libgone"])


@pytest.mark.skipif(not Path("/usr/bin/apt-get").exists(), reason="only apt knows its packages")
def test_what_the_tests_need_is_installed_as_apt_sees_it_too():
    """The names, and the alternatives among them, are what apt understands."""
    done = environment.call("apt-get", "satisfy", "--simulate", "--no-install-recommends", ", ".join(QT_LIBRARIES))
    assert "\nInst " not in done

"""SIGTERM and SIGHUP are as Ctrl-C: all is tidied up, and the exit code says which it was."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import PATIENCE

from tools import commands, stopping

ROOT = Path(__file__).resolve().parents[2]

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
EACH = pytest.mark.parametrize("number", CODES, ids=lambda number: number.name)


@EACH
@pytest.mark.parametrize("form", ["collection", "colpkg"])
def test_nothing_is_left(number, form, busy, files, temporary, tmp_path):
    report = tmp_path / "report.json"
    process = busy(getattr(files, form), "--json", report)
    assert list(temporary.iterdir())
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (CODES[number], "", "Cancelled.\n")
    assert list(temporary.iterdir()) == list(tmp_path.iterdir()) == []


@EACH
def test_no_drafts_are_left(number, busy, files, temporary, tmp_path):
    old = tmp_path / "predictions.csv"
    old.write_text("old")
    process = busy(files.collection, "--predictions", old, "--html", tmp_path / "page.html")
    assert len(list(tmp_path.iterdir())) == 2
    process.send_signal(number)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == CODES[number]
    assert list(tmp_path.iterdir()) == [old]
    assert old.read_text() == "old"


def test_a_second_signal_does_not_keep_the_first_from_tidying_up():
    """As where a terminal is closed: the shell and the system both say so."""
    with stopping.Stop() as stop:
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGHUP)
        os.kill(os.getpid(), signal.SIGHUP)
        os.kill(os.getpid(), signal.SIGTERM)
    assert stop.code == 129


def test_but_later_it_does(monkeypatch):
    """Where a library has swallowed the first, nothing but SIGKILL would help."""
    monkeypatch.setattr(stopping, "SECONDS_TO_TIDY_UP", 0.0)
    with stopping.Stop():
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGTERM)


def test_what_was_done_before_is_done_again_afterwards():
    before = [signal.getsignal(number) for number in stopping.SIGNALS]
    with stopping.Stop():
        assert [signal.getsignal(number) for number in stopping.SIGNALS] != before
    assert [signal.getsignal(number) for number in stopping.SIGNALS] == before


def test_nohup_is_heard(busy, files, monkeypatch):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        process = busy(files.collection)
    finally:
        signal.signal(signal.SIGHUP, before)
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 143


@EACH
def test_a_library_that_takes_it_for_its_own_error(number, monkeypatch, capsys):
    def main(arguments: list[str]) -> int:
        try:
            os.kill(os.getpid(), number)
        except KeyboardInterrupt:
            raise ValueError("what was that?") from None
        return 0

    monkeypatch.setattr("tools.evaluate.main", main)
    monkeypatch.setattr("tools.environment.ensure", lambda extras: None)
    assert commands.run(["evaluate", "collection.anki2"]) == CODES[number]
    assert capsys.readouterr().err == "Cancelled.\n"


@EACH
def test_where_the_terminal_has_gone_the_exit_code_still_says_it(number, busy, files, temporary):
    with Path("/dev/full").open("w") as full:
        process = busy(files.collection, stderr=full)
        process.send_signal(number)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == CODES[number]
    assert list(temporary.iterdir()) == []


def wait_for_people(folder: Path, process: subprocess.Popen[str]) -> None:
    there: list[Path] = []
    while not there:
        assert process.poll() is None, process.communicate()
        with contextlib.suppress(FileNotFoundError):  # the folder by which is tried whether there can be any is gone
            there = list(folder.glob(".*/*/*.anki2"))


@EACH
def test_simulate_leaves_nothing(number, temporary, tmp_path):
    command = [sys.executable, "tools", "simulate", str(tmp_path / "people"), "--people", "500", "--processes", "2"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    wait_for_people(tmp_path, process)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)  # returns when all that hold the streams are gone
    assert (process.returncode, out, err) == (CODES[number], "", "Cancelled.\n")
    assert list(tmp_path.iterdir()) == list(temporary.iterdir()) == []


def test_processes_of_simulate_end_when_the_first_is_killed(temporary, tmp_path, here):
    people = tmp_path / "people"
    command = [sys.executable, "tools", "simulate", str(people), "--people", "500", "--processes", "2"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wait_for_people(tmp_path, process)
    process.kill()
    process.communicate(timeout=PATIENCE)
    assert not people.exists()
    assert here("simulate", people, "--people", "2", "--processes", "1", "--reviews", "100").returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["people"]
    assert list(temporary.iterdir()) == []
    assert {path.name for path in people.iterdir()} >= {"1.anki2", "2.anki2"}

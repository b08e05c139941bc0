from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import PATIENCE

from tools.environment import ROOT

#: Exit codes by signal.
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
EACH_SIGNAL = pytest.mark.parametrize("signum", CODES, ids=lambda signum: signum.name)


@EACH_SIGNAL
def test_stopping_leaves_nothing_behind(signum, start_endless, files, temporary, tmp_path):
    report = tmp_path / "report.json"
    process = start_endless(files.colpkg, "--json", report)
    assert list(temporary.iterdir())
    process.send_signal(signum)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (CODES[signum], "", "Cancelled.\n")
    assert list(temporary.iterdir()) == list(tmp_path.iterdir()) == []


#: Runs a command whose database does not return, in our own check or in Anki's backend.
STUCK = """
import sqlite3, sys
from tools.sources import collection_file

QUERY = "with recursive c (x) as (select 1 union all select x + 1 from c) select count() from c"

def stuck(db):
    print("busy", flush=True)
    db.execute(QUERY)

if sys.argv.pop(1) == "check":
    collection_file.check = lambda *_: stuck(sqlite3.connect(":memory:"))
else:
    collection_file.read_open = lambda col, *_: stuck(col.db)
from tools.commands import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.parametrize("phase", ["check", "read"])
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_stopping_does_not_wait_for_a_database(phase, signum, files, temporary):
    command = [sys.executable, "-c", STUCK, phase, "evaluate", str(files.collection)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "busy\n"
        process.send_signal(signum)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (CODES[signum], "", "Cancelled.\n")
    assert list(temporary.iterdir()) == []


#: Runs a command that is stopped in the callback of a weak reference, where Python ignores exceptions.
IGNORED = """
import os, sys, time, weakref
import tools.evaluate

class Target: pass

def stop(_reference):
    os.kill(os.getpid(), int(sys.argv.pop(1)))
    time.sleep(1)

def evaluate(snapshot, options, *, progress, **_):
    target = Target()
    reference = weakref.ref(target, stop)
    del target
    progress(0.1, "preparing")
    print("The work goes on.")

tools.evaluate.evaluate = evaluate
from tools.commands import run
sys.exit(run(sys.argv[2:]))
"""


@EACH_SIGNAL
def test_signal_that_python_ignores_stops_the_next_step(signum, files):
    command = [sys.executable, "-c", IGNORED, str(int(signum)), "evaluate", str(files.collection)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (CODES[signum], "", "Cancelled.\n")


def test_stopping_leaves_no_drafts(start_endless, files, temporary, tmp_path):
    old = tmp_path / "predictions.csv"
    old.write_text("old")
    process = start_endless(files.collection, "--predictions", old, "--charts", tmp_path / "charts")
    assert len(list(tmp_path.iterdir())) == 3  # with the drafts of both
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 143
    assert list(tmp_path.iterdir()) == [old]
    assert old.read_text() == "old"


def test_ignored_hangup_does_not_stop_the_command(start_endless, files):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        process = start_endless(files.collection)
    finally:
        signal.signal(signal.SIGHUP, before)
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 143


def wait_for_people(folder: Path, process: subprocess.Popen[str]) -> None:
    """Wait until `simulate` has begun to write logs."""
    drafts = []
    while not drafts:
        assert process.poll() is None, process.communicate()
        with contextlib.suppress(FileNotFoundError):  # a folder that only tested writing is deleted meanwhile
            drafts = list(folder.glob(".*/*.anki2"))


def test_stopping_simulate_leaves_no_files(start, temporary, tmp_path):
    process = start("simulate", tmp_path / "people", "--people", 1000, "--processes", 2, "--reviews", 100)
    wait_for_people(tmp_path, process)
    process.send_signal(signal.SIGTERM)
    messages, _ = process.communicate(timeout=PATIENCE)  # returns when all processes that hold the streams have ended
    assert (process.returncode, messages) == (143, "Cancelled.\n")
    assert list(tmp_path.iterdir()) == list(temporary.iterdir()) == []

"""Runs of `benchmark` that are killed at any moment; a later run must reach the same results."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from tools.environment import ROOT
from tools.fuzz.case import OF_A_PROGRAM, SECONDS, SUCCESS, Place, changes, faults_of, left_behind, run_apart, state
from tools.fuzz.material import Material

ALGORITHMS = "AVG,SM-2,FSRS-6 default,FSRS-6"
COLLECTIONS = 4
#: Seconds within which most runs are ended; the last one is not.
SOON = 5.0


def judge(random: Random, material: Material, place: Place) -> list[str]:
    """What is wrong with the results or was left behind, after some killed runs and a complete one."""
    for number in range(COLLECTIONS):
        shutil.copyfile(material.collections[0][0], place.input / f"{number}.anki2")
    expected = material.folder / "benchmark" / "expected.jsonl"
    if not expected.exists():
        run_apart(_arguments(place, expected, processes=1), place)
    read = state(place.input)
    out = place.out / "results.jsonl"
    faults = []
    for _ in range(random.randint(1, 3)):
        faults += _end(random, _arguments(place, out, processes=random.randint(1, 2)), place, out)
    last = run_apart(_arguments(place, out, processes=1), place)
    faults += [*faults_of(last), *left_behind(place)]
    found, wanted = (sorted(path.read_bytes().splitlines()) for path in (out, expected))
    if last.code != SUCCESS or found != wanted:
        faults.append("the results are not those of a run that was not ended")
    return faults + changes(read, state(place.input))


def _arguments(place: Place, out: Path, *, processes: int) -> list[str]:
    where = [str(place.input), "--out", str(out)]
    return ["benchmark", *where, "--processes", str(processes), "--algorithms", ALGORITHMS]


def _end(random: Random, arguments: list[str], place: Place, out: Path) -> list[str]:
    """Start a run and kill it; return what is wrong with how it ends."""
    number = random.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP))
    send = random.choice((os.kill, os.killpg))
    moment = time.monotonic() + random.uniform(0, SOON)
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "tools"), *arguments],
        cwd=place.out,
        env=place.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    what = f"after {number.name}"
    try:
        # While Python itself starts, Ctrl-C is answered by Python.
        while process.poll() is None and (time.monotonic() < moment or (number == signal.SIGINT and not out.exists())):
            time.sleep(0.01)
        with contextlib.suppress(ProcessLookupError):
            send(process.pid, number)
        printed = process.communicate(timeout=SECONDS)[0].decode()
        while _lives(process.pid):  # those that it started
            if time.monotonic() > moment + SECONDS:
                return [f"{what} processes are left"]
            time.sleep(0.01)
    except subprocess.TimeoutExpired:
        return [f"{what} it does not end"]
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    # Of a killed process Python's own helper says what it tidies up.
    printed = "".join(line for line in printed.splitlines(keepends=True) if "resource_tracker" not in line)
    faults = []
    # By the signal itself: it came before the command began.
    if process.returncode not in (SUCCESS, 128 + number, -number):
        faults.append(f"{what} exit code {process.returncode}")
    if found := OF_A_PROGRAM.search(printed):
        faults.append(f"{what} it says {found[0]!r}")
    with (place.folder / "printed.txt").open("a", encoding="utf-8") as file:
        file.write(f"{what}: {printed}\n")
    # What was killed is tidied up by the next one, when there was time for nothing.
    return faults if number == signal.SIGKILL else faults + [f"{what} {fault}" for fault in left_behind(place)]


def _lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True

"""Giving freed memory back to the system."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, List

import numpy as np
import pytest
from waiting import PATIENCE, wait_until

from evaluator.fitting.anki_optimiser import Items
from ui.anki import freed_memory, optimiser
from ui.anki.freed_memory import give_back, given_back

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def trimmed(monkeypatch: pytest.MonkeyPatch) -> List[int]:
    """A C library that notes how it is called, every hundredth of a second."""
    calls: List[int] = []
    monkeypatch.setattr(freed_memory, "_function", {"malloc_trim": calls.append}.get)
    monkeypatch.setattr(freed_memory, "EVERY", 0.01)
    return calls


def wait_for_its_end() -> None:
    """Until no thread gives memory back any more."""
    for thread in threading.enumerate():
        if thread.name == "freed memory":
            thread.join(PATIENCE)
            assert not thread.is_alive()


def test_again_and_again_while_it_lasts(trimmed: List[int]) -> None:
    with given_back():
        wait_until(lambda: len(trimmed) >= 3)
    before_the_end = len(trimmed)
    wait_for_its_end()
    assert len(trimmed) > before_the_end
    assert set(trimmed) == {0}


def test_not_for_what_is_short(trimmed: List[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freed_memory, "EVERY", PATIENCE)
    with given_back():
        pass
    wait_for_its_end()
    assert trimmed == [0]


def test_what_is_raised_ends_it(trimmed: List[int]) -> None:
    with pytest.raises(RuntimeError), given_back():
        raise RuntimeError
    wait_for_its_end()


@pytest.mark.parametrize("error", [AttributeError, OSError, TypeError])
def test_another_c_library(error: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def without(_: object) -> None:
        raise error

    monkeypatch.setattr(ctypes, "CDLL", without)
    with given_back():
        pass
    give_back()


def test_at_once(trimmed: List[int]) -> None:
    give_back()
    assert trimmed == [0]


def test_only_large_calls_of_the_optimiser_give_back(trimmed: List[int], monkeypatch: pytest.MonkeyPatch) -> None:
    one = np.ones(1, dtype=np.int64)
    items = Items(0 * one, one, one, 0 * one)
    optimiser._call(lambda _: (), items)
    assert trimmed == []
    monkeypatch.setattr(optimiser, "GIVEN_BACK_FROM", 1)
    optimiser._call(lambda _: (), items)
    assert 0 in trimmed
    wait_for_its_end()


def test_this_c_library(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, real = [], freed_memory._function("malloc_trim")
    if real is not None:
        monkeypatch.setattr(freed_memory, "_function", lambda _: lambda pad: calls.append(real(pad)))
    monkeypatch.setattr(freed_memory, "EVERY", 0.01)
    with given_back():
        wait_until(lambda: real is None or len(calls) >= 3)
    wait_for_its_end()
    assert set(calls) <= {0, 1}  # whether there was something to give back


#: Frees arrays of many sizes on threads that stay, and tells the megabytes that remain.
THREADS = """
import sys, threading
import numpy as np
from pathlib import Path
from ui.anki.freed_memory import give_back, keep_little

def megabytes():
    return next(int(l.split()[1]) for l in Path("/proc/self/status").read_text().splitlines() if "VmRSS" in l) / 1024

def work(done, end):
    np.ones(3_000_000)  # 24 MB, which glibc learns from
    for _ in range(3):
        arrays = [np.ones(100_000) for _ in range(30)]
        del arrays
    done.release()
    end.wait()

if sys.argv[1] == "little":
    keep_little()
before, done, end = megabytes(), threading.Semaphore(0), threading.Event()
for _ in range(6):
    threading.Thread(target=work, args=(done, end)).start()
    done.acquire()
give_back()
print(megabytes() - before)
end.set()
"""


@pytest.mark.skipif(freed_memory._function("malloc_trim") is None, reason="another C library")
def test_threads_keep_little() -> None:
    """What they would keep otherwise is much."""
    kept = {}
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_"))}
    for how in ("much", "little"):
        command = [sys.executable, "-c", THREADS, how]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        kept[how] = float(done.stdout)
    assert kept["little"] < kept["much"] / 2  # how many pages belong to each depends on the system

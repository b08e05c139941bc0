"""Giving freed memory back to the system."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, List

import pytest
from waiting import PATIENCE, wait_until

from ui.anki import freed_memory
from ui.anki.freed_memory import give_back, given_back


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


def test_this_c_library(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, real = [], freed_memory._function("malloc_trim")
    if real is not None:
        monkeypatch.setattr(freed_memory, "_function", lambda _: lambda pad: calls.append(real(pad)))
    monkeypatch.setattr(freed_memory, "EVERY", 0.01)
    with given_back():
        wait_until(lambda: real is None or len(calls) >= 3)
    wait_for_its_end()
    assert set(calls) <= {0, 1}  # whether there was something to give back

"""Giving freed memory back to the system."""

from __future__ import annotations

import ctypes
import time
from typing import Any, List

import pytest

from ui import freed_memory
from ui.freed_memory import give_back, given_back


@pytest.fixture
def trimmed(monkeypatch: pytest.MonkeyPatch) -> List[int]:
    """A C library that notes how it is called, every hundredth of a second."""
    calls: List[int] = []
    monkeypatch.setattr(freed_memory, "_malloc_trim", lambda: calls.append)
    monkeypatch.setattr(freed_memory, "EVERY", 0.01)
    return calls


def test_again_and_again_while_it_lasts(trimmed: List[int]) -> None:
    """And once more at the end, then never."""
    with given_back():
        time.sleep(0.2)
    time.sleep(0.1)
    count = len(trimmed)
    assert 3 <= count <= 22
    time.sleep(0.05)
    assert len(trimmed) == count
    assert set(trimmed) == {0}


def test_not_for_what_is_short(trimmed: List[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Small collections need no more than once, at the start."""
    monkeypatch.setattr(freed_memory, "EVERY", 0.2)
    with given_back():
        pass
    time.sleep(0.3)
    assert trimmed == [0]


def test_what_is_raised_ends_it(trimmed: List[int]) -> None:
    """And goes on."""
    with pytest.raises(RuntimeError), given_back():
        raise RuntimeError
    time.sleep(0.05)
    assert len(trimmed) <= 2


@pytest.mark.parametrize("error", [AttributeError, OSError, TypeError])
def test_another_c_library(error: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of macOS, of Windows, musl: nothing is done."""

    def without(_: object) -> None:
        raise error

    monkeypatch.setattr(ctypes, "CDLL", without)
    with given_back():
        pass
    give_back()


def test_at_once(trimmed: List[int]) -> None:
    """Once."""
    give_back()
    assert trimmed == [0]


def test_this_c_library() -> None:
    """Whatever it is, it does no harm."""
    with given_back():
        time.sleep(1.2 * freed_memory.EVERY)

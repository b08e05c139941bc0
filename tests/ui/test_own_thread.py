"""A task that may hang holds up nobody who no longer wants it."""

from __future__ import annotations

import threading
import time

import pytest

from ui.dialog.own_thread import Unwanted, on_own_thread


def test_it_is_waited_for() -> None:
    """On another thread."""
    done: list[threading.Thread] = []
    on_own_thread(lambda: (time.sleep(0.2), done.append(threading.current_thread()))[1], lambda: True)
    assert done[0] is not threading.current_thread()


def test_what_it_raises_is_raised() -> None:
    """With where it was."""

    def task() -> None:
        raise KeyError("the task's own")

    with pytest.raises(KeyError, match="the task's own") as caught:
        on_own_thread(task, lambda: True)
    assert caught.traceback[-1].name == "task"


def test_once_unwanted_it_is_left_to_itself() -> None:
    """At once, and a program may end meanwhile."""
    end = threading.Event()
    start = time.monotonic()
    with pytest.raises(Unwanted):
        on_own_thread(lambda: end.wait(20) and None, lambda: time.monotonic() < start + 0.1)
    assert time.monotonic() - start < 5
    (left,) = [thread for thread in threading.enumerate() if thread.name == "SRS Evaluator, libraries"]
    assert left.daemon
    end.set()
    left.join(5)
    assert not left.is_alive()

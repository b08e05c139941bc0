"""A task that may hang holds up nobody who no longer wants it."""

from __future__ import annotations

import threading

import pytest
from waiting import PATIENCE

from evaluator.progress import Cancelled
from ui.window.libraries import on_own_thread


def test_it_is_waited_for() -> None:
    """On another thread."""
    looked, end = [], threading.Event()
    done: list[threading.Thread] = []

    def wanted() -> bool:
        looked.append(list(done))
        if len(looked) == 3:
            end.set()
        return True

    on_own_thread(lambda: (end.wait(PATIENCE), done.append(threading.current_thread()))[1], wanted)
    assert looked[:3] == [[], [], []]
    assert done[0] is not threading.current_thread()


def test_what_it_raises_is_raised() -> None:
    """With where it was."""

    def task() -> None:
        raise KeyError("the task's own")

    with pytest.raises(KeyError, match="the task's own") as caught:
        on_own_thread(task, lambda: True)
    assert "task" in [entry.name for entry in caught.traceback]


def test_once_unwanted_it_is_left_to_itself() -> None:
    """At once, and a program may end meanwhile."""
    end, wanted = threading.Event(), iter([True, True, False])
    with pytest.raises(Cancelled):
        on_own_thread(lambda: end.wait(PATIENCE) and None, wanted.__next__)
    (left,) = [thread for thread in threading.enumerate() if thread.name == "SRS Evaluator, libraries"]
    assert left.daemon
    end.set()
    left.join(PATIENCE)
    assert not left.is_alive()

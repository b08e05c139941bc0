"""Two Ankis that want to install at the same time, and a task that may hang: nobody who does not want it is held up."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from waiting import PATIENCE

from ui.window.installing import Unwanted, alone, on_own_thread

ROOT = Path(__file__).resolve().parents[2]

#: Another program that holds the lock, until its input ends.
_OTHER = """
import sys
import threading
from pathlib import Path
from ui.window.installing import alone
with alone(Path(sys.argv[1]), lambda: None):
    print("held", flush=True)
    sys.stdin.read()
"""


def other(lock: Path) -> subprocess.Popen[str]:
    """Another program, which holds it now."""
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", _OTHER, str(lock)], cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_the_second_waits_for_the_first(tmp_path: Path) -> None:
    process = other(tmp_path / "lock")
    waited = []

    def waiting() -> None:
        waited.append("")
        if len(waited) == 3:
            process.communicate()

    with alone(tmp_path / "lock", waiting):
        assert len(waited) >= 3
        assert process.returncode == 0
    assert not list(tmp_path.iterdir())


def test_waiting_can_be_given_up(tmp_path: Path) -> None:
    def waiting() -> None:
        raise KeyError

    with other(tmp_path / "lock") as process:
        with pytest.raises(KeyError), alone(tmp_path / "lock", waiting):
            pytest.fail("it is held elsewhere")
        process.communicate()
    assert not list(tmp_path.iterdir())


def test_a_program_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    process = other(tmp_path / "lock")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]
    with alone(tmp_path / "lock", lambda: pytest.fail("nobody holds it")):
        pass
    assert not list(tmp_path.iterdir())


def test_where_no_file_can_be_made_nothing_is_held(tmp_path: Path) -> None:
    done = []
    with alone(tmp_path / "no such folder" / "lock", lambda: pytest.fail("nobody holds it")):
        done.append("it")
    assert done == ["it"]


def test_a_task_is_waited_for() -> None:
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


def test_what_a_task_raises_is_raised() -> None:
    def task() -> None:
        raise KeyError("the task's own")

    with pytest.raises(KeyError, match="the task's own") as caught:
        on_own_thread(task, lambda: True)
    assert caught.traceback[-1].name == "task"


def test_once_unwanted_a_task_is_left_to_itself() -> None:
    end, wanted = threading.Event(), iter([True, True, False])
    with pytest.raises(Unwanted):
        on_own_thread(lambda: end.wait(PATIENCE) and None, wanted.__next__)
    (left,) = [thread for thread in threading.enumerate() if thread.name == "SRS Evaluator, libraries"]
    assert left.daemon
    end.set()
    left.join(PATIENCE)
    assert not left.is_alive()

"""Two Ankis that want to install at the same time."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ui.window.installing import alone

ROOT = Path(__file__).resolve().parents[2]

#: Another program that holds the lock, until its input ends.
_OTHER = """
import sys
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

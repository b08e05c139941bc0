from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tools import environment
from tools.environment import MachineNotReady

ROOT = Path(__file__).resolve().parents[2]

#: A program that says what is in its first argument, and then ends as its second says.
PROGRAM = "import sys; print(sys.argv[1]); sys.exit(int(sys.argv[2]))"


def test_program_output_goes_to_standard_error(capfd):
    environment.run_command(sys.executable, "-c", PROGRAM, "numpy", "0", failed="It could not be installed.")
    assert capfd.readouterr() == ("", "numpy\n")


def test_error_follows_the_output_of_a_failed_program(capfd):
    with pytest.raises(MachineNotReady, match=r"^It could not be installed\.$"):
        environment.run_command(
            sys.executable, "-c", PROGRAM, "ERROR: No matching distribution", "1", failed="It could not be installed."
        )
    assert capfd.readouterr() == ("", "ERROR: No matching distribution\n")


#: Holds the lock of its first argument, and starts a program that records its process and its temporary folder in a
#: file "end.begun", and ends when a file "end" is there.
HOLDER = """
import sys
from pathlib import Path
from tools import environment
waiting = '''import os, sys, tempfile, time
from pathlib import Path
draft = Path(sys.argv[1] + ".draft")
draft.write_text(f"{os.getpid()} {tempfile.mkdtemp()}")
draft.rename(sys.argv[1] + ".begun")
while not Path(sys.argv[1]).exists():
    time.sleep(0.01)
'''
with environment.file_lock(Path(sys.argv[1])):
    print("locked", flush=True)
    environment.run_command(sys.executable, "-c", waiting, sys.argv[2], failed="It failed.")
"""


@pytest.fixture
def holder(tmp_path):
    """A process with the lock ``lock``, whose program runs until there is a file ``end``."""
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "lock"), str(tmp_path / "end")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "locked\n"
        while not (tmp_path / "end.begun").exists():
            assert process.poll() is None
        yield process
        (tmp_path / "end").touch()


def is_held(lock: Path) -> bool:
    fcntl = pytest.importorskip("fcntl")
    with lock.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def test_an_interrupt_also_ends_pip(holder, tmp_path):
    program, temporary = (tmp_path / "end.begun").read_text().split(" ", 1)
    holder.send_signal(signal.SIGINT)
    holder.wait()
    with pytest.raises(ProcessLookupError):
        os.kill(int(program), 0)
    assert not is_held(tmp_path / "lock")
    assert not Path(temporary).exists()

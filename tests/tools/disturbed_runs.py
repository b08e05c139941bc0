"""Runs of `benchmark` that tests stop or kill."""

from __future__ import annotations

import subprocess
from pathlib import Path

from waiting import wait_until

#: An average, an algorithm without training, one that takes long enough to be disturbed, and Anki's optimizer.
ALGORITHMS = "AVG,FSRS-6 default,FSRS-7,FSRS-rs"


def wait_for_lines(path: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Wait until the file that a running command writes has this many lines."""

    def has_lines():
        assert process.poll() is None, process.communicate()[0]
        return path.exists() and path.read_bytes().count(b"\n") >= count

    wait_until(has_lines)

from __future__ import annotations

import subprocess
from pathlib import Path

from waiting import wait_until

#: One that knows nothing, one that is not trained, that of Anki, and one that takes long enough to be disturbed.
ALGORITHMS = "AVG,FSRS-6 default,FSRS-7,FSRS-rs"


def wait_for_lines(path: Path, lines: int, process: subprocess.Popen[str]) -> None:
    """Wait until the file of a running command has this many lines."""

    def are_there():
        assert process.poll() is None, process.communicate()[0]
        return path.exists() and path.read_bytes().count(b"\n") >= lines

    wait_until(are_there)

"""What tests need that disturb a benchmark while it runs."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

#: One that knows nothing, one that is not trained, that of Anki, and one that takes long enough to be disturbed.
ALGORITHMS = "AVG,FSRS-6 default,FSRS-7,FSRS-rs"


def wait_for_lines(path: Path, lines: int, process: subprocess.Popen[str]) -> None:
    """Until there are so many lines in the file of a run that is under way."""
    deadline = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") < lines:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline
        time.sleep(0.005)

"""Wait in tests. No test expects a speed, because machines may be slow."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Callable

#: Seconds after which a test is taken to hang.
PATIENCE = 15 * 60


def wait_until(condition: Callable[[], object]) -> None:
    """Wait until the condition holds. Fail if it does not within ``PATIENCE``."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "It hangs."
        time.sleep(0.01)


def is_running(process: int) -> bool:
    """Return True if a process has not ended. A zombie has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False

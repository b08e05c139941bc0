"""Waiting in tests. How long something takes is never asserted: a machine may be as slow as it likes."""

from __future__ import annotations

import time
from typing import Callable

#: Seconds after which what has not ended is taken to hang.
PATIENCE = 15 * 60


def wait_until(holds: Callable[[], object]) -> None:
    """Return as soon as it holds, or fail if it never does."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "It hangs."
        time.sleep(0.01)

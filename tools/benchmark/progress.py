"""Progress and remaining time of a benchmark: on a terminal in place, otherwise line by line."""

from __future__ import annotations

import sys
import time

from tools.output.progress import ProgressLine
from tools.output.streams import say

#: Seconds between two lines if the stream is not a terminal, such as a log file.
BETWEEN_LINES = 60.0


class BenchmarkProgress:
    """Show progress after each finished collection. The caller clears ``line`` in the end."""

    def __init__(self, line: ProgressLine, *, finished: int, collections: int, work: int) -> None:
        """Start counting.

        Args:
            line: the line to show it on.
            finished: collections that were finished before.
            collections: all of them.
            work: remaining work, in any unit proportional to time.
        """
        self._line = line
        self._finished, self._collections = finished, collections
        self._work, self._done, self._failed = max(work, 1), 0, 0
        self._told = time.monotonic()
        self._show()

    def add(self, work: int, *, failed: bool) -> None:
        """Count one more finished collection."""
        self._finished += 1
        self._failed += failed
        self._done += work
        self._show()

    def _show(self) -> None:
        words = [
            f"{self._finished:,} of {self._collections:,} collections",
            f"{self._failed:,} failed" if self._failed else "",
        ]
        self._line.show(self._done / self._work, ", ".join(filter(None, words)))
        if not sys.stderr.isatty() and time.monotonic() - self._told >= BETWEEN_LINES:
            self._told = time.monotonic()
            say(", ".join(filter(None, [*words, self._line.time_left()])))

"""Progress, speed and remaining time of a benchmark: on a terminal in place, else line by line."""

from __future__ import annotations

import sys
import time

from tools.progress import SPEED_OF_LAST_SECONDS, ProgressLine

#: Seconds between two lines where the stream is no terminal, as in the log of a night's work.
BETWEEN_LINES = 60.0


class BenchmarkProgress:
    """Shows progress, once told of each finished collection. The caller clears ``line`` in the end."""

    def __init__(self, line: ProgressLine, *, finished: int, collections: int, work: int) -> None:
        """Begin.

        Args:
            line: where it is shown.
            finished: collections that were finished before.
            collections: all of them.
            work: what is left, in any unit that time is in proportion to.
        """
        self._line = line
        self._finished, self._collections = finished, collections
        self._work, self._done, self._failed = max(work, 1), 0, 0
        self._told = time.monotonic()
        self._ends: list[float] = [self._told]
        self._show(self._told)

    def add(self, work: int, *, failed: bool) -> None:
        """Count one more finished collection."""
        now = time.monotonic()
        self._finished += 1
        self._failed += failed
        self._done += work
        self._ends.append(now)
        while self._ends[1] < now - SPEED_OF_LAST_SECONDS:
            del self._ends[0]
        self._show(now)

    def _show(self, now: float) -> None:
        seconds = now - self._ends[0]  # rich knows the speed of the work alone
        rate = (len(self._ends) - 1) / seconds if seconds else 0.0
        words = [
            f"{self._finished:,} of {self._collections:,} collections",
            f"{rate:.2g} per second" if 0 < rate < 1 else f"{rate:.1f} per second" if rate else "",
            f"{self._failed:,} failed" if self._failed else "",
        ]
        self._line.show(self._done / self._work, ", ".join(filter(None, words)))
        if not sys.stderr.isatty() and now - self._told >= BETWEEN_LINES:
            self._told = now
            print(", ".join(filter(None, [*words, self._line.time_left()])), file=sys.stderr, flush=True)

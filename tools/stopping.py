"""What ends a command before its time: Ctrl-C, SIGTERM, and SIGHUP, as when its terminal is closed.

By hand, as Python lets only Ctrl-C tidy up, and passes it on to all processes that it has started.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Self

#: Those that a system has; Windows has no SIGHUP.
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

#: A second signal within so many is the same once more, and must not keep the first from tidying up: where a terminal
#: is closed, both the shell and the system say so.
SECONDS_TO_TIDY_UP = 3.0


class Stop(contextlib.ExitStack):
    """Within this block, each of the signals raises KeyboardInterrupt, so that everything is tidied up.

    Attributes:
        signal: the number of the one that came; None: none did. A library may have taken the exception for its own.
    """

    def __init__(self) -> None:
        super().__init__()
        self.signal: int | None = None
        self._came = 0.0

    @property
    def code(self) -> int:
        """The exit code after the signal, as shells have it."""
        return 128 + (self.signal or signal.SIGINT)

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():  # others cannot say what a signal does
            for number in SIGNALS:
                # What `nohup` has it ignore is ignored. Ctrl-C is heard, also by what a script started with `&`.
                if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
                    self.callback(signal.signal, number, signal.signal(number, self._stop))
        return self

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        if self.signal is not None and time.monotonic() - self._came < SECONDS_TO_TIDY_UP:
            return
        self.signal, self._came = number, time.monotonic()
        raise KeyboardInterrupt


@contextlib.contextmanager
def deaf() -> Iterator[None]:
    """Make processes that are started in this block ignore Ctrl-C and a closed terminal: the first process ends them.

    It does hear SIGTERM, by which that is done. What comes in the meantime waits.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker  # most commands start no process of ours

    own = {number for number in SIGNALS if number != signal.SIGTERM}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, own)
    try:
        # Python starts this with the first process, and lets Ctrl-C through again.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, own)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

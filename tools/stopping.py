"""Handling of signals, which raise an exception so that a command ends with all cleanup."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from types import FrameType
from typing import Any, TypeVar

Result = TypeVar("Result")

#: Seconds that the other thread of a stopped :func:`run_in_thread` has to reach its next step.
_GRACE = 0.3

#: Exceptions of signals that Python has ignored.
_ignored: list[KeyboardInterrupt] = []


class Ended(KeyboardInterrupt):
    """Exception of a signal that ends the command."""

    def __init__(self, number: int) -> None:
        super().__init__()
        #: Exit code by the convention of shells.
        self.code = 128 + number


def raise_ended(number: int, _frame: FrameType | None) -> None:
    """Handle a signal by raising Ended."""
    raise Ended(number)


def keep_ignored(unraisable: Any) -> None:
    """Keep an exception of a signal that Python ignores, for example in the callback of a weak reference.

    This is a ``sys.unraisablehook``.
    """
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        _ignored.append(unraisable.exc_value)
    else:
        sys.__unraisablehook__(unraisable)


def raise_ignored() -> None:
    """Raise the exception that :func:`keep_ignored` has kept, if any. Long work calls this between its steps."""
    if _ignored:
        raise _ignored.pop()


def run_in_thread(work: Callable[[], Result]) -> Result:
    """Run a function in another thread, and return its result.

    Python handles a signal between two instructions of the main thread. Code of SQLite or of Anki's backend there would
    delay this. In another thread it ends with the process.
    """
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - the waiting thread raises it
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        # On Windows, waiting without a limit ignores Ctrl-C. In Python 3.11, Thread.join takes an interrupted thread
        # for an ended one.
        while not future.done():
            wait([future], 0.1)
    except KeyboardInterrupt as error:
        # The next step raises it there too.
        _ignored.append(error)
        wait([future], _GRACE)
        _ignored.clear()
        raise
    return future.result()

"""How libraries are installed: one installation at a time, on a thread that nobody needs to wait for."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Iterator, List

from aqt.qt import QLockFile

#: So often the other one is looked for.
_LOOK_MS = 100
#: Longer nobody installs. (What a program has left that is no longer there counts for nothing anyway.)
_LONGEST_MS = 3_600_000


@contextmanager
def alone(lock: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock file of that name meanwhile; ``waiting`` is called again and again until that is possible.

    Where no such file can be made nothing is held: what cannot be written there fails by itself, with a sentence.
    """
    file = QLockFile(str(lock))
    file.setStaleLockTime(_LONGEST_MS)
    while not file.tryLock(_LOOK_MS) and file.error() == QLockFile.LockError.LockFailedError:
        waiting()
    try:
        yield
    finally:
        file.unlock()


#: So often it is looked whether it is still wanted.
_LOOK_SECONDS = 0.05


class Unwanted(Exception):
    """The task was left to itself before its end."""


def on_own_thread(task: Callable[[], None], wanted: Callable[[], bool]) -> None:
    """Do the task and raise what it raises; once it is no longer ``wanted``, leave it to itself.

    What waits for an answer of the network cannot be stopped, and when Anki quits it waits for its own threads to end.
    """
    raised: List[BaseException] = []

    def run() -> None:
        try:
            task()
        except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
            raised.append(error)

    thread = threading.Thread(target=run, name="SRS Evaluator, libraries", daemon=True)
    thread.start()
    while thread.is_alive():
        if not wanted():
            raise Unwanted
        thread.join(_LOOK_SECONDS)
    if raised:
        raise raised[0]

"""One installation at a time: of this Anki or of another that has the same folder."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Iterator

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

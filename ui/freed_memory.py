"""Memory that was freed, given back to the system."""

from __future__ import annotations

import ctypes
import threading
from contextlib import contextmanager
from typing import Any, Iterator, Optional

#: Seconds between two times. It takes some hundredths of a second where there is much to give back.
EVERY = 0.5


@contextmanager
def given_back() -> Iterator[None]:
    """While this lasts, what has been freed goes back to the system every half second.

    The C library of Linux (glibc) keeps what is freed below something still in use. Anki's optimiser leaves a third of
    its memory that way when it has built its batches, and other threads cannot take it. Other systems need no help.
    """
    trim = _malloc_trim()
    done = threading.Event()
    if trim is not None:
        threading.Thread(target=_trim_until, args=(done, trim), name="freed memory", daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _trim_until(done: threading.Event, trim: Any) -> None:
    if done.wait(EVERY):  # over before it was worth anything
        return
    trim(0)
    while not done.wait(EVERY):
        trim(0)
    trim(0)


def _malloc_trim() -> Optional[Any]:
    """The function of that name of glibc, which lets go of Python's lock; None elsewhere."""
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another C library; Windows has no such handle
        return None

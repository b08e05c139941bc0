"""Memory that was freed, given back to the system."""

from __future__ import annotations

import ctypes
import threading
from contextlib import contextmanager
from typing import Any, Iterator, Optional

#: Seconds between two times: a second takes 40 MB more at a million reviews, a tenth 3 % more time.
EVERY = 0.25
#: Of ``mallopt``: how much freed memory may lie at the end of a thread's memory, and from which size on an array has
#: pages of its own, which go back at once but are slow to get. Without the second that would be 128 KB.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_MOST_KEPT, _LARGE = 1 << 20, 32 << 20


def keep_little() -> None:
    """From now on a thread keeps at most a megabyte of what was freed at the end of its memory.

    glibc raises that limit to twice the largest array that was ever freed, up to 64 MB, for every thread, and
    ``malloc_trim`` leaves just this part alone: each window would leave some megabytes more behind.
    """
    mallopt = _function("mallopt") if _function("malloc_trim") else None  # other libraries may count otherwise
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_TRIM_THRESHOLD, _MOST_KEPT)


@contextmanager
def given_back() -> Iterator[None]:
    """Give what has been freed back to the system: at once, again and again while this lasts, and at its end.

    The C library of Linux (glibc) keeps what is freed below something still in use. Anki's optimiser leaves a third of
    its memory that way when it has built its batches, and other threads cannot take it. Other systems need no help.
    """
    trim = _function("malloc_trim")
    if trim is None:
        yield
        return
    done = threading.Event()
    trim(0)
    threading.Thread(target=_trim_until, args=(done, trim), name="freed memory", daemon=True).start()
    try:
        yield
    finally:
        done.set()


def give_back() -> None:
    """Give what has been freed back to the system now."""
    trim = _function("malloc_trim")
    if trim is not None:
        trim(0)


def _trim_until(done: threading.Event, trim: Any) -> None:
    """Trim again and again until ``done``, then once more, unless that was before the first time."""
    lasts = False
    while not done.wait(EVERY):
        trim(0)
        lasts = True
    if lasts:
        trim(0)


def _function(name: str) -> Optional[Any]:
    """A function of the C library, called without Python's lock; None if there is none. Only glibc can trim."""
    try:
        return getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):  # another C library; Windows has no such handle
        return None

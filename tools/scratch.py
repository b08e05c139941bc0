"""Temporary folders: removed at the end, or where a run was killed, when the next one starts.

In each lies a file that its process holds locked. Where nobody holds it any more, the process has died. By hand, as a
folder of :mod:`tempfile` stays where its process is killed.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

PREFIX = "srs-evaluator-"
LOCK = "in-use-by-srs-evaluator"


@contextlib.contextmanager
def scratch_folder(beside: Path | None = None) -> Iterator[Path]:
    """A new folder that only its owner can read, removed in the end. What killed runs left there is removed first.

    Args:
        beside: the folder to make it in, where it is hidden; None: where the system has temporary files.
    """
    remove_left_behind(beside)
    folder = Path(tempfile.mkdtemp(prefix=f".{PREFIX}" if beside else PREFIX, dir=beside))
    try:
        with _held(folder / LOCK):
            yield folder
    finally:
        with contextlib.suppress(OSError):
            _remove(folder)


def remove_left_behind(parent: Path | None = None) -> None:
    """Remove the scratch folders in ``parent`` whose process has died; None: where the system has temporary files.

    Nothing else is touched: neither what is in use, nor what another user or machine made, nor what has no such lock.
    """
    with contextlib.suppress(OSError), os.scandir(parent or tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.removeprefix(".").startswith(PREFIX):
                with contextlib.suppress(OSError):
                    _remove_if_left(entry)


def _remove_if_left(entry: os.DirEntry[str]) -> None:
    if not entry.is_dir(follow_symlinks=False):
        return
    if os.name != "nt" and entry.stat(follow_symlinks=False).st_uid != os.geteuid():
        return
    folder = Path(entry.path)
    held = folder / LOCK
    if held.is_symlink() or not held.is_file() or held.read_text(encoding="utf-8") != _machine():
        return
    if os.name == "nt":
        held.unlink()  # refused as long as it is open
        _remove(folder)
    else:
        with held.open("r+b") as file:
            lock(file)
            _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a scratch folder, its lock last: without that, a half-removed folder would not be recognised."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name != LOCK:
            path.unlink(missing_ok=True)
    if {path.name for path in folder.iterdir()} <= {LOCK}:
        (folder / LOCK).unlink(missing_ok=True)
        folder.rmdir()


@contextlib.contextmanager
def _held(place: Path) -> Iterator[None]:
    """Hold the lock file. It gets its name only once it is locked, so that nobody takes it for one left behind."""
    first = place if os.name == "nt" else place.with_suffix(".new")
    with first.open("w", encoding="utf-8") as file:
        file.write(_machine())
        file.flush()
        if os.name != "nt":
            with contextlib.suppress(OSError):  # a file system without locks: it stays without its name
                lock(file)
                first.rename(place)
        yield


def lock(file: IO[str] | IO[bytes]) -> None:
    """Lock the file. Raises BlockingIOError if another process has locked it, OSError where there are no locks."""
    import fcntl

    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _machine() -> str:
    """The text in a lock: on a shared disk, another machine may not see that it is held."""
    return platform.node()

"""Paths as people type them, and errors that name them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


def at_home(text: str) -> Path:
    """Turn text into a path, in which ``~`` is the home folder even where quotes hid it from the shell.

    As in a shell, ``~somebody`` stays as it is where there is nobody of that name.
    """
    return Path(os.path.expanduser(text))  # noqa: PTH111 - Path.expanduser raises RuntimeError there


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add this path to errors of the system that name no file, such as those of a failing disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(path)
        raise

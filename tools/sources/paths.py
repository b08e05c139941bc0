"""Paths as people type them."""

from __future__ import annotations

import os
from pathlib import Path


def at_home(text: str) -> Path:
    """Turn text into a path, in which ``~`` is the home folder even where quotes hid it from the shell.

    As in a shell, ``~somebody`` stays as it is where there is nobody of that name.
    """
    return Path(os.path.expanduser(text))  # noqa: PTH111 - Path.expanduser raises RuntimeError there

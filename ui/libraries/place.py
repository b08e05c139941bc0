"""Where the libraries lie, and whether they are there: all that the menu asks before the window opens."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from .lock import platform_here
from .needs import missing, too_old

#: Beside Anki's profiles and its folder of add-ons, so that updating the add-on never meets a file that is in use.
FOLDER_NAME = "srs_evaluator_libraries"


def folder_of(base: Path) -> Path:
    """Where the libraries for this Python and platform belong, below Anki's own folder ``base``."""
    return base / FOLDER_NAME / f"{sys.implementation.cache_tag}-{platform_here()}"


def use(base: Path) -> None:
    """Have Python find what was installed there, after all other places."""
    folder = folder_of(base)
    if folder.is_dir() and str(folder) not in sys.path:
        sys.path.append(str(folder))
        importlib.invalidate_caches()


def ready(base: Path) -> bool:
    """Whether Python finds libraries that will do, those that were installed here included."""
    use(base)
    return not missing() and too_old() is None

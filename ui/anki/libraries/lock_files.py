"""The lock files, which list the exact wheels to install for each Python and platform."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple, Optional, Tuple

FOLDER = Path(__file__).resolve().parent / "locks"


class Lock(NamedTuple):
    """The exact files to install for one Python on one platform."""

    path: Path  #: the file itself, which is pip's list of requirements
    download_bytes: int  #: size of the largest download that it allows
    pins: Tuple[str, ...]  #: each library as ``name==version``


def path_of(python: str, platform: str) -> Path:
    """Return the path of a lock file, which exists if that Python is supported on that platform."""
    return FOLDER / f"{python}-{platform}.txt"


def lock_of(python: str, platform: str) -> Optional[Lock]:
    """Read a lock file. Return None if there is none for that Python and platform."""
    path = path_of(python, platform)
    if not path.exists():
        return None
    text = path.read_text(encoding="utf-8")
    size = re.findall(r"^# .* (\d+)$", text, re.MULTILINE)
    pins = re.findall(r"^[\w.-]+==[\w.]+", text, re.MULTILINE)
    return Lock(path, int(size[0]), tuple(pins))


def python_here() -> str:
    """Return the version of the running Python, such as ``3.13``."""
    return "{}.{}".format(*sys.version_info[:2])


def platform_here() -> str:
    """Return the platform of the running Python, such as ``linux_x86_64``.

    A Python for Intel that is emulated on an ARM processor counts as Intel.
    """
    if sys.platform == "win32":
        return sysconfig.get_platform().replace("-", "_")
    system = "macosx" if sys.platform == "darwin" else sys.platform
    return f"{system}_{os.uname().machine}"

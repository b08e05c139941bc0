"""The lock files: which wheels, of what size, for which Python and platform."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Tuple

FOLDER = Path(__file__).resolve().parent / "locks"


@dataclass(frozen=True)
class Lock:
    """The exact files to install for one Python on one platform."""

    path: Path  #: pip reads it
    download_bytes: int
    pins: Tuple[str, ...]  #: ``name==version``


def path_of(python: str, platform: str) -> Path:
    """Return the lock file, which is there if that Python is supported on that platform."""
    return FOLDER / f"{python}-{platform}.txt"


def lock_of(python: str, platform: str) -> Optional[Lock]:
    """Read the lock file, or return None if there is none."""
    path = path_of(python, platform)
    if not path.exists():
        return None
    text = path.read_text(encoding="utf-8")
    size, pins = re.findall(r"^# .* (\d+)$", text, re.MULTILINE), re.findall(r"^[\w.-]+==[\w.]+", text, re.MULTILINE)
    return Lock(path, int(size[0]), tuple(pins))


def python_here() -> str:
    """Return the version of the running Python, such as ``3.13``."""
    return "{}.{}".format(*sys.version_info[:2])


def platform_here() -> str:
    """Return the platform of the running program, such as ``linux_x86_64`` (Intel's also in emulation on ARM)."""
    if sys.platform == "win32":
        return sysconfig.get_platform().replace("-", "_")
    system = {"darwin": "macosx"}.get(sys.platform, sys.platform)
    machine = os.uname().machine
    if sys.maxsize < 2**32:  # a program of 32 bits
        machine += "_32"
    return f"{system}_{machine}"

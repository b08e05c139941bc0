"""What the figures were measured with: without it they say little."""

from __future__ import annotations

import datetime as dt
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from evaluator import __version__

CPU_INFO = Path("/proc/cpuinfo")


def machine() -> dict[str, str | int]:
    """Programs with their versions, the processor, and when it is."""
    return {
        "software": f"SRS Evaluator {__version__}",
        "date": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "numpy": _version("numpy"),
        "fsrs_rs_python": _version("fsrs-rs-python"),
        "anki": _version("anki"),
        "system": platform.platform(),
        "cpu": _cpu(),
        "cpus": os.cpu_count() or 0,
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _cpu() -> str:
    """The model, as the system calls it."""
    if CPU_INFO.is_file():
        for line in CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()

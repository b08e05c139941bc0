"""The machine and the programs on which figures were measured."""

from __future__ import annotations

import datetime as dt
import os
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from evaluator import __version__

CPU_INFO = Path("/proc/cpuinfo")


def machine() -> str:
    """Return versions of the programs, the processor, and the day."""
    packages = ", ".join(f"{name} {_version(name)}" for name in ("numpy", "fsrs-rs-python", "anki"))
    return (
        f"SRS Evaluator {__version__}, Python {platform.python_version()}, {packages}; {os.cpu_count()} x {_cpu()}; "
        f"{dt.datetime.now(dt.UTC):%Y-%m-%d}"
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _cpu() -> str:
    """Return the model of the processor, as the system names it."""
    text = CPU_INFO.read_text(encoding="utf-8", errors="replace") if CPU_INFO.is_file() else ""
    result = re.search(r"^model name\s*:\s*(.*\S)", text, re.MULTILINE)  # used if Python does not know
    return result[1] if result else platform.processor() or platform.machine()

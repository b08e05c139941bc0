"""``python3 tools test``: pytest, with all that the tests need. ruff and mypy are tests as well.

All tests run in as many processes as there are processors, chosen ones in one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping

from tools.environment import ROOT, require_packages

#: What Qt and its web engine load when Anki's window opens without a screen; Latin, Japanese and Chinese letters.
QT_LIBRARIES = (
    *("fonts-dejavu-core", "fonts-ipafont-gothic", "fonts-wqy-microhei", "libdbus-1-3", "libdrm2", "libegl1"),
    *("libasound2t64 | libasound2", "libglib2.0-0t64 | libglib2.0-0", "libfontconfig1", "libfreetype6", "libgbm1"),
    *("libgl1", "libglx0", "libgssapi-krb5-2", "libnspr4", "libnss3", "libstdc++6", "libwayland-server0", "libx11-6"),
    *("libxcb-dri3-0", "libxcomposite1", "libxdamage1", "libxext6", "libxfixes3", "libxkbcommon0", "libxkbfile1"),
    *("libxrandr2", "libxrender1", "libxtst6", "libzstd1"),
)

#: Modules that look at the whole code, with their arguments.
CHECKS = {
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy", "tools", "evaluator", "ui"],
}

#: As many processes as processors, up to where more would only take memory. Each begins with a stretch of the list,
#: so that what tests of one file share is made once, and takes over from the others at its end.
WORKERS = ("-n", "logical", "--maxprocesses", "8", "--dist", "worksteal")


def main(arguments: list[str]) -> int:
    """Run the tests. Return 0 if all passed."""
    parser = argparse.ArgumentParser(
        prog="python3 tools test",
        description="Run ruff, mypy and all tests, those in a real Anki too. Installs what they need.",
        epilog="Any other arguments go to pytest, e.g.: python3 tools test -k csv",
        allow_abbrev=False,
    )
    parser.add_argument("--only", choices=list(CHECKS), help="run this one check and no tests")
    options, for_pytest = parser.parse_known_args(arguments)
    if options.only:
        return run(CHECKS[options.only])
    require_packages(QT_LIBRARIES)
    # What is no option chooses tests: a path, the words after -k.
    chosen = any(not argument.startswith("-") for argument in for_pytest)
    return run(["pytest", *(() if chosen else WORKERS), *for_pytest])


def run(command: list[str], variables: Mapping[str, str] | None = None) -> int:
    """Run a Python module in the environment, with additional environment variables; return its exit code."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", **(variables or {})}
    # Where this is set, some hundred processes would compile all modules anew, for a tenth of the time.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, env=environment, check=False).returncode

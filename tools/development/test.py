"""``python3 tools test``: pytest, with everything the tests need. ruff and mypy are tests as well.

All tests run in as many processes as there are processors, chosen ones in one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tools import parsers
from tools.environment import BUILD, ROOT, MachineNotReady, ensure_environment, require_packages, run_command
from ui.anki.libraries.lock import lock_of, platform_here, python_here

#: What Qt and its web engine load when Anki's window opens without a screen; Latin, Japanese and Chinese letters.
QT_LIBRARIES = (
    *("fonts-dejavu-core", "fonts-ipafont-gothic", "fonts-wqy-microhei", "libdbus-1-3", "libdrm2", "libegl1"),
    *("libasound2t64 | libasound2", "libglib2.0-0t64 | libglib2.0-0", "libfontconfig1", "libfreetype6", "libgbm1"),
    *("libgl1", "libglx0", "libgssapi-krb5-2", "libnspr4", "libnss3", "libstdc++6", "libwayland-server0", "libx11-6"),
    *("libxcb-dri3-0", "libxcomposite1", "libxdamage1", "libxext6", "libxfixes3", "libxkbcommon0", "libxkbfile1"),
    *("libxrandr2", "libxrender1", "libxtst6", "libzstd1"),
)

#: Modules that check all code, with their arguments.
CHECKS = {
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy", "tools", "evaluator", "ui"],
}

#: One process per processor, up to 8: more would only take memory. Each begins with a stretch of the list, so that what
#: tests of one file share is made once, and takes over from the others at its end.
WORKERS = ("-n", "logical", "--maxprocesses", "8", "--dist", "worksteal")

#: Each supported Anki: the last release of its kind, and the Python that it is packaged with.
ANKIS = {"24.11": ("24.11", "3.9"), "25.02": ("25.2.7", "3.9"), "25.09": ("25.9.5", "3.13"), "26.9": ("26.9.3", "3.13")}


def main(arguments: list[str]) -> int:
    """Run the tests. Return 0 if all passed."""
    options, for_pytest = parsers.test().parse_known_args(arguments)
    if options.only:
        return run(CHECKS[options.only])
    require_packages(QT_LIBRARIES)
    if options.anki:
        return run(["pytest", "tests/anki", "-m", "", *WORKERS, *for_pytest], install(options.anki))
    # What is not an option chooses tests: a path, the words after -k.
    chosen = any(not argument.startswith("-") for argument in for_pytest)
    return run(["pytest", *(() if chosen else WORKERS), *for_pytest])


def run(command: list[str], variables: Mapping[str, str] | None = None) -> int:
    """Run a Python module with additional environment variables, and return its exit code."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", **(variables or {})}
    # If this is set, some hundred processes would compile all modules again, for a tenth of the time.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, env=environment, check=False).returncode


def install(version: str, folder: Path = BUILD) -> dict[str, str]:
    """Install that Anki with our package's libraries, and return the variables that tell the tests about them."""
    release, python = ANKIS[version]
    interpreter = Path(sys.executable)
    if python != python_here():
        program = "import ssl, sys, venv; print(sys.executable)"
        try:
            # pyenv's command starts none without a version.
            interpreter = Path(run_command(f"python{python}", "-c", program, PYENV_VERSION=python).strip())
        except (MachineNotReady, OSError) as error:
            print(f"Python {python} is not available here: {python_here()} is used instead. {error}", file=sys.stderr)
            python = python_here()
    lock = lock_of(python, platform_here())
    requested = (f"aqt[qt6]=={release}", *(lock.pins if lock else ("numpy", "matplotlib")))
    anki = ensure_environment(folder / f"anki-{release}-python-{python}", {*requested}, {requested: 275}, interpreter)
    return {"ANKI_PYTHON": str(anki), "TOOLS_PYTHON": sys.executable}

"""``python3 tools test``: run pytest with everything that the tests need. ruff and mypy are tests as well.

All tests run in as many processes as there are processors. Chosen tests run in one process.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tools import parsers
from tools.environment import BUILD, ROOT, MachineNotReady, ensure_environment, require_packages, run_command
from ui.anki.libraries.lock_files import lock_of, platform_here, python_here

#: Debian's packages that Qt and its web engine need for Anki's window without a screen, and fonts with Latin, Japanese
#: and Chinese letters.
QT_LIBRARIES = (
    "fonts-dejavu-core",
    "fonts-ipafont-gothic",
    "fonts-wqy-microhei",
    "libdbus-1-3",
    "libdrm2",
    "libegl1",
    "libasound2t64 | libasound2",
    "libglib2.0-0t64 | libglib2.0-0",
    "libfontconfig1",
    "libfreetype6",
    "libgbm1",
    "libgl1",
    "libglx0",
    "libgssapi-krb5-2",
    "libnspr4",
    "libnss3",
    "libstdc++6",
    "libwayland-server0",
    "libx11-6",
    "libxcb-dri3-0",
    "libxcomposite1",
    "libxdamage1",
    "libxext6",
    "libxfixes3",
    "libxkbcommon0",
    "libxkbfile1",
    "libxrandr2",
    "libxrender1",
    "libxtst6",
    "libzstd1",
)

#: Modules that check all code, with their arguments, by the name of the check.
CHECKS = {
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy", "tools", "evaluator", "ui"],
}

#: Options for one process per processor, up to 8, because more would only take memory. Each process begins with a
#: stretch of the list, so that the fixtures of a file are set up once, and takes over tests from others at its end.
WORKERS = ("-n", "logical", "--maxprocesses", "8", "--dist", "worksteal")

#: Last release of each supported Anki, and the Python that it is packaged with.
ANKIS = {"24.11": ("24.11", "3.9"), "25.02": ("25.2.7", "3.9"), "25.09": ("25.9.5", "3.13"), "26.9": ("26.9.3", "3.13")}


def main(arguments: list[str]) -> int:
    """Run the tests, and return the exit code."""
    options, pytest_arguments = parsers.test().parse_known_args(arguments)
    if options.only:
        return run(CHECKS[options.only])
    require_packages(QT_LIBRARIES)
    if options.anki:
        return run(["pytest", "tests/anki", "-m", "", *WORKERS, *pytest_arguments], install_anki(options.anki))
    # An argument that is not an option, such as a path or the words after -k, chooses tests.
    is_choice = any(not argument.startswith("-") for argument in pytest_arguments)
    return run(["pytest", *(() if is_choice else WORKERS), *pytest_arguments])


def run(command: list[str], variables: Mapping[str, str] | None = None) -> int:
    """Run a Python module with additional environment variables, and return its exit code."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", **(variables or {})}
    # With this variable, some hundred processes would compile all modules again, which takes a tenth of the time.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, env=environment, check=False).returncode


def install_anki(version: str) -> dict[str, str]:
    """Install a version of Anki with the libraries of the add-on.

    Returns:
        Environment variables with the paths of its interpreter and of this one, for the tests.
    """
    release, python = ANKIS[version]
    interpreter = Path(sys.executable)
    if python != python_here():
        program = "import ssl, sys, venv; print(sys.executable)"
        try:
            # pyenv's command needs this variable.
            interpreter = Path(run_command(f"python{python}", "-c", program, PYENV_VERSION=python).strip())
        except (MachineNotReady, OSError) as error:
            print(f"Python {python} is not available here: {python_here()} is used instead. {error}", file=sys.stderr)
            python = python_here()
    lock = lock_of(python, platform_here())
    requirements = {f"aqt[qt6]=={release}", *(lock.pins if lock else ("numpy", "matplotlib"))}
    target = BUILD / f"anki-{release}-python-{python}"
    anki = ensure_environment(target, requirements, requirements, interpreter)
    return {"ANKI_PYTHON": str(anki), "TOOLS_PYTHON": sys.executable}

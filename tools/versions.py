"""``python3 tools versions``: the tests in a real Anki, in each version that is supported."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tools import environment, interpreters, system_packages
from tools.environment import alone, announce, pip_install
from tools.interpreters import FOLDER, Interpreter
from tools.pip_wheel import pip_wheel
from tools.test import QT_LIBRARIES, WORKERS, run
from ui.anki.libraries.lock import FOLDER as LOCKS

#: Each supported Anki: the last release of its kind, and the Python that it is packaged with.
VERSIONS = {
    "24.11": ("24.11", "3.9"),
    "25.02": ("25.2.7", "3.9"),
    "25.09": ("25.9.5", "3.13"),
    "26.9": ("26.9.3", "3.13"),
}

#: What one of them downloads, about: Anki with Qt, and the libraries.
MEGABYTES = 275


def main(arguments: list[str]) -> int:
    """Run the tests in each version. Return 0 if all passed."""
    parser = argparse.ArgumentParser(
        prog="python3 tools versions",
        description="Run the tests in a real Anki in these versions, and those tests that take minutes.",
        epilog="Any other arguments go to pytest, e.g.: python3 tools versions --only 24.11 -k scopes",
        allow_abbrev=False,
    )
    parser.add_argument("--only", action="append", choices=list(VERSIONS), help="this version (can be repeated)")
    options, for_pytest = parser.parse_known_args(arguments)
    system_packages.require(QT_LIBRARIES)
    failed = []
    for version in options.only or VERSIONS:
        print(f"== Anki {version}", flush=True)
        # The long ones, too.
        if run(["pytest", "tests/anki", "-m", "", *WORKERS, *for_pytest], install(version)):
            failed.append(version)
    if not for_pytest:
        print("== what takes minutes", flush=True)
        if run(["pytest", "tests", "-m", "long", *WORKERS]):
            failed.append("what takes minutes")
    print(f"== FAILED: {', '.join(failed)}" if failed else "== all passed")
    return 1 if failed else 0


def install(version: str, folder: Path = FOLDER) -> dict[str, str]:
    """Install that version of Anki with the libraries our package would fetch, unless it is installed.

    Returns:
        The environment variables that tell the tests which Python starts Anki.

    Raises:
        MachineNotReady: it cannot be made.
    """
    release, python = VERSIONS[version]
    folder.mkdir(exist_ok=True)
    with alone(folder / f"anki-{version}.lock"):
        interpreter = interpreters.find(python)
        home = folder / f"anki-{release}-python-{interpreter.version}"
        if not home.exists():
            _make(home, interpreter, f"aqt[qt6]=={release}")
    return {"ANKI_PYTHON": str(home / "bin" / "python"), "TOOLS_PYTHON": sys.executable, **interpreter.variables}


def _make(home: Path, interpreter: Interpreter, anki: str) -> None:
    """Make an environment with Anki and the libraries; its folder gets its name only when it is complete."""
    announce(home, f"{anki}, numpy, matplotlib", MEGABYTES)
    draft = home.with_name(home.name + ".part")
    pip = [str(draft / "bin" / "python"), str(pip_wheel() / "pip"), *pip_install()]
    for command in (
        [str(interpreter.path), "-m", "venv", "--clear", "--without-pip", str(draft)],
        [*pip, anki],
        [*pip, "--require-hashes", "--requirement", str(LOCKS / f"{interpreter.version}.txt")],
    ):
        environment.run(command, "The environment could not be made.", {**os.environ, **interpreter.variables})
    draft.rename(home)

"""``python3 tools versions``: the tests in a real Anki, in each version that is supported."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tools import system_packages
from tools.environment import BUILD, Environment, alone
from tools.scratch import scratch_folder
from tools.system_packages import MachineNotReady, call
from tools.test import QT_LIBRARIES, WORKERS, run
from ui.anki.libraries.lock import lock_of, platform_here, python_here

#: Each supported Anki: the last release of its kind, and the Python that it is packaged with.
VERSIONS = {
    "24.11": ("24.11", "3.9"),
    "25.02": ("25.2.7", "3.9"),
    "25.09": ("25.9.5", "3.13"),
    "26.9": ("26.9.3", "3.13"),
}

#: What one of them downloads, about: Anki with Qt, and the libraries.
MEGABYTES = 275

#: Python 3.9 as packages of Debian 11, with what later releases no longer have.
_DEBIAN_11 = (
    *("python3.9-minimal", "libpython3.9-minimal", "libpython3.9-stdlib"),
    *("python3-distutils", "libffi7", "libssl1.1", "libmpdec3"),
)


class Interpreter(NamedTuple):
    """A Python interpreter, and the environment variables it needs."""

    path: Path
    version: str
    variables: Mapping[str, str] = {}


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


def install(version: str, folder: Path = BUILD) -> dict[str, str]:
    """Install that version of Anki with the libraries our package would fetch, unless it is installed.

    Returns:
        The environment variables that tell the tests which Python starts Anki.

    Raises:
        MachineNotReady: it cannot be made.
    """
    release, packaged_with = VERSIONS[version]
    path, python, variables = find_python(packaged_with)
    lock = lock_of(python, platform_here())
    requirements = [f"aqt[qt6]=={release}", *(lock.pins if lock else ("numpy", "matplotlib"))]
    home = folder / f"anki-{release}-python-{python}"
    environment = Environment(home, {version: requirements}, {version: MEGABYTES}, path, variables)
    environment.complete([version])
    return {"ANKI_PYTHON": str(environment.python), "TOOLS_PYTHON": sys.executable, **variables}


def find_python(version: str) -> Interpreter:
    """An interpreter of that version: the running one, another of this machine, or one of Debian's packages.

    Where there is none, the running one stands in for it.
    """
    own = Interpreter(Path(sys.executable), python_here())
    if version == own.version:
        return own
    for find in (_python_of_machine, _python_of_debian):
        try:
            return find(version)
        except (MachineNotReady, OSError) as error:  # there is no such command, or no apt
            reason = error
    print(f"Python {version} is not to be had here, so {own.version} stands in for it. {reason}", file=sys.stderr)
    return own


def _python_of_machine(version: str) -> Interpreter:
    program = "import ssl, sys, venv; print(sys.executable)"
    path = call(f"python{version}", "-c", program, PYENV_VERSION=version)  # without that, pyenv's may start none
    return Interpreter(Path(path.strip()), version)


def _python_of_debian(version: str) -> Interpreter:
    """Unpack Debian's packages below ``build/``: that Python finds its modules wherever it lies.

    By hand, as uv and pyenv fetch Pythons from servers that not every machine reaches which has a mirror of Debian.
    """
    if version != "3.9":
        raise MachineNotReady("No release of Debian that runs here has it.")
    folder = BUILD / "python-3.9-of-debian"
    with alone(BUILD / "python-3.9.lock"):
        if not folder.exists():
            with scratch_folder(BUILD) as draft:
                _fetch(draft)
                for package in draft.glob("*.deb"):
                    call("dpkg-deb", "--extract", str(package), str(draft / "whole"))
                (draft / "whole").rename(folder)
    libraries = map(str, (folder / "usr" / "lib").glob("*-linux-gnu"))
    return Interpreter(folder / "usr/bin/python3.9", version, {"LD_LIBRARY_PATH": os.pathsep.join(libraries)})


def _fetch(folder: Path) -> None:
    """Download the packages with apt, with a list of our own, from the server of this machine's own packages."""
    sites = call("apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages").splitlines()
    mirror = next((site for site in sites if site.endswith("/debian")), None)
    if mirror is None:
        raise MachineNotReady("This machine does not get its packages from Debian.")
    for made in ("etc/apt", "var/lib/apt/lists/partial"):
        (folder / made).mkdir(parents=True)
    keys = "/usr/share/keyrings/debian-archive-keyring.gpg"
    (folder / "etc/apt/sources.list").write_text(f"deb [signed-by={keys}] {mirror} bullseye main\n", encoding="utf-8")
    # What is installed here is of another release.
    settings = (f"Dir={folder}", "Dir::State::status=/dev/null", "APT::Sandbox::User=")
    apt = ["apt-get", *(f"--option={setting}" for setting in settings)]
    call(*apt, "update")
    call(*apt, "download", *_DEBIAN_11, cwd=folder)

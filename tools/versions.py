"""``python3 tools versions``: the tests in a real Anki, in each version that is supported."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tools.environment import BUILD, MachineNotReady, alone, call, complete, require_packages
from tools.scratch import scratch_folder
from tools.test import QT_LIBRARIES, WORKERS, run
from ui.anki.libraries.lock import lock_of, platform_here, python_here

#: Each supported Anki: the last release of its kind, and the Python that it is packaged with.
VERSIONS = {
    "24.11": ("24.11", "3.9"),
    "25.02": ("25.2.7", "3.9"),
    "25.09": ("25.9.5", "3.13"),
    "26.9": ("26.9.3", "3.13"),
}

#: Unpacks Python 3.9 as Debian 11 has it, with what later releases no longer have, from this machine's own server.
_UNPACK_PYTHON_3_9 = """
mkdir --parents etc/apt/preferences.d var/lib/apt/lists/partial
source='deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(SITE) bullseye main'
apt-get indextargets --format "$source" 'Created-By: Packages' | sed --quiet '/debian bullseye/p' > etc/apt/sources.list
[ -s etc/apt/sources.list ] || { echo "This machine does not get its packages from Debian."; exit 1; }
apt() { apt-get --option=Dir="$PWD" --option=Dir::State::status=/dev/null --option=APT::Sandbox::User= "$@"; }
apt update
apt download python3.9-minimal libpython3.9-minimal libpython3.9-stdlib python3-distutils libffi7 libssl1.1 libmpdec3
for package in *.deb; do dpkg-deb --extract "$package" whole; done
"""


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
    require_packages(QT_LIBRARIES)
    failed = []
    for version in options.only or VERSIONS:
        print(f"== Anki {version}", flush=True)
        if run(["pytest", "tests/anki", "-m", "", *WORKERS, *for_pytest], install(version)):  # the long ones, too
            failed.append(version)
    if not for_pytest:
        print("== what takes minutes", flush=True)
        if run(["pytest", "tests", "-m", "long", *WORKERS]):
            failed.append("what takes minutes")
    print(f"== FAILED: {', '.join(failed)}" if failed else "== all passed")
    return 1 if failed else 0


def install(version: str, folder: Path = BUILD) -> dict[str, str]:
    """Install that Anki with the libraries our package would fetch; return the variables that tell the tests so."""
    release, python = VERSIONS[version]
    interpreter = Path(sys.executable)
    if python != python_here():
        try:
            interpreter = find_python(python)
        except (MachineNotReady, OSError) as error:  # there is no such command, or no apt
            print(f"Python {python} is not to be had here: {python_here()} stands in for it. {error}", file=sys.stderr)
            python = python_here()
    lock = lock_of(python, platform_here())
    wanted = (f"aqt[qt6]=={release}", *(lock.pins if lock else ("numpy", "matplotlib")))
    anki = complete(folder / f"anki-{release}-python-{python}", {*wanted}, {wanted: 275}, interpreter)
    return {"ANKI_PYTHON": str(anki), "TOOLS_PYTHON": sys.executable}


def find_python(version: str) -> Path:
    """Another interpreter of this machine, or Debian's, unpacked below ``build/``: it finds its modules anywhere.

    By hand, as uv and pyenv fetch Pythons from servers that not every machine reaches which has a mirror of Debian.
    """
    program = "import ssl, sys, venv; print(sys.executable)"
    try:
        return Path(call(f"python{version}", "-c", program, PYENV_VERSION=version).strip())  # else pyenv's starts none
    except (MachineNotReady, OSError):
        if version != "3.9":  # no release of Debian that runs here has it
            raise
    folder = BUILD / "python-3.9-of-debian"
    with alone(BUILD / "python-3.9.lock"):
        if not folder.exists():
            with scratch_folder(BUILD) as draft:
                call("sh", "-eu", "-c", _UNPACK_PYTHON_3_9, cwd=draft)
                (draft / "whole").rename(folder)
    # For all that is started from here on: no other Python looks for what is in there.
    libraries = [*map(str, (folder / "usr" / "lib").glob("*-linux-gnu")), os.environ.get("LD_LIBRARY_PATH", "")]
    os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, libraries))
    return folder / "usr/bin/python3.9"

"""Debian's packages: which are missing, and installing them where we may.

Standard library only. By hand, as the library for it (python-apt) is itself such a package.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


class MachineNotReady(Exception):
    """Something this machine lacks cannot be installed from here; the message says why and what to do."""


def require(packages: Sequence[str]) -> None:
    """Return once all of these Debian packages are there. On other systems nothing is asked for.

    Raises:
        MachineNotReady: they are not there, and we may not or could not install them.
    """
    if shutil.which("dpkg-query") is None:
        return
    states = set(call("dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Package}\n").splitlines())
    missing = [name for name in packages if not states & {f"installed {name}", f"installed {name}t64"}]
    if not missing:
        return
    may_install = os.geteuid() == 0
    if may_install:
        call("apt-get", "update")
    known = set(call("apt-cache", "pkgnames").split())
    names = [name + "t64" if name + "t64" in known else name for name in missing]  # since Debian 13, Ubuntu 24.04
    if not may_install:
        line = f"sudo apt-get install {' '.join(names)}"
        raise MachineNotReady(f"System packages are missing. Install them, then try again:\n  {line}")
    install = ["apt-get", "install", "--yes", "--no-install-recommends", *names]
    shown = re.search(r"Need to get ([^/\n]+?)(?:/.*)? of archives", call(*install, "--print-uris"))
    size = shown[1] if shown else "size not known"
    print(f"Installing {len(missing)} system packages with apt ({size}): {', '.join(missing)}", file=sys.stderr)
    call(*install)


def call(*command: str, cwd: Path | None = None, typed: str = "", **variables: str) -> str:
    """Run a program that is given the text ``typed``, and return what it prints.

    Raises:
        MachineNotReady: it failed; with the end of what it said.
    """
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C", **variables}
    done = subprocess.run(command, cwd=cwd, input=typed, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        last_lines = "\n".join((done.stdout + done.stderr).strip().splitlines()[-15:])
        raise MachineNotReady(f"{Path(command[0]).name} failed:\n{last_lines}")
    return done.stdout

"""Debian's packages: which are missing, and installing them where we may.

Standard library only.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence


class MachineNotReady(Exception):
    """Something this machine lacks cannot be installed from here; the message says why and what to do."""


def require(packages: Sequence[str]) -> None:
    """Return once all of these Debian packages are there. On other systems nothing is asked for.

    Raises:
        MachineNotReady: they are not there, and we may not or could not install them.
    """
    missing = find_missing(packages)
    if not missing:
        return
    if os.name == "nt" or os.geteuid() != 0:
        raise MachineNotReady(f"System packages are missing. Install them, then try again:\n  {apt_line(missing)}")
    _apt_get("update")
    install = ("install", "--yes", "--no-install-recommends", *_under_todays_names(missing))
    size = re.search(r"Need to get ([^/\n]+?)(?:/.*)? of archives", _apt_get(*install, "--print-uris"))
    print(
        f"Installing {len(missing)} system packages with apt ({size[1] if size else 'size not known'}): "
        f"{', '.join(missing)}",
        file=sys.stderr,
        flush=True,
    )
    _apt_get(*install)


def find_missing(packages: Iterable[str]) -> list[str]:
    """Packages that dpkg does not know as installed; none where there is no dpkg."""
    if shutil.which("dpkg-query") is None:
        return []
    query = ["dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Package}\n"]
    shown = subprocess.run(query, capture_output=True, text=True, check=False).stdout
    installed = {name for status, name in map(str.split, shown.splitlines()) if status == "installed"}
    return [name for name in packages if not installed & {name, name + "t64"}]


def apt_line(packages: Sequence[str]) -> str:
    """The command line that installs these packages."""
    return "sudo apt-get install " + " ".join(_under_todays_names(packages))


def _under_todays_names(packages: Sequence[str]) -> list[str]:
    """The names of packages, as ``<name>t64`` where that is their only name (since Debian 13, Ubuntu 24.04)."""
    policy = subprocess.run(
        ["apt-cache", "policy", *(name + "t64" for name in packages)], capture_output=True, text=True, check=False
    ).stdout
    known = {line.rstrip(":") for line in policy.splitlines() if line and not line.startswith(" ")}
    return [name + "t64" if name + "t64" in known else name for name in packages]


def _apt_get(*arguments: str) -> str:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    done = subprocess.run(
        ["apt-get", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        check=False,
    )
    if done.returncode:
        last_lines = "\n".join(done.stdout.strip().splitlines()[-15:])
        raise MachineNotReady(f"apt-get {' '.join(arguments)} failed:\n{last_lines}")
    return done.stdout

"""Interpreters of other versions: one that is on the machine, or one out of an older Debian's packages.

Nothing is installed on the machine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tools.environment import ROOT
from tools.system_packages import MachineNotReady

FOLDER = ROOT / "build"

#: The release of Debian whose Python it is, and the packages with what newer releases no longer have.
_RELEASES = {
    "3.9": ("bullseye", ("python3-distutils", "libffi7", "libssl1.1", "libmpdec3")),
}

_ARCHIVE_KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"


@dataclass(frozen=True)
class Interpreter:
    """A Python interpreter, and the environment variables it needs."""

    path: Path
    version: str
    variables: Mapping[str, str] = field(default_factory=dict)


def find(version: str) -> Interpreter:
    """An interpreter of that version: of this machine, else of Debian's packages, else the running one."""
    own = Interpreter(Path(sys.executable), "{}.{}".format(*sys.version_info[:2]))
    if version == own.version:
        return own
    for path in _on_this_machine(version):
        if not subprocess.run([path, "-c", "import ssl, venv"], capture_output=True, check=False).returncode:
            return Interpreter(Path(path), version)
    try:
        return _unpacked(version)
    except (MachineNotReady, OSError) as reason:  # no Debian has no apt
        print(f"Python {version} is not to be had here, so {own.version} stands in for it. {reason}", file=sys.stderr)
        return own


def _on_this_machine(version: str) -> list[str]:
    """Commands that may start that version; with pyenv, the first may be a mere placeholder."""
    paths = [shutil.which(f"python{version}") or ""]
    if shutil.which("pyenv"):
        command = ["pyenv", "whence", "--path", f"python{version}"]
        paths += subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    return [path for path in paths if path]


def _unpacked(version: str) -> Interpreter:
    """Unpack the version out of Debian's packages below ``build/``: it finds its modules wherever it lies.

    Raises:
        MachineNotReady: Debian's mirror no longer has that release, or this is none.
        OSError: this is no Debian.
    """
    if version not in _RELEASES:
        raise MachineNotReady("No release of Debian that runs here has it.")
    folder = FOLDER / f"python-{version}"
    root = folder / "root"
    if not root.exists():
        draft = folder / "draft"
        shutil.rmtree(draft, ignore_errors=True)
        for made in (draft, folder / "packages", folder / "lists" / "partial"):
            made.mkdir(parents=True, exist_ok=True)
        _fetch(version, folder)
        for deb in sorted((folder / "packages").glob("*.deb")):
            _call(["dpkg-deb", "--extract", str(deb), str(draft)])
        draft.rename(root)
    libraries = map(str, (root / "usr" / "lib").glob("*-linux-gnu"))
    return Interpreter(root / f"usr/bin/python{version}", version, {"LD_LIBRARY_PATH": os.pathsep.join(libraries)})


def _fetch(version: str, folder: Path) -> None:
    """Download the packages with apt, with a list of our own, from the server of this machine's own packages."""
    sites = _call(["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages"]).splitlines()
    mirror = next((site for site in sites if site.endswith("/debian")), None)
    if mirror is None:
        raise MachineNotReady("This machine does not get its packages from Debian.")
    release, more = _RELEASES[version]
    sources = folder / "sources.list"
    sources.write_text(f"deb [signed-by={_ARCHIVE_KEYS}] {mirror} {release} main\n", encoding="utf-8")
    settings = {
        "Dir::Etc::sourcelist": sources,
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": folder / "lists",
        "Dir::State::status": os.devnull,  # what is installed here is of another release
        "Dir::Cache::pkgcache": "",
        "Dir::Cache::srcpkgcache": "",
        "APT::Sandbox::User": "",
    }
    apt = ["apt-get", "--quiet", *(f"--option={name}={value}" for name, value in settings.items())]
    own = f"python{version}"
    _call([*apt, "update"])
    _call([*apt, "download", f"{own}-minimal", f"lib{own}-minimal", f"lib{own}-stdlib", *more], folder / "packages")


def _call(command: list[str], cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MachineNotReady(f"{command[0]} failed:\n{done.stderr.strip()}")
    return done.stdout

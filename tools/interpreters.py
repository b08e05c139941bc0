"""Interpreters of other versions: one that is on the machine, or one out of an older Debian's packages.

Standard library only. Nothing is installed on the machine.
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
    "3.9": ("bullseye", ("libffi7", "libssl1.1", "libmpdec3")),
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
    if version == _own():
        return Interpreter(Path(sys.executable), version)
    for path in _on_this_machine(version):
        if not subprocess.run([path, "-c", "import ssl, venv"], capture_output=True, check=False).returncode:
            return Interpreter(Path(path), version)
    try:
        return _unpacked(version)
    except MachineNotReady as reason:
        print(f"Python {version} is not to be had here, so {_own()} stands in for it. {reason}", file=sys.stderr)
        return Interpreter(Path(sys.executable), _own())


def _own() -> str:
    return "{}.{}".format(*sys.version_info[:2])


def _on_this_machine(version: str) -> list[str]:
    """Commands that may start that version; with pyenv, the first may be a mere placeholder."""
    paths = [shutil.which(f"python{version}") or ""]
    if shutil.which("pyenv"):
        paths += _call(["pyenv", "whence", "--path", f"python{version}"], may_fail=True).splitlines()
    return [path for path in paths if path]


def _unpacked(version: str) -> Interpreter:
    """Unpack the version out of Debian's packages below ``build/``: it finds its modules wherever it lies.

    Raises:
        MachineNotReady: this is no Debian, or its mirror no longer has that release.
    """
    if version not in _RELEASES:
        raise MachineNotReady("No release of Debian that runs here has it.")
    folder = FOLDER / f"python-{version}"
    root = folder / "root"
    if not root.exists():
        draft = folder / "draft"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        _fetch(version, folder, draft)
        draft.rename(root)
    libraries = map(str, (root / "usr" / "lib").glob("*-linux-gnu"))
    return Interpreter(root / f"usr/bin/python{version}", version, {"LD_LIBRARY_PATH": os.pathsep.join(libraries)})


def _fetch(version: str, folder: Path, draft: Path) -> None:
    """Download the packages with apt, with a list of our own, and unpack them."""
    release, more = _RELEASES[version]
    own = f"python{version}"
    packages = [f"{own}-minimal", f"lib{own}-minimal", f"lib{own}-stdlib", *more]
    (folder / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    sources = folder / "sources.list"
    sources.write_text(f"deb [signed-by={_ARCHIVE_KEYS}] {_mirror()} {release} main\n", encoding="utf-8")
    settings = {
        "Dir::Etc::sourcelist": sources,
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache::pkgcache": "",
        "Dir::Cache::srcpkgcache": "",
        "APT::Sandbox::User": "",
    }
    apt = ["apt-get", "--quiet", *(f"--option={name}={value}" for name, value in settings.items())]
    _call([*apt, "update"])
    debs = folder / "packages"
    debs.mkdir(exist_ok=True)
    _call([*apt, "download", *packages], cwd=debs)
    for deb in sorted(debs.glob("*.deb")):
        _call(["dpkg-deb", "--extract", str(deb), str(draft)])


def _mirror() -> str:
    """The server of this machine's own packages."""
    sites = _call(["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(COMPONENT)", "Created-By: Packages"])
    for line in sites.splitlines():
        site, _, rest = line.partition(" ")
        if rest.endswith(" main") and site.endswith("/debian"):
            return site
    raise MachineNotReady("This machine does not get its packages from Debian.")


def _call(command: list[str], *, cwd: Path | None = None, may_fail: bool = False) -> str:
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise MachineNotReady("This is no Debian.") from None
    if done.returncode and not may_fail:
        raise MachineNotReady(f"{command[0]} failed:\n{done.stderr.strip()}")
    return done.stdout

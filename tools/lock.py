"""``python3 tools lock``: ask uv anew which wheels of NumPy and matplotlib fit which Anki, and write that down."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tools.arguments import Parser
from tools.environment import ROOT
from tools.system_packages import MachineNotReady
from ui.anki.libraries.lock import FOLDER
from ui.anki.libraries.needs import LIBRARIES

#: 3.9 is that of Anki 24.11 and 25.02, 3.13 that of 25.07 and later; the others are those of systems' own Ankis.
PYTHONS = ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")

#: What uv calls each platform.
PLATFORMS = {
    "win_amd64": "x86_64-pc-windows-msvc",
    "win_arm64": "aarch64-pc-windows-msvc",
    "macosx_arm64": "aarch64-apple-darwin",
    "macosx_x86_64": "x86_64-apple-darwin",
    "linux_x86_64": "x86_64-manylinux_2_28",
    "linux_aarch64": "aarch64-manylinux_2_28",
}

#: An old and a new macOS: pip takes the newest wheel that fits. (uv has no such setting for other systems.)
_SYSTEMS = ("12.0", "26.0")


@dataclass(frozen=True, order=True)
class Wheel:
    """A wheel that fits."""

    name: str
    version: str
    sha256: str
    size: int


def main(arguments: list[str]) -> int:
    """Write one file for each Python."""
    Parser(
        prog="python3 tools lock",
        description=f"Write {FOLDER.relative_to(ROOT)}/: the newest libraries for each Python and platform.",
    ).parse_args(arguments)
    wanted = [f"{library.distribution}>={library.at_least}" for library in LIBRARIES]
    for python in PYTHONS:
        found = {each: resolve(python, each, wanted) for each in PLATFORMS if supported(python, each)}
        (FOLDER / f"{python}.txt").write_text(_lock(python, found), encoding="utf-8")
        print(f"{FOLDER.relative_to(ROOT)}/{python}.txt: {', '.join(found)}", file=sys.stderr)
    return 0


def supported(python: str, platform: str) -> bool:
    """Whether Anki and wheels exist for these: on Windows for ARM, NumPy begins with Python 3.11."""
    return platform != "win_arm64" or int(python.partition(".")[2]) >= 11


def resolve(python: str, platform: str, requirements: Iterable[str]) -> set[Wheel]:
    """The wheels that fit old and new systems of that platform, of the newest versions that go together.

    Raises:
        MachineNotReady: uv finds no solution, or has no network.
    """
    command = [sys.executable, "-m", "uv", "pip", "compile", "-", "--quiet", "--no-python-downloads"]
    command += ["--only-binary=:all:", "--format=pylock.toml"]
    command += [f"--python-version={python}", f"--python-platform={PLATFORMS[platform]}"]
    found = set()
    for system in _SYSTEMS if platform.startswith("macosx") else _SYSTEMS[:1]:
        variables = {**os.environ, "MACOSX_DEPLOYMENT_TARGET": system}
        done = subprocess.run(
            command, input="\n".join(requirements), env=variables, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise MachineNotReady(f"uv does not find the libraries:\n{done.stderr.strip()}")
        for package in tomllib.loads(done.stdout)["packages"]:
            for wheel in package["wheels"]:
                found.add(Wheel(package["name"], package["version"], wheel["hashes"]["sha256"], wheel["size"]))
    return found


def _lock(python: str, found: Mapping[str, Iterable[Wheel]]) -> str:
    """The text of the lock file: what to download in comments, then the requirements as pip reads them.

    Raises:
        ValueError: a library's newest version differs between platforms.
    """
    every = {wheel for wheels in found.values() for wheel in wheels}
    versions = {wheel.name: wheel.version for wheel in every}
    if len({(wheel.name, wheel.version) for wheel in every}) != len(versions):
        raise ValueError(f"Python {python}: the platforms' newest versions differ: {sorted(every)}")
    lines = [f"# For Python {python}, made by `python3 tools lock`. The bytes that pip fetches, at most:"]
    for platform, wheels in found.items():
        largest: dict[str, int] = {}
        for wheel in wheels:
            largest[wheel.name] = max(wheel.size, largest.get(wheel.name, 0))
        lines.append(f"# {platform} {sum(largest.values())}")
    for name, version in sorted(versions.items()):
        hashes = sorted({wheel.sha256 for wheel in every if wheel.name == name})
        lines.append(" \\\n    ".join([f"{name}=={version}", *(f"--hash=sha256:{each}" for each in hashes)]))
    return "\n".join(lines) + "\n"

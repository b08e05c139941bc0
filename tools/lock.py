"""``python3 tools lock``: ask uv anew which wheels of NumPy and matplotlib fit which Anki, and write that down."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tools.arguments import Parser
from tools.environment import ROOT
from tools.system_packages import MachineNotReady, call
from ui.anki.libraries.lock import FOLDER
from ui.anki.libraries.needs import LIBRARIES

#: 3.9 is that of Anki 24.11 and 25.02, 3.13 that of 25.07 and later; the others are those of systems' own Ankis.
PYTHONS = ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")

#: What uv calls each platform that the add-on runs on.
PLATFORMS = {
    "win_amd64": "x86_64-pc-windows-msvc",
    "win_arm64": "aarch64-pc-windows-msvc",
    "macosx_arm64": "aarch64-apple-darwin",
    "macosx_x86_64": "x86_64-apple-darwin",
    "linux_x86_64": "x86_64-manylinux_2_28",
    "linux_aarch64": "aarch64-manylinux_2_28",
}


class Wheel(NamedTuple):
    """A wheel that pip chooses."""

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


def resolve(python: str, platform: str, requirements: Iterable[str]) -> list[set[Wheel]]:
    """The wheels that pip would install on an old and a new system of that platform: the newest that go together.

    Raises:
        MachineNotReady: uv finds no solution, or has no network.
    """
    uv = [str(Path(sys.executable).with_name("uv")), "pip", "compile", "-", "--quiet", "--no-python-downloads"]
    uv += ["--only-binary=:all:", "--format=pylock.toml"]
    uv += [f"--python-version={python}", f"--python-platform={PLATFORMS[platform]}"]
    systems = []
    for system in ("12.0", "26.0") if platform.startswith("macosx") else ("",):  # on Linux all have the same
        written = call(*uv, typed="\n".join(requirements), MACOSX_DEPLOYMENT_TARGET=system)
        wheels = set()
        for package in tomllib.loads(written)["packages"]:
            chosen = max(package["wheels"], key=_preference)
            wheels.add(Wheel(package["name"], package["version"], chosen["hashes"]["sha256"], chosen["size"]))
        systems.append(wheels)
    return systems


def _preference(wheel: Mapping[str, Any]) -> tuple[bool, list[int], bool]:
    """What pip looks at among wheels that fit: compiled code, then the newest system, then one processor only.

    By hand, as uv says only what fits, and packaging would have to be given every tag of another system in order.
    """
    name = wheel["url"].rpartition("/")[2]
    systems = [[int(major), int(minor)] for major, minor in re.findall(r"(?:linux|macosx)_(\d+)_(\d+)_", name)]
    return not name.endswith("-none-any.whl"), max(systems, default=[]), "_universal2" not in name


def _lock(python: str, found: Mapping[str, Sequence[set[Wheel]]]) -> str:
    """The text of the lock file: what to download in comments, then the requirements as pip reads them.

    Raises:
        MachineNotReady: a library's newest version differs between platforms.
    """
    every = {wheel for systems in found.values() for wheels in systems for wheel in wheels}
    versions = {wheel.name: wheel.version for wheel in every}
    if any(versions[wheel.name] != wheel.version for wheel in every):
        raise MachineNotReady(f"Python {python}: the platforms' newest versions differ: {sorted(every)}")
    lines = [f"# For Python {python}, made by `python3 tools lock`. The bytes that pip fetches:"]
    for platform, systems in found.items():
        lines.append(f"# {platform} {max(sum(wheel.size for wheel in wheels) for wheels in systems)}")
    for name, version in sorted(versions.items()):
        hashes = sorted({wheel.sha256 for wheel in every if wheel.name == name})
        lines.append(" \\\n    ".join([f"{name}=={version}", *(f"--hash=sha256:{each}" for each in hashes)]))
    return "\n".join(lines) + "\n"

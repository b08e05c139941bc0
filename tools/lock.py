"""``python3 tools lock``: ask uv anew which wheels of NumPy and matplotlib fit which Anki, and write that down."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms
from packaging.utils import parse_wheel_filename

from tools.arguments import Parser
from tools.environment import ROOT
from tools.system_packages import MachineNotReady
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

#: An old and a new macOS: pip takes the newest wheel that fits. (On Linux all have the same.)
_SYSTEMS = ("12.0", "26.0")


@dataclass(frozen=True, order=True)
class Wheel:
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
    """The wheels that pip would install on old and new systems of that platform: the newest that go together.

    Raises:
        MachineNotReady: uv finds no solution, or has no network.
    """
    command = [sys.executable, "-m", "uv", "pip", "compile", "-", "--quiet", "--no-python-downloads"]
    command += ["--only-binary=:all:", "--format=pylock.toml"]
    command += [f"--python-version={python}", f"--python-platform={PLATFORMS[platform]}"]
    systems = []
    for system in _SYSTEMS if platform.startswith("macosx") else _SYSTEMS[:1]:
        variables = {**os.environ, "MACOSX_DEPLOYMENT_TARGET": system}
        done = subprocess.run(
            command, input="\n".join(requirements), env=variables, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise MachineNotReady(f"uv does not find the libraries:\n{done.stderr.strip()}")
        rank = {tag: place for place, tag in enumerate(_tags(python, platform, system))}
        wheels = set()
        for package in tomllib.loads(done.stdout)["packages"]:
            chosen = min(package["wheels"], key=lambda wheel: min(rank.get(tag, len(rank)) for tag in _tags_of(wheel)))
            wheels.add(Wheel(package["name"], package["version"], chosen["hashes"]["sha256"], chosen["size"]))
        systems.append(wheels)
    return systems


def _tags(python: str, platform: str, system: str) -> Iterator[Tag]:
    """The tags of wheels that fit, those first that pip prefers."""
    version, interpreter = tuple(map(int, python.split("."))), f"cp{python}".replace(".", "")
    kind, _, processor = platform.partition("_")
    if kind == "macosx":
        platforms = list(mac_platforms((int(system.partition(".")[0]), 0), processor))
    elif kind == "linux":
        platforms = [f"manylinux{each}_{processor}" for each in ("_2_28", "_2_27", "2014")]
    else:
        platforms = [platform]
    yield from cpython_tags(version, [interpreter], platforms)
    yield from compatible_tags(version, interpreter, platforms)


def _tags_of(wheel: Mapping[str, Any]) -> frozenset[Tag]:
    return parse_wheel_filename(wheel["url"].rpartition("/")[2])[3]


def _lock(python: str, found: Mapping[str, Sequence[set[Wheel]]]) -> str:
    """The text of the lock file: what to download in comments, then the requirements as pip reads them.

    Raises:
        ValueError: a library's newest version differs between platforms.
    """
    every = {wheel for systems in found.values() for wheels in systems for wheel in wheels}
    versions = {wheel.name: wheel.version for wheel in every}
    if len({(wheel.name, wheel.version) for wheel in every}) != len(versions):
        raise ValueError(f"Python {python}: the platforms' newest versions differ: {sorted(every)}")
    lines = [f"# For Python {python}, made by `python3 tools lock`. The bytes that pip fetches:"]
    for platform, systems in found.items():
        lines.append(f"# {platform} {max(sum(wheel.size for wheel in wheels) for wheels in systems)}")
    for name, version in sorted(versions.items()):
        hashes = sorted({wheel.sha256 for wheel in every if wheel.name == name})
        lines.append(" \\\n    ".join([f"{name}=={version}", *(f"--hash=sha256:{each}" for each in hashes)]))
    return "\n".join(lines) + "\n"

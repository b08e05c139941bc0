"""``python3 tools lock``: ask pip anew which wheels of NumPy and matplotlib fit which Anki, and write that down."""

from __future__ import annotations

import sys
import urllib.request
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from tools.arguments import Parser
from tools.environment import ROOT
from tools.resolve import PLATFORMS, PYTHONS, Machine, Wheel, resolve, supported
from ui.anki.libraries.lock import FOLDER
from ui.anki.libraries.needs import LIBRARIES


def main(arguments: list[str]) -> int:
    """Write one file for each Python."""
    Parser(
        prog="python3 tools lock",
        description=f"Write {FOLDER.relative_to(ROOT)}/: the newest libraries for each Python and platform.",
    ).parse_args(arguments)
    wanted = [f"{library.distribution}>={library.at_least}" for library in LIBRARIES]
    for python in PYTHONS:
        machines = machines_of(python, wanted)
        found: dict[str, list[list[Wheel]]] = {}
        for machine, wheels in zip(machines, resolve(machines), strict=True):
            found.setdefault(machine.platform, []).append(wheels)
        (FOLDER / f"{python}.txt").write_text(_lock(python, found), encoding="utf-8")
        print(f"{FOLDER.relative_to(ROOT)}/{python}.txt: {', '.join(found)}", file=sys.stderr)
    return 0


def machines_of(python: str, requirements: Sequence[str]) -> list[Machine]:
    """The machines with that Python: older and newer systems of each platform."""
    platforms = [platform for platform in PLATFORMS if supported(python, platform)]
    return [Machine(python, platform, tags, requirements) for platform in platforms for tags in PLATFORMS[platform]]


def _lock(python: str, found: dict[str, list[list[Wheel]]]) -> str:
    """The text of the lock file: what to download in comments, then the requirements as pip reads them.

    Raises:
        ValueError: a library's newest version differs between platforms.
    """
    every = {wheel for systems in found.values() for system in systems for wheel in system}
    versions = {wheel.name: wheel.version for wheel in every}
    if len({(wheel.name, wheel.version) for wheel in every}) != len(versions):
        raise ValueError(f"Python {python}: the platforms' newest versions differ: {sorted(every)}")
    size = dict(zip(every, _sizes(wheel.url for wheel in every), strict=True))
    lines = [f"# For Python {python}, made by `python3 tools lock`. The bytes that pip fetches:"]
    for platform, systems in found.items():
        lines.append(f"# {platform} {max(sum(size[wheel] for wheel in system) for system in systems)}")
    for name, version in sorted(versions.items()):
        hashes = sorted({wheel.sha256 for wheel in every if wheel.name == name})
        lines.append(" \\\n    ".join([f"{name}=={version}", *(f"--hash=sha256:{each}" for each in hashes)]))
    return "\n".join(lines) + "\n"


def _sizes(urls: Iterable[str]) -> list[int]:
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(_size, urls))


def _size(url: str) -> int:
    with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=60) as answer:  # noqa: S310 - pip's
        return int(answer.headers["Content-Length"])

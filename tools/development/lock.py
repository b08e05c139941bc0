"""``python3 tools lock``: write the lock files, which list the wheels of NumPy and matplotlib for each Python.

uv chooses the wheels.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable
from itertools import product
from pathlib import Path

from tools.environment import ROOT, run_command
from ui.anki.libraries.lock_files import path_of
from ui.anki.libraries.needs import LIBRARIES

#: Versions of Python. Anki 24.11 and 25.02 come with 3.9, and later ones with 3.13. Linux distributions use the others.
PYTHONS = ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")

#: uv's name of each platform.
PLATFORMS = {
    "win_amd64": "x86_64-pc-windows-msvc",
    "win_arm64": "aarch64-pc-windows-msvc",
    "macosx_arm64": "aarch64-apple-darwin",
    "macosx_x86_64": "x86_64-apple-darwin",
    "linux_x86_64": "x86_64-manylinux_2_28",
    "linux_aarch64": "aarch64-manylinux_2_28",
}

#: Pairs of Python and platform that NumPy is built for.
TARGETS = [pair for pair in product(PYTHONS, PLATFORMS) if pair not in {("3.9", "win_arm64"), ("3.10", "win_arm64")}]


def main(_arguments: list[str]) -> int:
    """Write a lock file for each pair of Python and platform."""
    for python, platform in TARGETS:
        path = path_of(python, platform)
        requirements = (f"{library.module}>={library.at_least}" for library in LIBRARIES)
        path.write_text(lock_text(python, platform, requirements))
        print(path.relative_to(ROOT), file=sys.stderr)
    return 0


def lock_text(python: str, platform: str, requirements: Iterable[str]) -> str:
    """Return the text of a lock file in pip's format, with the newest compatible libraries and their size."""
    uv = [str(Path(sys.executable).with_name("uv")), "pip", "compile", "-", "--quiet", "--only-binary=:all:"]
    uv += ["--format=pylock.toml", f"--python-version={python}", f"--python-platform={PLATFORMS[platform]}"]
    # The oldest macOS determines the versions, and the newest may add wheels of these. Other systems ignore this.
    for macos_version in ("12.0", "26.0"):
        output = run_command(
            *uv, stdin="\n".join(requirements), MACOSX_DEPLOYMENT_TARGET=macos_version, UV_PYTHON_DOWNLOADS="never"
        )
        packages = tomllib.loads(output)["packages"]
        requirements = [f"{package['name']}=={package['version']}" for package in packages]
    # If several wheels fit, pip prefers a compiled one, which is the largest.
    size = sum(max(wheel["size"] for wheel in package["wheels"]) for package in packages)
    lines = [f"# For Python {python} on {platform}, by `python3 tools lock`. The most bytes that pip fetches: {size}"]
    for requirement, package in zip(requirements, packages, strict=True):
        hashes = (f"--hash=sha256:{wheel['hashes']['sha256']}" for wheel in package["wheels"])
        lines.append(" ".join([requirement, *hashes]))
    return "\n".join(lines) + "\n"

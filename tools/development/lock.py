"""``python3 tools lock``: ask uv which wheels of NumPy and matplotlib fit each Anki, and write them down."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable
from itertools import product
from pathlib import Path

from tools.environment import ROOT, run_command
from ui.anki.libraries.lock import path_of
from ui.anki.libraries.needs import LIBRARIES

#: 3.9 belongs to Anki 24.11 and 25.02, 3.13 to 25.07 and later; the others to Ankis packaged by Linux distributions.
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

#: For Windows on ARM, NumPy begins with Python 3.11.
TARGETS = [each for each in product(PYTHONS, PLATFORMS) if each not in {("3.9", "win_arm64"), ("3.10", "win_arm64")}]


def main(_arguments: list[str]) -> int:
    """Write one file for each Python and platform."""
    for python, platform in TARGETS:
        path = path_of(python, platform)
        path.write_text(lock(python, platform, (f"{each.module}>={each.at_least}" for each in LIBRARIES)))
        print(path.relative_to(ROOT), file=sys.stderr)
    return 0


def lock(python: str, platform: str, requirements: Iterable[str]) -> str:
    """Return the lock file of the newest compatible libraries in pip's format, with their size in a comment."""
    uv = [str(Path(sys.executable).with_name("uv")), "pip", "compile", "-", "--quiet", "--only-binary=:all:"]
    uv += ["--format=pylock.toml", f"--python-version={python}", f"--python-platform={PLATFORMS[platform]}"]
    for system in ("12.0", "26.0"):  # what the oldest macOS can have, with what the newest prefers; others do not look
        written = run_command(
            *uv, typed="\n".join(requirements), MACOSX_DEPLOYMENT_TARGET=system, UV_PYTHON_DOWNLOADS="never"
        )
        packages = tomllib.loads(written)["packages"]
        requirements = [f"{package['name']}=={package['version']}" for package in packages]
    # If several wheels fit, pip prefers a compiled one, and that is the largest.
    size = sum(max(wheel["size"] for wheel in package["wheels"]) for package in packages)
    lines = [f"# For Python {python} on {platform}, by `python3 tools lock`. The most bytes that pip fetches: {size}"]
    for requirement, package in zip(requirements, packages, strict=True):
        hashes = (f"--hash=sha256:{wheel['hashes']['sha256']}" for wheel in package["wheels"])
        lines.append(" ".join([requirement, *hashes]))
    return "\n".join(lines) + "\n"

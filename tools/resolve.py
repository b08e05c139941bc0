"""What pip would install on another machine: another Python, another system."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from tools.pip_wheel import pip_wheel
from tools.system_packages import MachineNotReady

#: 3.9 is that of Anki 24.11 and 25.02, 3.13 that of 25.07 and later; the others are those of systems' own Ankis.
PYTHONS = ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")

#: Of each platform the tags of an old and of a new system: pip takes the newest wheel that fits.
PLATFORMS: dict[str, tuple[tuple[str, ...], ...]] = {
    "win_amd64": (("win_amd64",),),
    "win_arm64": (("win_arm64",),),
    "macosx_arm64": (("macosx_12_0_arm64",), ("macosx_26_0_arm64",)),
    "macosx_x86_64": (("macosx_12_0_x86_64",), ("macosx_26_0_x86_64",)),
    "linux_x86_64": (("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux2014_x86_64"),),
    "linux_aarch64": (("manylinux_2_28_aarch64", "manylinux_2_27_aarch64", "manylinux2014_aarch64"),),
}

#: What packages ask about a machine ("only on Windows"). pip answers for the machine it runs on, whatever it is told.
_MARKERS = {"win": ("win32", "Windows", "nt"), "mac": ("darwin", "Darwin", "posix"), "lin": ("linux", "Linux", "posix")}

_PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from pip._vendor.packaging import markers
here, there = markers.default_environment, json.loads(sys.argv[2])
markers.default_environment = lambda: {**here(), **there}
from pip._internal.cli.main import main
sys.exit(main(sys.argv[3:]))
"""


@dataclass(frozen=True, order=True)
class Wheel:
    """A file that pip has chosen."""

    name: str
    version: str
    sha256: str
    url: str


def supported(python: str, platform: str) -> bool:
    """Whether there is an Anki for that, and wheels: on Windows for ARM NumPy begins with Python 3.11."""
    return platform != "win_arm64" or int(python.partition(".")[2]) >= 11


def resolve(requirements: Sequence[str], python: str, platform: str, tags: Sequence[str]) -> list[Wheel]:
    """All wheels that pip would install there. Nothing is downloaded but what the wheels say of themselves.

    Raises:
        MachineNotReady: pip finds no solution, or has no network.
    """
    system, name, os_name = _MARKERS[platform[:3]]
    markers = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": system}
    markers.update(platform_system=name, os_name=os_name, platform_machine=platform.partition("_")[2])
    command = [sys.executable, "-c", _PROGRAM, str(pip_wheel()), json.dumps(markers), "install", "--quiet"]
    command += ["--dry-run", "--ignore-installed", "--only-binary=:all:", "--report", "-", "--target", "unused"]
    command += ["--python-version", python, *(f"--platform={tag}" for tag in tags), *requirements]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MachineNotReady(f"pip finds no libraries for Python {python} on {platform}:\n{done.stderr.strip()}")
    return [_wheel(item) for item in json.loads(done.stdout)["install"]]


def _wheel(item: dict[str, dict[str, object]]) -> Wheel:
    metadata, download = item["metadata"], json.loads(json.dumps(item["download_info"]))
    sha256 = str(download["archive_info"]["hashes"]["sha256"])
    return Wheel(str(metadata["name"]).lower(), str(metadata["version"]), sha256, str(download["url"]))

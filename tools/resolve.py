"""What pip would install on another machine: another Python, another system."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
from pip._internal.cli.main import main
here = markers.default_environment
for there, arguments in json.loads(sys.argv[2]):
    markers.default_environment = lambda: {**here(), **there}
    if main(arguments):
        sys.exit(f"This was for {there}.")
"""


@dataclass(frozen=True, order=True)
class Wheel:
    """A wheel that pip has chosen."""

    name: str
    version: str
    sha256: str
    url: str


def supported(python: str, platform: str) -> bool:
    """Whether Anki and wheels exist for these: on Windows for ARM, NumPy begins with Python 3.11."""
    return platform != "win_arm64" or int(python.partition(".")[2]) >= 11


@dataclass(frozen=True)
class Machine:
    """Another machine, and what is to be installed there."""

    python: str
    platform: str
    tags: Sequence[str]
    requirements: Sequence[str]

    def markers(self) -> dict[str, str]:
        """The environment markers of the machine, which packages ask for."""
        system, name, os_name = _MARKERS[self.platform[:3]]
        python = {"python_version": self.python, "python_full_version": f"{self.python}.0"}
        machine = self.platform.partition("_")[2]
        return {
            **python,
            "sys_platform": system,
            "platform_system": name,
            "os_name": os_name,
            "platform_machine": machine,
        }

    def arguments(self, report: Path) -> list[str]:
        """pip's arguments to write its report there; only the metadata of wheels is downloaded."""
        options = ["install", "--quiet", "--dry-run", "--ignore-installed", "--only-binary=:all:"]
        options += ["--report", str(report), "--target", "unused", "--python-version", self.python]
        return [*options, *(f"--platform={tag}" for tag in self.tags), *self.requirements]


def resolve(machines: Sequence[Machine]) -> list[list[Wheel]]:
    """The wheels that pip would install on each of these machines.

    Raises:
        MachineNotReady: pip finds no solution, or has no network.
    """
    with tempfile.TemporaryDirectory() as folder:
        reports = [Path(folder) / f"{number}.json" for number in range(len(machines))]
        tasks = [(each.markers(), each.arguments(report)) for each, report in zip(machines, reports, strict=True)]
        command = [sys.executable, "-c", _PROGRAM, str(pip_wheel()), json.dumps(tasks)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise MachineNotReady(f"pip does not find the libraries:\n{done.stderr.strip()}")
        return [_wheels(json.loads(report.read_text(encoding="utf-8"))) for report in reports]


def _wheels(report: dict[str, Any]) -> list[Wheel]:
    return [
        Wheel(
            name=item["metadata"]["name"].lower(),
            version=item["metadata"]["version"],
            sha256=item["download_info"]["archive_info"]["hashes"]["sha256"],
            url=item["download_info"]["url"],
        )
        for item in report["install"]
    ]

"""The wheel of pip that travels in the package: fetched by pip once, kept in ``build/``, and always checked."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

from tools.environment import ROOT, alone
from tools.system_packages import MachineNotReady

#: Its version and its hash.
PINNED = ROOT / "tools" / "pip.txt"
FOLDER = ROOT / "build"


def pip_wheel(folder: Path = FOLDER) -> Path:
    """The path of the wheel, which is downloaded first where it is missing.

    Raises:
        MachineNotReady: it cannot be fetched.
    """
    folder.mkdir(exist_ok=True)
    with alone(folder / "pip.lock"):
        return _kept(folder) or _fetched(folder)


def _kept(folder: Path) -> Path | None:
    digest = PINNED.read_text(encoding="utf-8").rpartition("--hash=sha256:")[2].strip()
    wheels = folder.glob("pip-*.whl")
    return next((wheel for wheel in wheels if hashlib.sha256(wheel.read_bytes()).hexdigest() == digest), None)


def _fetched(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary=:all:", "--require-hashes", "--requirement", str(PINNED), "--dest", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheel = _kept(folder)
    if done.returncode or wheel is None:
        last_lines = "\n".join(done.stderr.strip().splitlines()[-5:])
        raise MachineNotReady(f"pip's wheel could not be fetched:\n{last_lines}")
    return wheel

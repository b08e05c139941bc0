"""The wheel of pip that travels in the package: fetched by pip once, kept in ``build/``, and always checked."""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

from tools.environment import ROOT, alone, run

#: Its version and its hash.
PINNED = ROOT / "tools" / "pip.txt"
FOLDER = ROOT / "build"


def pip_wheel(folder: Path = FOLDER) -> Path:
    """The path of the wheel, which is downloaded first where it is missing.

    Raises:
        MachineNotReady: it cannot be fetched.
    """
    version, digest = re.findall(r"==(\S+) --hash=sha256:(\w+)", PINNED.read_text(encoding="utf-8"))[0]
    wheel = folder / f"pip-{version}-py3-none-any.whl"
    folder.mkdir(exist_ok=True)
    with alone(folder / "pip.lock"):
        if not wheel.exists() or hashlib.sha256(wheel.read_bytes()).hexdigest() != digest:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
            command += ["--only-binary=:all:", "--require-hashes", f"--requirement={PINNED}", f"--dest={folder}"]
            run(command, "pip's wheel could not be fetched.")
    return wheel

"""Tiny wheels with the names of the real libraries, and their lock file."""

from __future__ import annotations

import base64
import hashlib
import random
import zipfile
from pathlib import Path

from ui.anki.libraries.lock_files import Lock

NAMES = ("numpy", "matplotlib")


def write_wheel(folder: Path, name: str, padding: int = 0, needs: str = "", code: str = "") -> Path:
    """Write a wheel of version 9.0.

    Args:
        folder: folder to write it into.
        name: name of the package.
        padding: number of bytes that cannot be compressed.
        needs: requirement of the package.
        code: code that runs when the package is imported.
    """
    path = folder / f"{name}-9.0-py3-none-any.whl"
    info = f"{name}-9.0.dist-info"
    requirement = f"Requires-Dist: {needs}\n" if needs else ""
    files = {
        f"{name}/__init__.py": f"__version__ = '9.0'\n{code}\n".encode(),
        f"{name}/tests/__init__.py": b"",
        f"{name}/padding.bin": random.Random(name).randbytes(padding),
        f"{name}-9.0.data/scripts/{name}-tool": b"#!python\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 9.0\n{requirement}".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{file},sha256={_digest(content)},{len(content)}\n" for file, content in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(path, "w") as wheel:
        for file, content in files.items():
            wheel.writestr(zipfile.ZipInfo(file), content)
    return path


def write_lock(path: Path, wheels: list[Path]) -> Lock:
    """Write the lock file of these wheels, and return the lock."""
    pins = tuple(f"{wheel.name.split('-')[0]}==9.0" for wheel in wheels)
    hashes = [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in wheels]
    path.write_text("".join(f"{pin} --hash=sha256:{digest}\n" for pin, digest in zip(pins, hashes, strict=True)))
    return Lock(path, sum(wheel.stat().st_size for wheel in wheels), pins)


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()

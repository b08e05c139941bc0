"""``python3 tools package``: write the add-on as one file that Anki installs.

`git archive` would pack the last commit instead of the working tree.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.environment import ROOT, pip_wheel
from ui.drafts import Drafts

PACKAGE = ROOT / "dist" / "srs_evaluator.ankiaddon"

#: Files and folders that ship, apart from pip's wheel. Files of a folder ship if they have one of the endings, and
#: neither they nor their folder is hidden.
SHIPPED = (
    "__init__.py",
    "manifest.json",
    "config.json",
    "config.md",
    "config.schema.json",
    "LICENSE",
    "docs",
    "evaluator",
    "ui",
)

#: Endings of files that ship.
_ENDINGS = {".py", ".json", ".css", ".mo", ".txt", ".md"}

#: Endings of files for developers, which do not ship.
_FOR_DEVELOPERS = ("README.md", ".po", ".png")

#: Folder of pip's wheel in the package.
PIP_FOLDER = "ui/anki/libraries"

#: Time of every file in the package, so that the same content gives the same bytes. It is the earliest that ZIP has.
_TIME = (1980, 1, 1, 0, 0, 0)


def main(_arguments: list[str]) -> int:
    """Write the package, and print its path."""
    write_package(PACKAGE, [pip_wheel()])
    print(f"{PACKAGE.relative_to(ROOT)}: {PACKAGE.stat().st_size / 1e6:.1f} MB")
    return 0


def write_package(path: Path, wheels: Iterable[Path]) -> None:
    """Write a package with all files that ship and these wheels. The same content gives the same bytes."""
    with Drafts() as drafts:
        draft = drafts.draft_folder(path.parent) / path.name
        with zipfile.ZipFile(draft, "w") as package:
            for name in shipped_files():
                _add_file(package, name, ROOT / name, zipfile.ZIP_DEFLATED)
            for wheel in wheels:
                # A wheel is compressed already.
                _add_file(package, f"{PIP_FOLDER}/{wheel.name}", wheel, zipfile.ZIP_STORED)
        drafts.add(draft, path)
        drafts.put_in_place()


def shipped_files() -> list[str]:
    """Return the paths of all files that ship, relative to the checkout and sorted."""
    return sorted(path.relative_to(ROOT).as_posix() for path in _files())


def _files() -> Iterator[Path]:
    """Yield the files that ship."""
    for top in (ROOT / name for name in SHIPPED):
        for path in [top, *top.rglob("*")]:
            is_hidden = any(part.startswith(".") for part in path.relative_to(ROOT).parts)
            has_ending = path.suffix in _ENDINGS and not path.name.endswith(_FOR_DEVELOPERS)
            if path.is_file() and not is_hidden and (path == top or has_ending):
                yield path


def _add_file(package: zipfile.ZipFile, name: str, source: Path, compression: int) -> None:
    """Add a file with the same time and permissions as all others."""
    info = zipfile.ZipInfo(name, _TIME)
    info.compress_type = compression
    # These are Unix permissions, which are the same on every system.
    info.create_system = 3
    info.external_attr = 0o644 << 16
    package.writestr(info, source.read_bytes(), compresslevel=9)

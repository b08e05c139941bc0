"""``python3 tools package``: write the add-on as one file that Anki installs.

`git archive` would pack the last commit instead of the working tree.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.environment import ROOT, MachineNotReady, pip_wheel
from ui.files import Drafts

PACKAGE = ROOT / "dist" / "srs_evaluator.ankiaddon"

#: Files and folders that ship, apart from pip's wheel. The files of a folder ship if git knows them. In a copy without
#: git, such as a downloaded ZIP, they ship if they have one of the endings and neither they nor their folder is hidden.
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

#: Endings of files that ship in a copy without git.
_ENDINGS = {".py", ".json", ".css", ".mo", ".txt", ".md"}

#: Endings of files for developers, which do not ship.
_FOR_DEVELOPERS = ("README.md", ".po", ".png")

#: Folder of pip's wheel in the package.
PIP_FOLDER = "ui/anki/libraries"

#: Time of every file in the package, so that the same content gives the same bytes. It is the earliest that ZIP has.
_TIME = (1980, 1, 1, 0, 0, 0)


def main(_arguments: list[str]) -> int:
    """Write the package, and print its path."""
    if unknown := unknown_files():
        print(f"Nothing was written, as git does not know {', '.join(unknown)}: git add them first.", file=sys.stderr)
        return 1
    write_package(PACKAGE, [pip_wheel()])
    print(f"{PACKAGE.relative_to(ROOT)}: {PACKAGE.stat().st_size / 1e6:.1f} MB")
    return 0


def write_package(path: Path, wheels: Iterable[Path]) -> None:
    """Write a package with all files that ship and these wheels. The same content gives the same bytes.

    Raises:
        MachineNotReady: if git cannot list the files of this checkout.
    """
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
    # git also lists files that were just deleted.
    return sorted(name for name in _list_files() if (ROOT / name).exists())


def unknown_files() -> list[str]:
    """Return the files in the folders that ship that were never added to git, such as forgotten ones or drafts."""
    return _list_files("--others", "--exclude-standard")


def _list_files(*options: str) -> list[str]:
    """Return the files among :data:`SHIPPED` that ``git ls-files`` lists with these options.

    In a copy without git, there are no files with options, and all that ship without options.
    """
    if not (ROOT / ".git").exists():
        return [] if options else [path.relative_to(ROOT).as_posix() for path in _files_without_git()]
    command = ["git", "ls-files", "-z", *options, "--", *SHIPPED]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if result.returncode:
        raise MachineNotReady(f"git cannot list the files of this checkout:\n{result.stderr.strip()}")
    return [name for name in result.stdout.split("\0") if name and not name.endswith(_FOR_DEVELOPERS)]


def _files_without_git() -> Iterator[Path]:
    """Yield the files that ship in a copy without git."""
    for top in (ROOT / name for name in SHIPPED):
        for path in [top, *top.rglob("*")]:
            is_hidden = any(part.startswith(".") for part in path.relative_to(ROOT).parts)
            has_ending = path.suffix in _ENDINGS and not path.name.endswith(_FOR_DEVELOPERS)
            if path.is_file() and not is_hidden and (path == top or has_ending):
                yield path


def _add_file(package: zipfile.ZipFile, name: str, source: Path, compression: int) -> None:
    info = zipfile.ZipInfo(name, _TIME)
    info.compress_type = compression
    # These are Unix permissions, which are the same on every system.
    info.create_system = 3
    info.external_attr = 0o644 << 16
    package.writestr(info, source.read_bytes(), compresslevel=9)

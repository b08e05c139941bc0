"""``python3 tools package``: the add-on as one file that Anki installs.

Not made with `git archive`, which packs the last commit instead of the working tree.
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

#: All that ships, apart from pip's wheel; of the folders what git knows, without the texts for developers. In a copy
#: without git, such as a downloaded ZIP, the files with these endings, unless they or a folder of theirs are hidden.
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

_ENDINGS = {".py", ".json", ".css", ".mo", ".txt", ".md"}

#: Files that do not ship: of a translation, only the compiled catalog does; of the docs, only the text.
_FOR_DEVELOPERS = ("README.md", ".po", ".png")

#: Path of pip's wheel in the package.
PLACE_OF_PIP = "ui/anki/libraries"

#: Time stamp of every file in the package, so that the same commit gives the same bytes. (Zip knows no earlier time.)
_TIME = (1980, 1, 1, 0, 0, 0)


def main(_arguments: list[str]) -> int:
    """Write the package, and print its path."""
    if unknown := unknown_files():
        print(f"Nothing was written, as git does not know {', '.join(unknown)}: git add them first.", file=sys.stderr)
        return 1
    write_package(PACKAGE, [pip_wheel()])
    print(f"{PACKAGE.relative_to(ROOT)}: {PACKAGE.stat().st_size / 1e6:.1f} MB")
    return 0


def write_package(path: Path, wheels: Iterable[Path] = ()) -> None:
    """Write a package of all files that ship and these wheels. The same content gives the same bytes.

    Raises:
        MachineNotReady: git cannot list the files of this checkout.
    """
    with Drafts() as drafts:
        draft = drafts.draft_folder(path.parent) / path.name
        with zipfile.ZipFile(draft, "w") as package:
            for name in shipped_files():
                _add(package, name, ROOT / name, zipfile.ZIP_DEFLATED)
            for wheel in wheels:
                _add(package, f"{PLACE_OF_PIP}/{wheel.name}", wheel, zipfile.ZIP_STORED)  # it is compressed already
        drafts.add(draft, path)
        drafts.put_in_place()


def shipped_files() -> list[str]:
    """Return the names of all files that ship, from the checkout's root, sorted."""
    return sorted(name for name in _listed() if (ROOT / name).exists())  # git also names what was deleted just now


def unknown_files() -> list[str]:
    """Return unshipped files that were never added to git: forgotten ones, or drafts."""
    return _listed("--others", "--exclude-standard")


def _listed(*options: str) -> list[str]:
    """Return the shipped files that ``git ls-files`` lists with these options. Without git it is all or none."""
    if not (ROOT / ".git").exists():
        return [] if options else [path.relative_to(ROOT).as_posix() for path in _files()]
    command = ["git", "ls-files", "-z", *options, "--", *SHIPPED]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        raise MachineNotReady(f"git cannot list the files of this checkout:\n{listed.stderr.strip()}")
    return [name for name in listed.stdout.split("\0") if name and not name.endswith(_FOR_DEVELOPERS)]


def _files() -> Iterator[Path]:
    """Yield the contents of the files that ship."""
    for index in (ROOT / name for name in SHIPPED):
        for path in [index, *index.rglob("*")]:
            hidden = any(part.startswith(".") for part in path.relative_to(ROOT).parts)
            ships = path.suffix in _ENDINGS and not path.name.endswith(_FOR_DEVELOPERS)
            if path.is_file() and not hidden and (path == index or ships):
                yield path


def _add(package: zipfile.ZipFile, name: str, source: Path, compression: int) -> None:
    info = zipfile.ZipInfo(name, _TIME)
    info.compress_type = compression
    info.create_system, info.external_attr = 3, 0o644 << 16  # Unix permissions, on every system
    package.writestr(info, source.read_bytes(), compresslevel=9)

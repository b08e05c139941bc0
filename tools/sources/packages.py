"""Extract the collection from Anki's packages (``.colpkg``, ``.apkg``), old and new."""

from __future__ import annotations

import errno
import importlib
import lzma
import shutil
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from evaluator.errors import DamagedFile, MadeByNewerAnki, NotACollection, TemporaryFolderFull
from tools.sources.limits import MAX_LINE

#: File with the package's format version; older packages have none.
META = "meta"

#: Names under which a package holds its collection, by that version, from 1; the newest is compressed once more.
COLLECTIONS = ("collection.anki2", "collection.anki21", "collection.anki21b")
ZSTANDARD = COLLECTIONS[-1]

#: Maximum size of a collection in bytes per byte of its package, but never below the second number; real ones have
#: about 5.
MAX_FACTOR, MAX_SMALL = 100, 10_000_000
#: Share of the free space that may be filled.
USABLE = 0.9
_COPIED_AT_ONCE = 1 << 20

BROKEN_DATA = "its compressed data is broken"
BROKEN_CONTENTS = "its table of contents is broken"

#: Errors of the module zipfile for a damaged archive, and what is wrong with it then.
_DAMAGE = (
    ((zlib.error, lzma.LZMAError), BROKEN_DATA),
    ((EOFError, struct.error), "the archive ends too early"),  # its table of contents comes last
    ((ValueError, OverflowError), BROKEN_CONTENTS),  # names that are not text; places before the beginning
    ((zipfile.BadZipFile, RuntimeError), ""),  # it says what; encrypted, or compressed in a way that is not known
)


def recognizes(start: bytes, _columns: set[str]) -> bool:
    """Return whether a file that begins like this is a ZIP archive, even an empty one."""
    return start.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def unpack(path: Path, folder: Path) -> Path:
    """Write the package's collection into ``folder`` and return its path.

    Raises:
        DamagedFile: the archive is damaged or truncated.
        MadeByNewerAnki: its format is not known yet.
        NotACollection: an archive without a collection.
    """
    collection = folder / "collection.anki2"
    with _damage_said(path), zipfile.ZipFile(path) as package:
        name = _name(path, package)
        with package.open(name) as content, collection.open("wb") as out:
            _copy(zstandard().ZstdFile(content) if name == ZSTANDARD else content, out, path)
    return collection


def _copy(content: IO[bytes], out: IO[bytes], path: Path) -> None:
    """Raises DamagedFile if there is more than a package of that size can hold, OSError if it does not fit the disk."""
    most = max(MAX_FACTOR * path.stat().st_size, MAX_SMALL)
    room = int(shutil.disk_usage(Path(out.name).parent).free * USABLE)
    while data := content.read(_COPIED_AT_ONCE):
        most, room = most - len(data), room - len(data)
        if most < 0:
            raise DamagedFile(path=str(path), detail=f"its collection is more than {MAX_FACTOR} times as large as it")
        if room < 0:
            raise OSError(errno.ENOSPC, "too little space is left")
        out.write(data)


def _name(path: Path, package: zipfile.ZipFile) -> str:
    """Return the collection's name in the archive. Others are placeholders for older versions of Anki."""
    from anki.import_export_pb2 import PackageMetadata

    names = set(package.namelist())
    version = 2 if COLLECTIONS[1] in names else 1
    if META in names:
        with package.open(META) as meta:
            version = PackageMetadata.FromString(meta.read(MAX_LINE)).version
    if not 1 <= version <= len(COLLECTIONS):
        raise MadeByNewerAnki(path=str(path))
    if COLLECTIONS[version - 1] not in names:
        raise NotACollection(path=str(path))
    return COLLECTIONS[version - 1]


def zstandard() -> Any:
    """Return Python's module (3.14 and later) or its backport, loaded only if a package needs it."""
    return importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


@contextmanager
def room_for_copy(folder: Path) -> Iterator[None]:
    """Raise TemporaryFolderFull if the copy of a collection cannot be written into ``folder``, by us or by SQLite."""
    try:
        yield
    except (OSError, DamagedFile) as error:
        if isinstance(error, OSError):
            is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        else:
            is_full = any(reason in error.facts["detail"] for reason in ("disk is full", "disk I/O error"))
        if not is_full:
            raise
        raise TemporaryFolderFull(folder=str(folder.parent)) from error


@contextmanager
def _damage_said(path: Path) -> Iterator[None]:
    """Raise DamagedFile for errors while reading the archive."""
    broken_message = importlib.import_module("google.protobuf.message").DecodeError  # has no types
    damage = (((broken_message, zstandard().ZstdError), BROKEN_DATA), *_DAMAGE)
    try:
        yield
    except tuple(kind for kinds, _ in damage for kind in kinds) as error:
        detail_of_kind = next(detail for kinds, detail in damage if isinstance(error, kinds))
        detail = "the archive ends too early" if "not a zip file" in str(error) else detail_of_kind or str(error)
        raise DamagedFile(path=str(path), detail=detail) from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # other than a place before the beginning of the file
            raise
        raise DamagedFile(path=str(path), detail=BROKEN_CONTENTS) from error

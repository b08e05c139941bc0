"""Extraction of the collection from Anki's packages (``.colpkg``, ``.apkg``), old and new."""

from __future__ import annotations

import errno
import shutil
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from evaluator.errors import DamagedFile, MadeByNewerAnki, NotACollection, PackageTooLarge, TemporaryFolderFull
from tools.environment import import_library
from tools.sources.limits import MAX_LINE
from tools.stopping import raise_ignored

#: Name of the file with the package's format version. Older packages have none.
META = "meta"

#: Names of the collection in packages of the format versions 1, 2 and 3.
COLLECTIONS = ("collection.anki2", "collection.anki21", "collection.anki21b")
#: Name of a collection that is also compressed with Zstandard.
ZSTANDARD = COLLECTIONS[-1]

#: Size in bytes of a collection that is always allowed.
MAX_UNPACKED = 1_000_000_000
#: Maximum size of a larger collection as a multiple of its package's size. Real ones have about 5 times its size.
MAX_FACTOR = 20
#: Share of the free disk space that may be filled.
USABLE = 0.9
#: Number of bytes that are copied at once.
_CHUNK = 1 << 20

#: Details of damaged archives.
BROKEN_DATA = "its compressed data or its table of contents is broken"
ENDS_TOO_EARLY = "the archive ends too early"


def recognizes(start: bytes, _columns: set[str]) -> bool:
    """Return whether a file that begins like this is a ZIP archive, even an empty one."""
    return start.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def unpack(path: Path, folder: Path) -> Path:
    """Write the package's collection into ``folder`` and return its path.

    Raises:
        DamagedFile: if the archive is damaged or truncated.
        PackageTooLarge: if the collection is too large for it.
        MadeByNewerAnki: if its format is unknown.
        NotACollection: if the archive has no collection.
        OSError: if the collection does not fit the disk.
    """
    collection = folder / "collection.anki2"
    metadata = import_library("anki.import_export_pb2").PackageMetadata
    with _archive_errors(path), zipfile.ZipFile(path) as package:
        name = _collection_name(path, package, metadata)
        with _open(package, name) as content, collection.open("wb") as out:
            _copy(zstandard().ZstdFile(content) if name == ZSTANDARD else content, out, path)
    return collection


def _open(package: zipfile.ZipFile, name: str) -> IO[bytes]:
    """Open a file of the package. Raises BadZipFile if its compression is not one of Anki's."""
    # With other methods, zipfile unpacks 4 KB at once, which may be gigabytes. Anki does not read these either.
    if package.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise zipfile.BadZipFile("it is compressed in a way that Anki does not read")
    return package.open(name)


def _copy(content: IO[bytes], out: IO[bytes], path: Path) -> None:
    """Copy the collection of the package at ``path``, unless it is too large for it or for the disk."""
    size = path.stat().st_size
    allowed = max(MAX_UNPACKED, MAX_FACTOR * size)
    unpacked = 0
    free = int(shutil.disk_usage(Path(out.name).parent).free * USABLE)
    while data := content.read(_CHUNK):
        raise_ignored()
        unpacked += len(data)
        if unpacked > allowed:
            raise PackageTooLarge(path=str(path), kilobytes=-(-size // 1000), most=allowed // 10**6)
        if unpacked > free:
            raise OSError(errno.ENOSPC, "too little space is left")
        out.write(data)


def _collection_name(path: Path, package: zipfile.ZipFile, metadata: Any) -> str:
    """Return the collection's name in the archive. Further collections are placeholders for older versions of Anki."""
    names = set(package.namelist())
    version = 2 if COLLECTIONS[1] in names else 1
    if META in names:
        with _open(package, META) as meta:
            version = metadata.FromString(meta.read(MAX_LINE)).version
    if not 1 <= version <= len(COLLECTIONS):
        raise MadeByNewerAnki(path=str(path))
    if COLLECTIONS[version - 1] not in names:
        raise NotACollection(path=str(path))
    return COLLECTIONS[version - 1]


def zstandard() -> Any:
    """Import and return the module for Zstandard: Python's own from 3.14, or its backport."""
    return import_library("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


@contextmanager
def room_for_copy(folder: Path) -> Iterator[None]:
    """Raise TemporaryFolderFull if the disk of ``folder``, in which this block writes a collection, becomes full."""
    try:
        yield
    except (OSError, DamagedFile) as error:
        if isinstance(error, OSError):
            is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        else:
            # SQLite's error has only a text, and no error number.
            is_full = any(reason in error.facts["detail"] for reason in ("disk is full", "disk I/O error"))
        if not is_full:
            raise
        raise TemporaryFolderFull(folder=str(folder.parent)) from error


@contextmanager
def _archive_errors(path: Path) -> Iterator[None]:
    """Turn any error of a damaged archive in this block into DamagedFile."""
    errors_of_content = (import_library("google.protobuf.message").DecodeError, zstandard().ZstdError, zlib.error)
    try:
        yield
    # A RuntimeError means that the archive is encrypted, or compressed in an unknown way.
    except (zipfile.BadZipFile, RuntimeError) as error:
        # The table of contents, by which zipfile recognizes an archive, is at the end.
        detail = ENDS_TOO_EARLY if "not a zip file" in str(error) else str(error)
        raise DamagedFile(path=str(path), detail=detail) from error
    except (EOFError, struct.error) as error:
        raise DamagedFile(path=str(path), detail=ENDS_TOO_EARLY) from error
    # A name is not text, or a position is before the beginning of the file.
    except (*errors_of_content, ValueError, OverflowError) as error:
        raise DamagedFile(path=str(path), detail=BROKEN_DATA) from error
    except OSError as error:
        # This number too means a position before the beginning of the file.
        if error.errno != errno.EINVAL:
            raise
        raise DamagedFile(path=str(path), detail=BROKEN_DATA) from error

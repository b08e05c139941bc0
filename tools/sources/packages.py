"""Takes the collection out of Anki's packages (``.colpkg``, ``.apkg``), old and new."""

from __future__ import annotations

import errno
import importlib
import lzma
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from evaluator.errors import DamagedFile, NotACollection, TooLarge

#: Says which version of the format the package is of; older ones have none.
META = "meta"

#: Names under which a package holds its collection, by that version, from 1 on; the newest is compressed once more.
COLLECTIONS = ("collection.anki2", "collection.anki21", "collection.anki21b")
ZSTANDARD = COLLECTIONS[-1]

#: Bytes of a collection: ten times what AnkiWeb takes. A bomb would be unpacked until the disk is full.
MOST_UNPACKED = 3_000_000_000

#: Bytes that are read at once.
PIECE = 1 << 20
#: As how many bytes a smaller piece is counted: a file of nothing but empty frames would take hours.
LEAST_PIECE = 1 << 16

BROKEN_DATA = "its compressed data is broken"
BROKEN_CONTENTS = "its table of contents is broken"
TOO_NEW = "it was made by a newer version of Anki"

#: What the module zipfile raises where an archive is damaged.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    RuntimeError,  # encrypted, or compressed in a way that is not known
    ValueError,  # names that are no text; places before the beginning
    OverflowError,
)
#: And as OSError, by its number: bzip2 of its data; of a place before the beginning of the file.
_DAMAGE_AS_OSERROR = {None: BROKEN_DATA, errno.EINVAL: BROKEN_CONTENTS}


def unpack(path: Path, folder: Path) -> Path:
    """Write the package's collection into ``folder`` and return where it is.

    Raises:
        DamagedFile: the archive is damaged or truncated, or of a format that is not known yet.
        NotACollection: an archive without a collection.
        TooLarge: it would be larger than any collection.
    """
    collection = folder / "collection.anki2"
    collection.touch(0o600)
    with path.open("rb") as file, _damage_said(path), zipfile.ZipFile(file) as package:
        name = _name(path, package)
        size = package.getinfo(name).file_size  # of which the module reads no more
        if name == ZSTANDARD and size <= MOST_UNPACKED:
            size = 0  # counted before any of it is written: what a frame says of its size need not be true
            for piece in _pieces(package, name):
                size += max(len(piece), LEAST_PIECE)
                if size > MOST_UNPACKED:
                    break
        if size > MOST_UNPACKED:
            raise TooLarge(path=str(path), found=size, most=MOST_UNPACKED)
        with collection.open("wb") as out:
            out.writelines(_pieces(package, name))
    return collection


def _name(path: Path, package: zipfile.ZipFile) -> str:
    """Under which name the archive holds the collection; others are there for older versions of Anki to complain."""
    from anki.import_export_pb2 import PackageMetadata

    names = set(package.namelist())
    version = 2 if COLLECTIONS[1] in names else 1
    if META in names:
        with package.open(META) as meta:
            version = PackageMetadata.FromString(meta.read(PIECE)).version
    if not 1 <= version <= len(COLLECTIONS):
        raise DamagedFile(path=str(path), detail=TOO_NEW)
    if COLLECTIONS[version - 1] not in names:
        raise NotACollection(path=str(path))
    return COLLECTIONS[version - 1]


def _pieces(package: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """The contents of a member piece by piece, unpacked once more if they are Zstandard: each frame ends a piece."""
    with package.open(name) as content:
        if name != ZSTANDARD:
            yield from iter(partial(content.read, PIECE), b"")
            return
        frame, data = None, content.read(LEAST_PIECE)
        while frame or data:
            frame = frame or zstandard().ZstdDecompressor()
            yield frame.decompress(data, PIECE)
            data = frame.unused_data if frame.eof else b""
            if frame.eof:
                frame = None
            if not data and (frame is None or frame.needs_input):
                data = content.read(LEAST_PIECE)
                if frame and not data:
                    raise EOFError


def zstandard() -> Any:
    """Python's module from 3.14 on, or the same for older ones; it is loaded where a package needs it."""
    return importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


@contextmanager
def _damage_said(path: Path) -> Iterator[None]:
    """Raise DamagedFile for errors in reading the archive, but not for those of the disk."""
    broken_message = importlib.import_module("google.protobuf.message").DecodeError  # has no types
    try:
        yield
    except (*_DAMAGE, broken_message, zstandard().ZstdError) as error:
        raise DamagedFile(path=str(path), detail=_what_is_wrong(error)) from error
    except OSError as error:
        if error.errno not in _DAMAGE_AS_OSERROR:
            raise
        raise DamagedFile(path=str(path), detail=_DAMAGE_AS_OSERROR[error.errno]) from error


def _what_is_wrong(error: Exception) -> str:
    if isinstance(error, (zlib.error, lzma.LZMAError)) or not isinstance(error, _DAMAGE):
        return BROKEN_DATA
    # The table of contents comes last.
    if isinstance(error, (EOFError, struct.error)) or "not a zip file" in str(error):
        return "the archive ends too early"
    if isinstance(error, (ValueError, OverflowError)):
        return BROKEN_CONTENTS
    return str(error) or type(error).__name__

"""Takes the collection out of Anki's packages (``.colpkg``, ``.apkg``), old and new, through Anki's importer."""

from __future__ import annotations

import errno
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from evaluator.errors import DamagedFile, NotACollection, TooLarge
from tools.sources.collection_file import backend_errors
from tools.sources.zstandard import NotZstandard, most_unpacked

#: The version of the package's format.
META = "meta"

#: Names under which a package holds its collection, by age of the format; the newest is compressed once more.
COLLECTIONS = ("collection.anki2", "collection.anki21", "collection.anki21b")
ZSTANDARD = COLLECTIONS[-1]

#: The list of media files, emptied: as JSON in older packages, and as a message of no bytes in a frame of Zstandard.
NO_MEDIA = b"{}"
NO_MEDIA_ZSTD = bytes.fromhex("28b52ffd2000010000")

#: Bytes of a collection: ten times what AnkiWeb takes. A bomb would be unpacked until the disk is full.
MOST_UNPACKED = 3_000_000_000

#: Bytes that are copied at once.
PIECE = 1 << 20

BROKEN_DATA = "its compressed data is broken"
BROKEN_CONTENTS = "its table of contents is broken"

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
        DamagedFile: the archive or the collection in it is damaged or truncated.
        NotACollection: an archive without a collection.
        TooLarge: it would be larger than any collection.
    """
    light = folder / "light.colpkg"
    light.touch(0o600)
    _copy_without_media(path, light)
    collection = folder / "collection.anki2"
    media = folder / "media"
    media.mkdir()
    from anki._backend import RustBackend

    with backend_errors(path):
        RustBackend(server=True).import_collection_package(
            col_path=str(collection),
            backup_path=str(light),
            media_folder=str(media),
            media_db=str(folder / "media.db"),
        )
    return collection


def _copy_without_media(path: Path, light: Path) -> None:
    """Copy a package without sounds and pictures (perhaps gigabytes), reading the rest with its checksums."""
    with path.open("rb") as file, zipfile.ZipFile(light, "w") as copy:
        with _damage_said(path):
            package = zipfile.ZipFile(file)
        names = set(package.namelist())
        if not names & set(COLLECTIONS):
            raise NotACollection(path=str(path))
        members = [package.getinfo(name) for name in (META, *COLLECTIONS) if name in names]
        _check_size(path, sum(member.file_size for member in members))
        for member in members:
            _copy_member(path, package, member, copy)
        copy.writestr("media", NO_MEDIA_ZSTD if ZSTANDARD in names else NO_MEDIA)
    if ZSTANDARD in names:
        with zipfile.ZipFile(light) as copy, copy.open(ZSTANDARD) as frames:
            _check_size(path, _unpacked(path, frames))


def _copy_member(path: Path, package: zipfile.ZipFile, member: zipfile.ZipInfo, copy: zipfile.ZipFile) -> None:
    """Copy a member of the archive piece by piece, never more than the size that the archive states."""
    if member.filename == META and member.file_size > PIECE:  # the importer reads it in one go
        raise DamagedFile(path=str(path), detail="what it says of its version is too long")
    with _damage_said(path):
        content = package.open(member)
    with content, copy.open(member.filename, "w", force_zip64=True) as out:
        piece = b"-"
        while piece:
            with _damage_said(path):
                piece = content.read(PIECE)
            out.write(piece)


def _unpacked(path: Path, frames: IO[bytes]) -> int:
    try:
        return most_unpacked(frames, MOST_UNPACKED)
    except NotZstandard:
        raise DamagedFile(path=str(path), detail=BROKEN_DATA) from None


def _check_size(path: Path, size: int) -> None:
    if size > MOST_UNPACKED:
        raise TooLarge(path=str(path), found=size, most=MOST_UNPACKED)


@contextmanager
def _damage_said(path: Path) -> Iterator[None]:
    """Raise DamagedFile for errors in reading the archive, but not for those of the disk."""
    try:
        yield
    except _DAMAGE as error:
        raise DamagedFile(path=str(path), detail=_what_is_wrong(error)) from error
    except OSError as error:
        if error.errno not in _DAMAGE_AS_OSERROR:
            raise
        raise DamagedFile(path=str(path), detail=_DAMAGE_AS_OSERROR[error.errno]) from error


def _what_is_wrong(error: Exception) -> str:
    if isinstance(error, (zlib.error, lzma.LZMAError)):
        return BROKEN_DATA
    if isinstance(error, (EOFError, struct.error)) or "not a zip file" in str(
        error
    ):  # the table of contents comes last
        return "the archive ends too early"
    if isinstance(error, (ValueError, OverflowError)):
        return BROKEN_CONTENTS
    return str(error) or type(error).__name__

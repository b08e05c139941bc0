"""Takes the collection out of Anki's packages (``.colpkg``, ``.apkg``), old and new, through Anki's importer."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

from evaluator.errors import DamagedFile, NotACollection
from tools.sources.collection_file import backend_errors

#: Names under which a package holds its collection, by age of the format.
COLLECTIONS = ("collection.anki2", "collection.anki21", "collection.anki21b")

#: The list of media files, emptied: as JSON in older packages, and as a message of no bytes in a frame of Zstandard.
NO_MEDIA = b"{}"
NO_MEDIA_ZSTD = bytes.fromhex("28b52ffd2000010000")


def unpack(path: Path, folder: Path) -> Path:
    """Write the package's collection into ``folder`` and return where it is.

    Raises:
        DamagedFile: the archive or the collection in it is damaged or truncated.
        NotACollection: an archive without a collection.
    """
    light = folder / "light.colpkg"
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
    """The package without its sounds and pictures, which may be gigabytes. Reads the rest to the end, checksums too."""
    try:
        with zipfile.ZipFile(path) as package, zipfile.ZipFile(light, "w") as copy:
            names = set(package.namelist())
            if not names & set(COLLECTIONS):
                raise NotACollection(path=str(path))
            for name in ("meta", *COLLECTIONS):
                if name in names:
                    copy.writestr(name, package.read(name))
            copy.writestr("media", NO_MEDIA_ZSTD if "collection.anki21b" in names else NO_MEDIA)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise DamagedFile(path=str(path), detail=_what_is_wrong(error)) from error


def _what_is_wrong(error: Exception) -> str:
    if isinstance(error, zlib.error):
        return "its compressed data is broken"
    if isinstance(error, EOFError) or "not a zip file" in str(error):  # the table of contents comes last
        return "the archive ends too early"
    return str(error) or type(error).__name__

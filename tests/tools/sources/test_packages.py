from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from anki._backend import RustBackend

from evaluator.errors import (
    DamagedFile,
    MadeByNewerAnki,
    NotACollection,
    PackageTooLarge,
    TemporaryFolderFull,
    TooMuchMemory,
)
from tools import sources
from tools.sources import limits, packages
from ui.text.error_sentences import error_sentence

MB = 1 << 20

#: Metadata of packages in the format versions 1 and 3, the newest.
OLDEST = b"\x08\x01"
NEWEST = b"\x08\x03"

#: The beginning of a Zstandard frame that does not state its size, and of one that states 5 bytes.
FRAME = bytes.fromhex("28b52ffd 00 58")
FRAME_OF_FIVE = bytes.fromhex("28b52ffd 20 05")


def block_of_zeros(size: int, *, last: bool = False) -> bytes:
    """Return a block that repeats one byte."""
    return (size << 3 | 1 << 1 | last).to_bytes(3, "little") + b"\0"


def write_package(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def repack(source: Path, path: Path, method: int) -> Path:
    """Write the package with another compression."""
    with zipfile.ZipFile(source) as archive:
        return write_package(path, {name: archive.read(name) for name in archive.namelist()}, method)


def test_deflated_collection_is_read_unless_damaged(files, tmp_path):
    path = repack(files.old_colpkg, tmp_path / "a.colpkg", zipfile.ZIP_DEFLATED)
    assert len(sources.read(path).revlog) == len(sources.read(files.old_colpkg).revlog)
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 200] = bytes(200)
    path.write_bytes(content)
    with pytest.raises(DamagedFile, match=f"{packages.BROKEN_DATA}|Bad CRC"):
        sources.read(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("name", ["meta", "collection.anki2"])
def test_compression_without_a_limit_on_memory_is_refused(method, name, tmp_path):
    path = tmp_path / "a.colpkg"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, OLDEST, method)
        archive.writestr("collection.anki2" if name == "meta" else "meta", OLDEST)
    with pytest.raises(DamagedFile, match="it is compressed in a way that Anki does not read"):
        packages.unpack(path, tmp_path)


def unpacked(frames: bytes, folder: Path) -> bytes:
    """Return the content of these Zstandard frames."""
    path = write_package(folder / "a.colpkg", {"meta": NEWEST, "collection.anki21b": frames})
    return packages.unpack(path, folder).read_bytes()


def test_frames_are_unpacked(tmp_path):
    assert unpacked(FRAME + block_of_zeros(7000) + block_of_zeros(8000, last=True), tmp_path) == bytes(15_000)
    sized = FRAME_OF_FIVE + block_of_zeros(5, last=True)
    assert unpacked(sized + FRAME + block_of_zeros(7000, last=True), tmp_path) == bytes(7005)
    raw = (3 << 3 | 1).to_bytes(3, "little") + b"abc"  # an uncompressed block, the last one
    assert unpacked(FRAME + raw, tmp_path) == b"abc"


@pytest.mark.parametrize(
    "data", [b"x", FRAME[:5], FRAME + block_of_zeros(7), FRAME + b"\7\0\0", FRAME + b"\x21\0\0abc", bytes(9)]
)
def test_anything_but_frames_is_refused(data, tmp_path):
    with pytest.raises(DamagedFile):
        unpacked(data, tmp_path)


@pytest.mark.parametrize("name", ["colpkg", "old_colpkg", "apkg", "old_apkg"])
def test_cards_of_a_package_are_those_of_anki(name, files, tmp_path):
    path = getattr(files, name)
    unpacked_here = packages.unpack(path, tmp_path)
    media = {"media_folder": str(tmp_path / "media"), "media_db": str(tmp_path / "media.db")}
    (tmp_path / "media").mkdir()
    imported = tmp_path / "imported.anki2"
    RustBackend(server=True).import_collection_package(col_path=str(imported), backup_path=str(path), **media)
    assert tables(unpacked_here) == tables(imported)


def tables(path: Path) -> list[list[tuple[object, ...]]]:
    """Return the rows of the review log, the cards and the notes."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        return [db.execute(f"select * from {table} order by id").fetchall() for table in ("revlog", "cards", "notes")]


@pytest.mark.parametrize("meta", [b"\x08\x04", b""])
def test_package_in_an_unknown_format_was_made_by_a_newer_anki(meta, tmp_path):
    path = write_package(tmp_path / "a.colpkg", {"meta": meta, "collection.anki2": b"", "collection.anki22": b""})
    with pytest.raises(MadeByNewerAnki):
        sources.read(path)


def test_package_without_its_collection_is_refused(tmp_path):
    with pytest.raises(NotACollection):
        sources.read(write_package(tmp_path / "a.colpkg", {"meta": NEWEST, "collection.anki2": b""}))


# ---- sizes: a small file must not take all memory or fill the disk


def deflated(path: Path, meta: bytes, collection: bytes) -> Path:
    return write_package(path, {"meta": meta, "collection.anki2": collection}, zipfile.ZIP_DEFLATED)


def test_collection_that_is_too_large_for_its_package_is_not_unpacked(tmp_path, monkeypatch):
    path = deflated(tmp_path / "a.colpkg", OLDEST, bytes(11_000_000))
    assert packages.unpack(path, tmp_path).stat().st_size == 11_000_000
    monkeypatch.setattr(packages, "MAX_UNPACKED", 10_000_000)
    with pytest.raises(PackageTooLarge) as caught:
        packages.unpack(path, tmp_path)
    assert error_sentence(caught.value) == (
        f"{path} has 11 KB, but its collection would have more than 10 MB, so it is not unpacked. Run Tools > Check "
        "Database in Anki, which removes empty pages, and export it again."
    )
    assert (tmp_path / "collection.anki2").stat().st_size <= 10_000_000


def test_collection_of_mostly_empty_pages_is_read(files, simulation, tmp_path):
    collection = tmp_path / "collection.anki2"
    shutil.copyfile(files.collection, collection)
    with contextlib.closing(sqlite3.connect(collection, isolation_level=None)) as db:
        db.execute("create table filler (content)")
        db.execute(f"insert into filler values (zeroblob({50 * MB}))")
        db.execute("drop table filler")
    frames = packages.zstandard().compress(collection.read_bytes())
    path = write_package(tmp_path / "a.colpkg", {"meta": NEWEST, "collection.anki21b": frames})
    assert collection.stat().st_size > 100 * path.stat().st_size
    assert len(sources.read(path).revlog) == len(simulation.revlog)


def test_small_package_with_too_many_rows_is_refused(files, simulation, monkeypatch):
    rows = len(simulation.revlog) + len(simulation.cards.card_id)
    needed = rows * limits.BYTES_PER_ROW
    monkeypatch.setattr(limits, "MAX_MEMORY", needed - 1)
    with pytest.raises(TooMuchMemory) as caught:
        sources.read(files.colpkg)
    assert caught.value.facts == {"path": str(files.colpkg), "rows": rows, "gigabytes": needed / 1e9}


def test_package_does_not_fill_the_disk(tmp_path, monkeypatch):
    path = deflated(tmp_path / "a.colpkg", OLDEST, bytes(2 * MB))
    monkeypatch.setattr(packages.shutil, "disk_usage", lambda _: SimpleNamespace(free=2 * MB))
    with pytest.raises(TemporaryFolderFull) as caught:
        sources.read(path)
    assert caught.value.facts == {"folder": tempfile.gettempdir()}
    monkeypatch.setattr(packages.shutil, "disk_usage", lambda _: SimpleNamespace(free=3 * MB))
    assert packages.unpack(path, tmp_path).stat().st_size == 2 * MB


def test_metadata_of_a_package_is_limited(tmp_path):
    path = deflated(tmp_path / "a.colpkg", bytes(50 * MB), b"")
    with pytest.raises(DamagedFile, match=packages.BROKEN_DATA):
        packages.unpack(path, tmp_path)

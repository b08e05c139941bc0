"""Packages that are damaged, or made to do harm: each is refused in a true sentence, and before the disk is full."""

from __future__ import annotations

import contextlib
import lzma
import random
import sqlite3
import zipfile
from pathlib import Path

import pytest

from evaluator.errors import DamagedFile, EvaluatorError, NotACollection, TooLarge
from tools import sources
from tools.sources import packages

#: What a package of the newest format says of its version.
NEWEST = b"\x08\x03"

#: Of Zstandard; no block unpacks to more.
LARGEST_BLOCK = 128 * 1024
#: The beginning of a frame that says nothing of its size, and of one that says 5 bytes.
FRAME, FRAME_OF_FIVE = bytes.fromhex("28b52ffd 00 58"), bytes.fromhex("28b52ffd 20 05")


def run_of(size: int, *, last: bool = False) -> bytes:
    return (size << 3 | 1 << 1 | last).to_bytes(3, "little") + b"\0"


def package(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def repacked(source: Path, path: Path, method: int) -> Path:
    """The same package, compressed otherwise."""
    with zipfile.ZipFile(source) as archive:
        return package(path, {name: archive.read(name) for name in archive.namelist()}, method)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_however_it_is_compressed(method, files, tmp_path):
    """Anki deflates, or leaves it; whoever packs a package anew may do otherwise."""
    path = repacked(files.old_colpkg, tmp_path / "a.colpkg", method)
    assert len(sources.read(path).revlog) == len(sources.read(files.old_colpkg).revlog)
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 200] = bytes(200)
    path.write_bytes(content)
    with pytest.raises(DamagedFile, match=f"{packages.BROKEN_DATA}|Bad CRC"):
        sources.read(path)


@pytest.mark.parametrize("name", ["colpkg", "old_colpkg"])
@pytest.mark.parametrize("place", ["anywhere", "beginning", "end"])
def test_whatever_byte_is_wrong(name, place, files, tmp_path):
    """It is read, or refused as damaged: never is an error of the system said, nor one of Python's."""
    good = getattr(files, name).read_bytes()
    path = tmp_path / "a.colpkg"
    chance = random.Random(place + name)
    for _ in range(40):
        content = bytearray(good)
        for _ in range(chance.choice([1, 1, 3])):
            at = {
                "anywhere": chance.randrange(len(good)),
                "beginning": chance.randrange(100),
                "end": len(good) - 1 - chance.randrange(500),
            }[place]
            content[at] = chance.choice([0, 255, chance.randrange(256)])
        path.write_bytes(content)
        with contextlib.suppress(EvaluatorError):
            packages.unpack(path, tmp_path)


def directory_of(content: bytes) -> int:
    """Where the archive's table of contents begins."""
    return content.index(b"PK\1\2")


def test_a_name_that_is_no_text(files, tmp_path):
    """Marked as UTF-8, which it is not."""
    path = package(tmp_path / "a.colpkg", {"collection.anki2": b"", "é": b""})
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xff\xff"))
    with pytest.raises(DamagedFile, match=packages.BROKEN_CONTENTS):
        sources.read(path)


def test_a_table_of_contents_before_the_beginning(files, tmp_path):
    content = bytearray(files.old_colpkg.read_bytes())
    end = content.rindex(b"PK\5\6")
    content[end + 12 : end + 16] = (len(content) * 2).to_bytes(4, "little")  # its size
    path = tmp_path / "a.colpkg"
    path.write_bytes(content)
    with pytest.raises(DamagedFile):
        sources.read(path)
    start = directory_of(files.old_colpkg.read_bytes())
    content = bytearray(files.old_colpkg.read_bytes())
    content[end + 16 : end + 20] = (start + 1000).to_bytes(4, "little")  # where it begins: all else moves forward
    path.write_bytes(content)
    with pytest.raises(DamagedFile, match=packages.BROKEN_CONTENTS):
        sources.read(path)


def test_a_bomb(tmp_path, monkeypatch):
    """Six gigabytes in six megabytes, of the older format: refused by what the archive says of its sizes."""
    monkeypatch.setattr(packages, "MOST_UNPACKED", 1_000_000)
    path = package(tmp_path / "a.colpkg", {"collection.anki21": bytes(1_000_001)}, zipfile.ZIP_DEFLATED)
    assert refused(path) == {"path": str(path), "found": 1_000_001, "most": 1_000_000}
    fits = {"collection.anki2": bytes(1_000_001), "collection.anki21": bytes(1_000_000)}
    with pytest.raises(DamagedFile):  # not too large, as the first of them is not unpacked, but zeros are no collection
        sources.read(package(path, fits, zipfile.ZIP_DEFLATED))


def test_a_bomb_within_the_collection(tmp_path, monkeypatch):
    """Three gigabytes in 100 KB of Zstandard, which no frame says of itself: not one is written."""
    opened, written = Path.open, []

    def noted(path: Path, mode: str = "r", **more: str):
        written.extend([path.name] * ("w" in mode))
        return opened(path, mode, **more)

    monkeypatch.setattr(Path, "open", noted)
    blocks = packages.MOST_UNPACKED // LARGEST_BLOCK + 1
    frames = FRAME + run_of(LARGEST_BLOCK) * (blocks - 1) + run_of(LARGEST_BLOCK, last=True)
    path = package(tmp_path / "a.colpkg", {"meta": NEWEST, "collection.anki21b": frames})
    assert path.stat().st_size < 100_000
    assert refused(path)["found"] == blocks * LARGEST_BLOCK
    half = FRAME + run_of(LARGEST_BLOCK) * (blocks // 2 + 1) + run_of(5, last=True)
    assert refused(package(path, {"meta": NEWEST, "collection.anki21b": half * 2}))["found"] > packages.MOST_UNPACKED
    assert "collection.anki2" not in written


def test_a_bomb_of_empty_frames(tmp_path):
    """Each takes as long as many bytes do: a million of them in 15 KB would be gone through for a minute."""
    frames = (FRAME + run_of(0, last=True)) * 1_000_000
    path = package(tmp_path / "a.colpkg", {"meta": NEWEST, "collection.anki21b": frames}, zipfile.ZIP_DEFLATED)
    assert refused(path)["found"] > packages.MOST_UNPACKED


def refused(path: Path) -> dict[str, object]:
    with pytest.raises(TooLarge) as caught:
        sources.read(path)
    return dict(caught.value.facts)


def test_a_size_that_is_a_lie(tmp_path):
    """The archive says 10 bytes, and no more are unpacked."""
    path = package(tmp_path / "a.colpkg", {"collection.anki21": bytes(50_000_000)}, zipfile.ZIP_DEFLATED)
    content = path.read_bytes().replace((50_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(content)
    with pytest.raises(DamagedFile, match="CRC"):
        sources.read(path)


def test_a_version_of_megabytes(tmp_path):
    path = package(
        tmp_path / "a.colpkg", {"meta": bytes(5_000_000), "collection.anki21b": FRAME + run_of(5, last=True)}
    )
    with pytest.raises(DamagedFile, match=packages.BROKEN_DATA):
        sources.read(path)


def unpacked(frames: bytes, folder: Path) -> bytes:
    path = package(folder / "a.colpkg", {"meta": NEWEST, "collection.anki21b": frames})
    return packages.unpack(path, folder).read_bytes()


def test_frames(tmp_path):
    assert unpacked(FRAME + run_of(7000) + run_of(8000, last=True), tmp_path) == bytes(15_000)
    sized = FRAME_OF_FIVE + run_of(5, last=True)
    assert unpacked(sized + FRAME + run_of(7000, last=True), tmp_path) == bytes(7005)
    raw = (3 << 3 | 1).to_bytes(3, "little") + b"abc"
    assert unpacked(FRAME + raw, tmp_path) == b"abc"


@pytest.mark.parametrize(
    "data", [b"x", FRAME[:5], FRAME + run_of(7), FRAME + b"\7\0\0", FRAME + b"\x21\0\0abc", bytes(9)]
)
def test_what_is_no_frame(data, tmp_path):
    with pytest.raises(DamagedFile):
        unpacked(data, tmp_path)


@pytest.mark.parametrize("name", ["colpkg", "old_colpkg", "apkg", "old_apkg"])
def test_what_is_taken_out_is_what_anki_takes_out(name, files, tmp_path):
    path = getattr(files, name)
    own = packages.unpack(path, tmp_path)
    from anki._backend import RustBackend

    places = {"media_folder": str(tmp_path / "media"), "media_db": str(tmp_path / "media.db")}
    (tmp_path / "media").mkdir()
    RustBackend(server=True).import_collection_package(
        col_path=str(tmp_path / "ankis"), backup_path=str(path), **places
    )
    assert tables(own) == tables(tmp_path / "ankis")


def tables(path: Path) -> list[list[tuple[object, ...]]]:
    with contextlib.closing(sqlite3.connect(path)) as db:
        return [db.execute(f"select * from {table} order by id").fetchall() for table in ("revlog", "cards", "notes")]


@pytest.mark.parametrize(("meta", "error"), [(b"\x08\x04", packages.TOO_NEW), (b"", packages.TOO_NEW)])
def test_a_format_that_is_not_known_yet(meta, error, tmp_path):
    """Beside the collection there is another one in such a package, which says that Anki is too old."""
    path = package(tmp_path / "a.colpkg", {"meta": meta, "collection.anki2": b"", "collection.anki22": b""})
    with pytest.raises(DamagedFile, match=error):
        sources.read(path)


def test_a_collection_that_is_not_there(tmp_path):
    with pytest.raises(NotACollection):
        sources.read(package(tmp_path / "a.colpkg", {"meta": NEWEST, "collection.anki2": b""}))


def test_a_broken_member_is_damage_whatever_the_module_raises(tmp_path):
    path = package(tmp_path / "a.colpkg", {"collection.anki21": b"x" * 1000}, zipfile.ZIP_LZMA)
    content = bytearray(path.read_bytes())
    start = content.index(b"collection.anki21") + len("collection.anki21")
    content[start + 4] = 255
    path.write_bytes(content)
    with pytest.raises(lzma.LZMAError), zipfile.ZipFile(path) as archive:
        archive.read("collection.anki21")
    with pytest.raises(DamagedFile, match=packages.BROKEN_DATA):
        sources.read(path)

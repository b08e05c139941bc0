"""Packages that are damaged, or made to do harm: each is refused in a true sentence, and before the disk is full."""

from __future__ import annotations

import contextlib
import io
import lzma
import random
import zipfile
from pathlib import Path
from typing import IO

import pytest

from evaluator.errors import DamagedFile, EvaluatorError, TooLarge
from tools import sources
from tools.sources import packages
from tools.sources.zstandard import LARGEST_BLOCK, SMALLEST_BLOCK, NotZstandard, most_unpacked

#: What a package of the newest format says of its version.
NEWEST = b"\x08\x03"

#: The beginning of a frame of Zstandard that says nothing of its size, and of one that says 5 bytes.
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
            packages._copy_without_media(path, tmp_path / "light")


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
    halves = {"collection.anki2": bytes(500_001), "collection.anki21": bytes(500_000)}
    assert refused(package(path, halves, zipfile.ZIP_DEFLATED))["found"] == 1_000_001
    with pytest.raises(DamagedFile):  # not too large, but zeros are no collection
        sources.read(package(path, {"collection.anki21": bytes(1_000_000)}, zipfile.ZIP_DEFLATED))


def test_a_bomb_within_the_collection(tmp_path):
    """Three gigabytes in 100 KB of Zstandard, which no frame says of itself: not one is unpacked."""
    blocks = packages.MOST_UNPACKED // LARGEST_BLOCK + 1
    frames = FRAME + run_of(LARGEST_BLOCK) * (blocks - 1) + run_of(LARGEST_BLOCK, last=True)
    path = package(tmp_path / "a.colpkg", {"meta": NEWEST, "collection.anki21b": frames})
    assert path.stat().st_size < 100_000
    assert refused(path)["found"] == blocks * LARGEST_BLOCK
    half = FRAME + run_of(LARGEST_BLOCK) * (blocks // 2 + 1) + run_of(5, last=True)
    assert refused(package(path, {"meta": NEWEST, "collection.anki21b": half * 2}))["found"] > packages.MOST_UNPACKED


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
    with pytest.raises(DamagedFile, match="what it says of its version is too long"):
        sources.read(path)


def unpacked(frames: IO[bytes]) -> int:
    return most_unpacked(frames, packages.MOST_UNPACKED)


def test_sizes_of_frames(files):
    """Of runs exactly, of what Anki compresses no less than there is, and never more than a block more for each."""
    assert unpacked(io.BytesIO(FRAME + run_of(7000) + run_of(8000, last=True))) == 15_000
    assert unpacked(io.BytesIO(FRAME_OF_FIVE + run_of(5000, last=True) + FRAME + run_of(7000, last=True))) == 12_000
    raw = (3 << 3 | 1).to_bytes(3, "little") + b"abc"
    assert unpacked(io.BytesIO(FRAME + raw)) == SMALLEST_BLOCK
    with_checksum_and_dictionary = bytes.fromhex("28b52ffd 05 58 07") + run_of(9000, last=True) + b"sum!"
    assert unpacked(io.BytesIO(with_checksum_and_dictionary)) == 9000
    assert unpacked(io.BytesIO(b"")) == 0
    with zipfile.ZipFile(files.colpkg) as archive, archive.open("collection.anki21b") as frames:
        assert files.collection.stat().st_size / 2 < unpacked(frames) < files.collection.stat().st_size * 3


@pytest.mark.parametrize(
    "data", [b"x", FRAME[:5], FRAME + run_of(7), FRAME + b"\7\0\0", FRAME + b"\x21\0\0abc", bytes(9)]
)
def test_what_is_no_frame(data):
    with pytest.raises(NotZstandard):
        unpacked(io.BytesIO(data))


def test_a_bomb_of_empty_blocks():
    """100 KB of an archive would be a hundred million of them: no more are looked at than it takes to know."""
    frames = io.BytesIO(FRAME + run_of(0) * 1000)
    assert most_unpacked(frames, 10 * SMALLEST_BLOCK) == 11 * SMALLEST_BLOCK
    assert frames.tell() == len(FRAME + run_of(0) * 11)


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

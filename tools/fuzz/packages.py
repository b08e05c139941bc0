"""Packages: archives that are damaged, lie about what they hold, or hold damaged collections."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from random import Random

from tools.fuzz import collections, mutations
from tools.fuzz.case import Place
from tools.fuzz.material import Material
from tools.sources.packages import zstandard

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
NEWEST = "collection.anki21b"
COLLECTIONS = ("collection.anki2", "collection.anki21")

FRAME = bytes.fromhex("28b52ffd00") + b"\x58"  # no checksum, no size, a window of 2 MB
LARGEST_BLOCK = 1 << 17


def attack(random: Random, material: Material, place: Place) -> list[str]:
    """Evaluate a damaged package."""
    good = random.choice(material.packages)
    path = place.input / good.name
    kind = random.randrange(3)
    if kind == 0:
        path.write_bytes(mutations.damaged(random, good.read_bytes()))
    else:
        members = _members(good)
        (_damage_members if kind == 1 else _damage_collection)(random, members, material, place)
        path.write_bytes(_archive(random, members))
    return ["evaluate", str(path), "--algorithms", "AVG,SM-2", "--folds", "2"]


def _members(path: Path) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as package:
        return [(member.filename, package.read(member)) for member in package.infolist()]


def _damage_members(random: Random, members: list[tuple[str, bytes]], *_: object) -> None:
    place = random.randrange(len(members))
    name, content = members[place]
    kind = random.randrange(6)
    if kind == 0:
        del members[place]
    elif kind == 1:
        members.append((name, random.choice((content, b"", mutations.damaged(random, content)))))
    elif kind == 2:
        others = ["meta", "media", NEWEST, *COLLECTIONS, "../collection.anki2", "/collection.anki2", "x/" * 50]
        members[place] = (random.choice([*others, *filter(None, mutations.NAMES[:-1])]), content)
    elif kind == 3:
        members[place] = (name, _bomb(random, is_zstandard=name == NEWEST))
    else:
        members[place] = (name, mutations.damaged(random, content))


def _damage_collection(random: Random, members: list[tuple[str, bytes]], material: Material, place: Place) -> None:
    """Damage the collection within the members; the archive itself stays sound."""
    work = place.temporary / "work"
    work.write_bytes(material.collections[0][0].read_bytes())
    random.choice((collections.damage_bytes, collections.damage_contents))(random, work)
    for path in (work, *work.parent.glob("work-*")):
        content = path.read_bytes()
        path.unlink()
        if path == work:
            damaged = content
    held = [number for number, (name, _) in enumerate(members) if name in (NEWEST, *COLLECTIONS)]
    for number in held:
        name = members[number][0]
        members[number] = (name, zstandard().compress(damaged) if name == NEWEST else damaged)


def _archive(random: Random, members: list[tuple[str, bytes]]) -> bytes:
    """Zip the members, sometimes with a false size or checksum."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", random.choice(METHODS)) as archive:
        names: set[str] = set()
        for name, content in members:
            info = zipfile.ZipInfo(name.encode("utf-8", "replace").decode() or "empty")
            info.compress_type = archive.compression
            archive.NameToInfo.pop(info.filename, None)  # that it is there already is no mistake here
            archive.writestr(info, content)
            names.add(name)
        if random.random() < 0.2:
            liar = random.choice(archive.infolist())
            if random.random() < 0.5:
                liar.file_size = random.choice((0, 1, 2**31, 2**32 - 2, 2**40))
            else:
                liar.CRC ^= 1
    return file.getvalue()


def _bomb(random: Random, *, is_zstandard: bool) -> bytes:
    """Compressed data that unpack to far more: zeros of 8 MB as zip, up to 13 GB as Zstandard."""
    if not is_zstandard:
        return bytes(8_000_000)
    return FRAME + _zeros(LARGEST_BLOCK) * random.choice((10, 1000, 100_000)) + _zeros(1, is_last=True)


def _zeros(size: int, *, is_last: bool = False) -> bytes:
    """A block of Zstandard (RFC 8878) that repeats one byte."""
    return (size << 3 | 1 << 1 | is_last).to_bytes(3, "little") + b"\0"

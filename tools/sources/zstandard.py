"""How much Zstandard data may unpack to, found without unpacking it (RFC 8878)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

FRAME = bytes.fromhex("28b52ffd")

#: By the two bits of the frame's header: bytes of the dictionary's number, and of the frame's size.
DICTIONARY_BYTES = (0, 1, 2, 4)
SIZE_BYTES = (0, 2, 4, 8)

RAW, RUN, COMPRESSED = range(3)
#: No block unpacks to more.
LARGEST_BLOCK = 128 * 1024
#: A smaller one counts as much: a file of nothing but empty blocks would take hours to walk through.
SMALLEST_BLOCK = 4096


class NotZstandard(ValueError):
    """The data is not Zstandard, or ends too early."""


def most_unpacked(file: IO[bytes], enough: int) -> int:
    """The most bytes that all frames together unpack to; some blocks may be smaller than is counted here.

    Where they are more than ``enough``, the rest is not looked at.

    The sizes are those of the blocks, as what a frame says of itself need not be there, nor be true.

    Raises:
        NotZstandard: something in it is no frame, or is cut off.
    """
    total = 0
    while start := file.read(4):
        if start != FRAME:  # or one to be skipped, which Anki does not write
            raise NotZstandard
        for size in _blocks(file):
            total += max(size, SMALLEST_BLOCK)
            if total > enough:
                return total
    return total


def _blocks(file: IO[bytes]) -> Iterator[int]:
    """The most that each block of a frame unpacks to; reads from behind the magic number to the end of the frame."""
    description = _number(file, 1)
    is_single_segment, has_checksum = description >> 5 & 1, description >> 2 & 1
    size_bytes = SIZE_BYTES[description >> 6] or is_single_segment
    _take(file, (1 - is_single_segment) + DICTIONARY_BYTES[description & 3] + size_bytes)
    is_last = False
    while not is_last:
        block = _number(file, 3)
        is_last, kind, size = bool(block & 1), block >> 1 & 3, block >> 3
        if kind > COMPRESSED:
            raise NotZstandard
        _take(file, 1 if kind == RUN else size)
        yield LARGEST_BLOCK if kind == COMPRESSED else size
    _take(file, 4 * has_checksum)


def _number(file: IO[bytes], length: int) -> int:
    return int.from_bytes(_take(file, length), "little")


def _take(file: IO[bytes], length: int) -> bytes:
    """Read exactly that many bytes."""
    taken = file.read(length)
    if len(taken) < length:
        raise NotZstandard
    return taken

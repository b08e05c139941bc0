"""Limits on what is read, checked while reading, so that a small file cannot take all memory.

By hand, as the standard library limits neither the lines of a file nor what a compressed one unpacks to.
"""

from __future__ import annotations

import codecs
import io
from typing import IO, TextIO, cast

from evaluator.data.revlog import MAX_ROWS

#: Maximum size of a line, or of a field of a message, in bytes.
MAX_LINE = 4_000_000
#: Maximum size of all lines once unpacked, in bytes: rows of any real log have less than 100 each.
MAX_UNPACKED = 200 * MAX_ROWS

#: Bytes read at once.
_CHUNK = 1 << 17


class TooLarge(Exception):
    """There are more rows, longer lines or more data than are read. The message says which."""


def limited_text(file: IO[bytes], encoding: str = "utf-8-sig", errors: str = "strict") -> TextIO:
    """Return the text of an open file, also if it is in UTF-16, as Excel and PowerShell write it.

    Reading it raises TooLarge as soon as it exceeds a limit.
    """
    return io.TextIOWrapper(cast(IO[bytes], _Limited(file)), encoding, errors)


class _Limited(io.BufferedIOBase):
    """The bytes of a file, in UTF-8 instead of UTF-16."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._bytes = self._lines = self._unfinished = 0
        self._after_return = False
        is_utf_16 = file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        file.seek(0)
        self._utf_16 = codecs.getincrementaldecoder("utf-16")() if is_utf_16 else None

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def read1(self, _size: int = -1, /) -> bytes:
        """Return the next bytes, or none at the end. For speed they are more than the 8 kB that are requested."""
        data = self._file.read(_CHUNK)
        if self._utf_16 is not None:
            data = self._utf_16.decode(data, final=not data).encode()
        self._check(data)
        return data

    def _check(self, data: bytes) -> None:
        """Raise TooLarge if this data, which follows what was read before, exceeds a limit."""
        self._bytes += len(data)
        self._lines += data.count(b"\n")
        last = data.rfind(b"\n")
        if b"\r" in data or self._after_return:  # ends a line, too, alone or before a line feed
            self._lines += data.count(b"\r") - data.count(b"\r\n") - (self._after_return and data[:1] == b"\n")
            self._after_return = data.endswith(b"\r")
            last = max(last, data.rfind(b"\r"))
        self._unfinished = len(data) - last - 1 + (self._unfinished if last < 0 else 0)
        if self._lines > MAX_ROWS + 1:  # the header is one
            raise TooLarge(f"it has more than {MAX_ROWS:,} rows, which is 27 years of 1,000 reviews a day")
        if self._unfinished > MAX_LINE:
            raise TooLarge(f"line {self._lines + 1:,} has more than {MAX_LINE:,} bytes")
        if self._bytes > MAX_UNPACKED:
            raise TooLarge(f"it has more than {MAX_UNPACKED:,} bytes")

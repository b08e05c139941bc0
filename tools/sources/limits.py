"""Limits on the size of input, checked while reading, so that a small file cannot take all memory.

The standard library limits neither the lines of a file nor the unpacked size of a compressed one.
"""

from __future__ import annotations

import codecs
import io
from typing import IO, TextIO, cast

from evaluator.data.revlog import MAX_ROWS

#: Maximum size in bytes of a line, or of a field of a protobuf message.
MAX_LINE = 4_000_000
#: Maximum size in bytes of all lines once unpacked. The rows of real logs have fewer than 100 bytes each.
MAX_UNPACKED = 200 * MAX_ROWS

#: Number of bytes that are read at once.
_CHUNK = 1 << 17


class TooLarge(Exception):
    """Input with too many rows, too long a line or too much data. The message says which."""


def limited_text(file: IO[bytes], encoding: str = "utf-8-sig", errors: str = "strict") -> TextIO:
    """Return the text of an open file. Reading it raises TooLarge as soon as it exceeds a limit.

    A file in UTF-16, as Excel and PowerShell write it, is recognized and read as such, whatever the encoding.
    """
    return io.TextIOWrapper(cast(IO[bytes], _LimitedBytes(file)), encoding, errors)


class _LimitedBytes(io.BufferedIOBase):
    """Bytes of a file, up to the limits. UTF-16 is converted to UTF-8."""

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
        """Return the next bytes, or none at the end. For speed, they are more than the requested number."""
        data = self._file.read(_CHUNK)
        if self._utf_16 is not None:
            data = self._utf_16.decode(data, final=not data).encode()
        self._check(data)
        return data

    def _check(self, data: bytes) -> None:
        """Count the next data, and raise TooLarge if it exceeds a limit."""
        self._bytes += len(data)
        self._lines += data.count(b"\n")
        line_end = data.rfind(b"\n")
        # A carriage return ends a line too, alone or together with a line feed after it.
        if b"\r" in data or self._after_return:
            self._lines += data.count(b"\r") - data.count(b"\r\n") - (self._after_return and data[:1] == b"\n")
            self._after_return = data.endswith(b"\r")
            line_end = max(line_end, data.rfind(b"\r"))
        self._unfinished = len(data) - line_end - 1 + (self._unfinished if line_end < 0 else 0)
        # One line is the header.
        if self._lines > MAX_ROWS + 1:
            raise TooLarge(f"it has more than {MAX_ROWS:,} rows, which is 27 years of 1,000 reviews a day")
        if self._unfinished > MAX_LINE:
            raise TooLarge(f"line {self._lines + 1:,} has more than {MAX_LINE:,} bytes")
        if self._bytes > MAX_UNPACKED:
            raise TooLarge(f"it has more than {MAX_UNPACKED:,} bytes")

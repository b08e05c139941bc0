"""Limits on the size of input, checked while reading, so that a small file cannot take all memory.

The standard library limits neither the lines of a file nor the unpacked size of a compressed one.
"""

from __future__ import annotations

import codecs
import io
import os
from pathlib import Path
from typing import IO, TextIO, cast

from evaluator.data.revlog import MAX_ROWS
from evaluator.errors import TooManyRows, TooMuchMemory

#: Maximum size in bytes of a line, or of a field of a protobuf message.
MAX_LINE = 4_000_000
#: Maximum size in bytes of all lines once unpacked. The rows of real logs have fewer than 100 bytes each.
MAX_UNPACKED = 200 * MAX_ROWS

#: Size in bytes below which a file is small, and the maximum memory in bytes that its rows may take. The message of
#: TooMuchMemory names both.
SMALL_FILE = 50_000_000
MAX_MEMORY = 1_000_000_000
#: Memory in bytes that an evaluation takes for each row: about 300, and 100 MB for the program.
BYTES_PER_ROW = 400

#: Number of bytes that are read at once.
_CHUNK = 1 << 17


class TooLarge(Exception):
    """Input with too many rows, too long a line or too much data. The message says which."""


def max_rows(size: int) -> int:
    """Return the maximum number of rows in a file of that size in bytes."""
    return MAX_MEMORY // BYTES_PER_ROW if size < SMALL_FILE else MAX_ROWS


def check_rows(path: Path, size: int, rows: int) -> None:
    """Check the number of rows in a file of that size in bytes. Raises TooMuchMemory or TooManyRows."""
    check_memory(path, size, rows)
    if rows > MAX_ROWS:
        raise TooManyRows(table=path.name, rows=rows, most=MAX_ROWS)


def check_memory(path: Path, size: int, rows: int, *, bytes_per_row: int = BYTES_PER_ROW) -> None:
    """Raise TooMuchMemory if the rows of a small file would need more memory than it may take.

    Args:
        path: the file, or a folder of files.
        size: size in bytes.
        rows: number of rows that are decoded at once.
        bytes_per_row: memory for each row.
    """
    needed = rows * bytes_per_row
    if size < SMALL_FILE and needed > MAX_MEMORY:
        raise TooMuchMemory(path=str(path), rows=rows, gigabytes=needed / 1e9)


def limited_text(file: IO[bytes], encoding: str, errors: str = "strict") -> TextIO:
    """Return the text of an open file. Reading it raises TooLarge or TooMuchMemory if it exceeds a limit.

    A file in UTF-16, as Excel and PowerShell write it, is recognized and read as such, whatever the encoding.
    """
    return io.TextIOWrapper(cast(IO[bytes], _LimitedBytes(file)), encoding, errors)


class _LimitedBytes(io.BufferedIOBase):
    """Bytes of a file, up to the limits. UTF-16 is converted to UTF-8."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._size = os.fstat(file.fileno()).st_size
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
        data = self._next()
        # One line is the header.
        if self._lines > max_rows(self._size) + 1:
            # The other rows are only counted.
            while self._next():
                pass
            check_memory(Path(self._file.name), self._size, self._lines - (not self._unfinished))
        return data

    def _next(self) -> bytes:
        """Return the next bytes, as UTF-8 if the file is in UTF-16. Raises TooLarge."""
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
        if self._lines > MAX_ROWS + 1:
            raise TooLarge(f"it has more than {MAX_ROWS:,} rows, which is 27 years of 1,000 reviews a day")
        if self._unfinished > MAX_LINE:
            raise TooLarge(f"line {self._lines + 1:,} has more than {MAX_LINE:,} bytes")
        if self._bytes > MAX_UNPACKED:
            raise TooLarge(f"it has more than {MAX_UNPACKED:,} bytes")

"""Reads a review log as CSV, plain or gzipped: fast where all is well, slowly only to find the line that is not."""

from __future__ import annotations

import csv
import gzip
import io
import re
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NoReturn

import numpy as np

from evaluator.errors import BadCell, DamagedFile, FileMissing, MissingColumns
from evaluator.revlog import REVLOG_COLUMNS, Cards, Clock, Ints, Revlog, Snapshot

GZIP = b"\x1f\x8b"
CARD_COLUMNS = ("id", "did")
DELIMITERS = ",;\t"

_INT64 = np.iinfo(np.int64)


def looks_like_csv(path: Path) -> bool:
    """Whether it is text that says so, by its name or by a column of a review log in its first line."""
    name = path.name.lower()
    if name.endswith((".csv", ".csv.gz", ".tsv", ".tsv.gz")):
        return True
    return bool((columns_of(path) or set()) & {name.lower() for name in REVLOG_COLUMNS})


def columns_of(path: Path) -> set[str] | None:
    """The names in the first line, in lower case; None where it cannot be read."""
    try:
        with _opened(path) as file:
            first_line = file.readline(4096)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError):
        return None
    return {name.lower() for name in _header(first_line)}


def read_snapshot(path: Path, *, cards: Path | None, clock: Clock) -> Snapshot:
    """The review log, with the cards and the clock that belong to it.

    Raises:
        EvaluatorError: a file is missing or damaged, or a column or a number is missing.
    """
    if cards is not None and not cards.is_file():
        raise FileMissing(path=str(cards))
    existing = Cards(*read_columns(cards, CARD_COLUMNS)) if cards is not None else None
    return Snapshot(Revlog(*read_columns(path, REVLOG_COLUMNS)), clock, existing)


def read_columns(path: Path, columns: Sequence[str]) -> list[Ints]:
    """These columns of whole numbers, in this order, each int64 of shape (rows,). Others are ignored.

    Raises:
        MissingColumns: the first line does not have them all.
        BadCell: a cell of theirs is no whole number.
        DamagedFile: the file is no text, or its compression is damaged.
    """
    with _readable(path):
        return _read_columns(path, columns)


def _read_columns(path: Path, columns: Sequence[str]) -> list[Ints]:
    text = _text(path)
    first_line = text.partition("\n")[0]
    header = _header(first_line)
    found = [name.lower() for name in header]
    missing = [name for name in columns if name.lower() not in found]
    if missing:
        raise MissingColumns(path=str(path), missing=missing, found=[name for name in header if name])
    positions = [found.index(name.lower()) for name in columns]
    delimiter = _delimiter(first_line)
    body = text[len(first_line) + 1 :]
    if not body.strip():
        return [np.empty(0, dtype=np.int64) for _ in columns]
    try:
        table = _read_fast(body, delimiter, positions)
    except (ValueError, DeprecationWarning):
        table = _read_cell_by_cell(path, body, delimiter, columns, positions)
    return [np.ascontiguousarray(column) for column in table.T]


def header(path: Path) -> list[str]:
    """The names in the first line. Raises DamagedFile."""
    with _readable(path):
        return [name for name in _header(_text(path).partition("\n")[0]) if name]


def read_cells(path: Path, column: str) -> list[str]:
    """The text in one column of the header's, of each line that is not empty; "" where a line is too short.

    Raises:
        DamagedFile: the file is no text, or its compression is damaged.
    """
    text = _text(path)
    first_line, _, body = text.partition("\n")
    with _readable(path):
        position = _header(first_line).index(column)
        lines = csv.reader(io.StringIO(body), delimiter=_delimiter(first_line))
        filled = (cells for cells in lines if any(cell.strip() for cell in cells))
        return [cells[position].strip() if position < len(cells) else "" for cells in filled]


def _read_fast(body: str, delimiter: str, positions: Sequence[int]) -> Ints:
    """The table, shape (rows, columns). Raises ValueError or DeprecationWarning where a cell is no whole number."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy still takes 1.5 for 1, with a warning
        return np.loadtxt(
            io.StringIO(body),
            dtype=np.int64,
            delimiter=delimiter,
            usecols=positions,
            ndmin=2,
            comments=None,
            quotechar='"',
        )


def _read_cell_by_cell(path: Path, body: str, delimiter: str, columns: Sequence[str], positions: Sequence[int]) -> Ints:
    """The same, slowly: raises :class:`BadCell` for the first cell that is no whole number."""
    rows = []
    reader = csv.reader(io.StringIO(body), delimiter=delimiter)
    for cells in reader:
        if not any(cell.strip() for cell in cells):
            continue
        row = []
        for name, position in zip(columns, positions, strict=True):
            cell = cells[position].strip() if position < len(cells) else ""
            number = _whole_number(cell)
            if number is None:
                _bad_cell(path, reader.line_num + 1, name, cell)
            row.append(number)
        rows.append(row)
    return np.array(rows, dtype=np.int64).reshape(-1, len(columns))


def _bad_cell(path: Path, line: int, column: str, value: str) -> NoReturn:
    raise BadCell(path=str(path), line=line, column=column, value=value)


def _whole_number(cell: str) -> int | None:
    if not re.fullmatch(r"[+-]?[0-9]{1,30}", cell):  # int() would take 1_000 and other scripts' digits, too
        return None
    number = int(cell)
    return number if _INT64.min <= number <= _INT64.max else None


def _text(path: Path) -> str:
    try:
        with _opened(path) as file:
            return file.read()
    except UnicodeDecodeError as error:
        raise DamagedFile(path=str(path), detail=f"no UTF-8 text at byte {error.start:,}: save it as UTF-8") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DamagedFile(path=str(path), detail=_brief(error)) from error


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Says of which file it is where a cell is longer than Python's module csv takes."""
    try:
        yield
    except csv.Error as error:
        raise DamagedFile(path=str(path), detail=str(error)) from error


def _brief(error: Exception) -> str:
    return "the compressed file ends too early" if isinstance(error, EOFError) else str(error)


def _opened(path: Path) -> IO[str]:
    with path.open("rb") as file:
        is_gzip = file.read(2) == GZIP
    if is_gzip:
        return gzip.open(path, "rt", encoding="utf-8-sig")
    return path.open(encoding="utf-8-sig")


def _header(first_line: str) -> list[str]:
    names = next(csv.reader([first_line], delimiter=_delimiter(first_line)), [])
    return [name.strip() for name in names]


def _delimiter(first_line: str) -> str:
    return max(DELIMITERS, key=first_line.count)

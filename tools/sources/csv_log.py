"""Reads a review log as CSV, plain or gzipped: fast where all is well, slowly only to find the line that is not.

A file is read piece by piece, and no further than a review log can reach, so that none fills the memory. By hand with
NumPy's reader (0.12 s for 300,000 rows) and the standard library's (3.1 s), which knows the line: pyarrow, 55 MB more,
names none.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import itertools
import re
import warnings
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from evaluator.errors import BadCell, FileMissing, MissingColumns, UnreadableCsv
from evaluator.revlog import MOST_ROWS, REVLOG_COLUMNS, Cards, Clock, Ints, Revlog, Snapshot
from tools.sources.paths import naming

GZIP = b"\x1f\x8b"
CARD_COLUMNS = ("id", "did")
DELIMITERS = ",;\t"

#: Bytes that are read at once; first fewer, as often only the first line is asked for.
PIECE, FIRST_PIECE = 1 << 20, 1 << 14
#: A row of a review log has less than 200 letters.
LONGEST_LINE = 1_000_000
MOST_LETTERS = 100 * MOST_ROWS

_INT64 = np.iinfo(np.int64)


def looks_like_csv(path: Path) -> bool:
    """Whether a file is text, and a CSV by its name or by a review-log column in its first line."""
    name = path.name.lower()
    if name.endswith((".csv", ".csv.gz", ".tsv", ".tsv.gz")):
        return True
    return bool((columns_of(path) or set()) & {name.lower() for name in REVLOG_COLUMNS})


def columns_of(path: Path) -> set[str] | None:
    """Names of the columns, in lower case; None where the file cannot be read."""
    try:
        return {name.lower() for name in header(path)}
    except (OSError, UnreadableCsv):
        return None


def read_snapshot(path: Path, *, cards: Path | None, clock: Clock) -> Snapshot:
    """Read a review log, with its cards and its clock.

    Raises:
        EvaluatorError: a file is missing or damaged, or a column or a number is missing.
    """
    if cards is not None and not cards.is_file():
        raise FileMissing(path=str(cards))
    existing = None
    if cards is not None:
        card_id, deck_id = read_columns(cards, CARD_COLUMNS)
        existing = Cards(card_id, deck_id)
    return Snapshot(Revlog(*read_columns(path, REVLOG_COLUMNS)), clock, existing)


def header(path: Path) -> list[str]:
    """Names of the columns. Raises UnreadableCsv."""
    return [name for name in _header(path, _first_line(next(_pieces(path), ""))) if name]


def read_columns(path: Path, columns: Sequence[str]) -> list[Ints]:
    """These columns of whole numbers, in this order, each int64 of shape (rows,). Others are ignored.

    Raises:
        MissingColumns: the first line does not have them all.
        BadCell: a cell of theirs is no whole number.
        UnreadableCsv: the file is no text, its compression is damaged, or it is larger than a review log can be.
    """
    pieces = _pieces(path)
    start = next(pieces, "")
    first_line = _first_line(start)
    names = _header(path, first_line)
    found = [name.lower() for name in names]
    missing = [name for name in columns if name.lower() not in found]
    if missing:
        raise MissingColumns(path=str(path), missing=missing, found=[name for name in names if name])
    positions = [found.index(name.lower()) for name in columns]
    try:
        return _read_fast(itertools.chain([start[len(first_line) + 1 :]], pieces), _delimiter(first_line), positions)
    except (ValueError, DeprecationWarning):
        return _read_cell_by_cell(path, columns, positions)


def read_cells(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Of each row that is not empty: the line on which it begins (1 is the header), and its cells in these columns.

    A cell is empty where the row is too short.

    Raises:
        UnreadableCsv: as :func:`read_columns`.
    """
    names = _header(path, _first_line(next(_pieces(path), "")))
    positions = [names.index(column) for column in columns]
    for line, cells in _rows(path):
        yield line, [_cell(cells, position) for position in positions]


def line_of(path: Path, row: int) -> int:
    """Number of the line on which a row begins; rows count from 0, without empty ones."""
    return next(itertools.islice(_rows(path), row, None))[0]


def _read_fast(pieces: Iterable[str], delimiter: str, positions: Sequence[int]) -> list[Ints]:
    """Read these columns quickly. Raises ValueError or DeprecationWarning if a cell is no whole number."""
    parts: list[list[Ints]] = [[np.empty(0, dtype=np.int64)] for _ in positions]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy still takes 1.5 for 1, with a warning
        for piece in pieces:
            if piece.count('"') % 2:
                raise ValueError("a quoted cell may go on in the next piece")
            if not piece or piece.isspace():
                continue
            table = np.loadtxt(
                io.StringIO(piece),
                dtype=np.int64,
                delimiter=delimiter,
                usecols=positions,
                ndmin=2,
                comments=None,
                quotechar='"',
            )
            for part, column in zip(parts, table.T, strict=True):
                part.append(column.copy())
    return [np.concatenate(parts.pop(0)) for _ in positions]  # each column's parts are let go of before the next


def _read_cell_by_cell(path: Path, columns: Sequence[str], positions: Sequence[int]) -> list[Ints]:
    """Read these columns slowly. Raises :class:`BadCell` for the first cell that is no whole number."""
    numbers = array("q")
    for line, cells in _rows(path):
        for name, position in zip(columns, positions, strict=True):
            cell = _cell(cells, position)
            number = _whole_number(cell)
            if number is None:
                line += sum(before.count("\n") for before in cells[:position])
                raise BadCell(path=str(path), line=line, column=name, value=cell)
            numbers.append(number)
    table = np.array(numbers, dtype=np.int64).reshape(-1, len(columns))
    return [np.ascontiguousarray(column) for column in table.T]


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Of each row below the header that is not empty: the line on which it begins (1 is the header), and its cells."""
    lines = (line for piece in _pieces(path) for line in io.StringIO(piece, newline="\n"))
    reader = csv.reader(lines, delimiter=_delimiter(next(lines, "")))
    line = 2
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                yield line, cells
            line = reader.line_num + 2
    except csv.Error as error:
        raise UnreadableCsv(path=str(path), detail=f"line {line:,}: {error}") from error


def _cell(cells: Sequence[str], position: int) -> str:
    return cells[position].strip() if position < len(cells) else ""


def _whole_number(cell: str) -> int | None:
    if not re.fullmatch(r"[+-]?[0-9]{1,30}", cell):  # int() would take 1_000 and other scripts' digits, too
        return None
    number = int(cell)
    return number if _INT64.min <= number <= _INT64.max else None


def _pieces(path: Path) -> Iterator[str]:
    """The text in pieces of whole lines, which end in a line feed however they end in the file.

    Raises:
        UnreadableCsv: it is no text, its compression is damaged, or it is larger than a review log can be.
    """
    with _opened(path) as file:
        position = lines = letters = 0
        rest = ""
        decoder: io.IncrementalNewlineDecoder | None = None
        while True:
            raw = _read(path, file, PIECE if position else FIRST_PIECE)
            if decoder is None:
                decoder = io.IncrementalNewlineDecoder(_decoder(path, raw), translate=True)
            try:
                text = decoder.decode(raw, final=not raw)
            except UnicodeDecodeError as error:
                byte = position + len(raw) - len(error.object) + error.start + 1
                detail = f"byte {byte:,} is no {error.encoding.upper()} text: save it as UTF-8"
                raise UnreadableCsv(path=str(path), detail=detail) from error
            position += len(raw)
            whole, newline, rest = (rest + text).rpartition("\n")
            lines += whole.count("\n") + len(newline)
            letters += len(text)
            if len(rest) > LONGEST_LINE:
                detail = f"line {lines + 1:,} has more than {LONGEST_LINE:,} letters (it begins {rest[:40]!r})"
                raise UnreadableCsv(path=str(path), detail=detail)
            if lines > MOST_ROWS + 1 or letters > MOST_LETTERS:
                detail = (
                    f"it has more than {MOST_ROWS:,} lines or {MOST_LETTERS:,} letters, and 1,000 reviews a day for 27 "
                    "years make no more"
                )
                raise UnreadableCsv(path=str(path), detail=detail)
            if newline:
                yield whole + newline
            if not raw:
                if rest:
                    yield rest
                return


def _read(path: Path, file: BinaryIO | gzip.GzipFile, size: int) -> bytes:
    try:
        with naming(path):
            return file.read(size)
    except EOFError as error:
        raise UnreadableCsv(path=str(path), detail="the compressed file ends too early") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise UnreadableCsv(path=str(path), detail="its compressed data is broken") from error


def _decoder(path: Path, start: bytes) -> codecs.IncrementalDecoder:
    """The decoder of a file: UTF-8, or UTF-16 as Excel and PowerShell write it."""
    if start.startswith(GZIP):
        raise UnreadableCsv(path=str(path), detail="it is compressed twice: unpack it once")
    is_utf_16 = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return codecs.getincrementaldecoder("utf-16" if is_utf_16 else "utf-8-sig")()


def _opened(path: Path) -> BinaryIO | gzip.GzipFile:
    with naming(path), path.open("rb") as file:
        is_gzip = file.read(2) == GZIP
    return gzip.open(path, "rb") if is_gzip else path.open("rb")


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


def _header(path: Path, first_line: str) -> list[str]:
    try:
        names = next(csv.reader([first_line], delimiter=_delimiter(first_line)), [])
    except csv.Error as error:
        raise UnreadableCsv(path=str(path), detail=f"line 1: {error}") from error
    return [name.strip() for name in names]


def _delimiter(first_line: str) -> str:
    return max(DELIMITERS, key=first_line.count)

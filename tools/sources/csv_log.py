"""Read a review log as CSV, plain or gzipped: fast if all is well, slowly only to find a bad line.

By hand with NumPy's reader (0.12 s for 300,000 rows) and the standard library's (3.1 s), which knows the line: pyarrow,
55 MB more, names none.
"""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import itertools
import re
import warnings
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TextIO, cast

import numpy as np

from evaluator.data.revlog import REVLOG_COLUMNS, Cards, Ints, Revlog, Snapshot
from evaluator.errors import BadCell, BadColumn, FileMissing, MissingColumns, UnreadableCsv
from tools.sources.clock import stated_clock
from tools.sources.limits import TooLarge, limited_text

GZIP = b"\x1f\x8b"
CARD_COLUMNS = ("id", "did")
DELIMITERS = ",;\t"
ENDINGS = (".csv", ".csv.gz", ".tsv", ".tsv.gz")
#: Columns that only review logs have, in lower case.
TELLING_COLUMNS = {"ease", "ivl", "lastivl"}

#: Magnitudes of times since 1970 that are not in milliseconds: unit, smallest, largest, and the remedy.
OTHER_UNITS = (("seconds", 1e8, 1e11, "multiply by 1,000"), ("microseconds", 1e14, 1e17, "divide by 1,000"))

_INT64 = np.iinfo(np.int64)
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def recognizes(_start: bytes, columns: set[str]) -> bool:
    """Return whether a file with these columns is a review log of Anki's."""
    return not columns.isdisjoint(TELLING_COLUMNS)


def looks_like_csv(path: Path, columns: set[str]) -> bool:
    """Return whether a file is meant as CSV: by its name, or by any column of a review log."""
    is_named_so = path.name.lower().endswith(ENDINGS)
    return is_named_so or not columns.isdisjoint(name.lower() for name in REVLOG_COLUMNS)


def columns_of(path: Path) -> set[str] | None:
    """Return the names of the columns in lower case, or None if the file cannot be read."""
    try:
        return {name.lower() for name in header(path)}
    except (OSError, UnreadableCsv):
        return None


def read(path: Path) -> Snapshot:
    """Read a review log in Anki's columns, without a clock of its own.

    Raises:
        EvaluatorError: if the file is damaged, a column or a number is missing, or the ids are not milliseconds.
    """
    revlog = Revlog(*read_columns(path, REVLOG_COLUMNS))
    check_unit(path, REVLOG_COLUMNS[0], revlog.review_id)
    check_ratings(path, REVLOG_COLUMNS[2], revlog.button[revlog.kind <= 3])  # the others are manual rows
    return Snapshot(revlog, stated_clock(None))


def read_cards(path: Path) -> Cards:
    """Read the cards that still exist, with their decks. Raises EvaluatorError."""
    if not path.is_file():
        raise FileMissing(path=str(path))
    card_id, deck_id = read_columns(path, CARD_COLUMNS)
    return Cards(card_id, deck_id)


def check_unit(path: Path, column: str, times: Ints) -> None:
    """Raise UnreadableCsv, with the remedy, if the median of these times is in seconds or microseconds."""
    typical = float(np.median(times)) if len(times) else 0.0
    for unit, smallest, largest, remedy in OTHER_UNITS:
        if smallest <= typical < largest:
            detail = f"{column} looks like {unit} since 1970, but must be in milliseconds: {remedy}"
            raise UnreadableCsv(path=str(path), detail=detail)


def check_ratings(path: Path, column: str, ratings: Ints) -> None:
    """Raise UnreadableCsv, with the remedy, if the ratings are 0 to 3, 0 or 1, or on another scale that starts at 0.

    With ratings up to 4, a 0 is a row without an answer, as in Anki and ts-fsrs.
    """
    zeros = int((ratings == 0).sum())
    if zeros and ratings.max() != 4:
        detail = (
            f"{column} is 0 in {zeros:,} of {len(ratings):,} rows, but 1 (Again) to 4 (Easy) are expected: add 1 to "
            "ratings from 0 to 3, write 1 and 3 for 0 and 1, or delete rows that are not answers"
        )
        raise UnreadableCsv(path=str(path), detail=detail)


def header(path: Path) -> list[str]:
    """Return names of the columns. Raises UnreadableCsv."""
    with _opened(path) as file:
        return [name for name in _header(file)[0] if name]


def read_columns(path: Path, columns: Sequence[str]) -> list[Ints]:
    """Return these columns of integers, in this order, each int64 of shape (rows,). Others are ignored.

    Raises:
        MissingColumns: the first line does not have them all.
        BadCell, BadColumn: one of their cells is not an integer, or none of a column; ``id`` may also be a time.
        UnreadableCsv: the file is not a text, its compression is damaged, or a line has misplaced quotes or too many
            cells.
    """
    with _opened(path) as file:
        names, delimiter = _header(file)
        result = [name.lower() for name in names]
        missing = [name for name in columns if name.lower() not in result]
        if missing:
            raise MissingColumns(path=str(path), missing=missing, found=[name for name in names if name])
        positions = [result.index(name.lower()) for name in columns]
        is_fast = _is_regular(file, delimiter, len(names))
    if is_fast:
        # NumPy 2.4 crashes on an emoji in place of an integer; in this encoding no character is above 255.
        with _opened(path, "latin-1") as file, suppress(ValueError, DeprecationWarning):
            _header(file)
            return _read_fast(file, delimiter, positions)
    return _read_cell_by_cell(path, columns)


def read_cells(path: Path, columns: Sequence[str], *, whole: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Return for each row that is not empty the line on which it begins (1 is the header), and its cells in these
    columns.

    A cell is empty if there is no such column, or the row is too short, which ``whole`` refuses.

    Raises:
        UnreadableCsv: as :func:`read_columns`.
    """
    with _opened(path) as file:
        names = [name.lower() for name in _header(file)[0]]
    positions = [names.index(name) if name in names else len(names) for name in map(str.lower, columns)]
    for line, cells in _rows(path, whole=whole):
        yield line, [cells[position].strip() if position < len(cells) else "" for position in positions]


def line_of(path: Path, row: int) -> int:
    """Return the number of the line on which a row begins. Rows count from 0, without empty ones."""
    return next(itertools.islice(_rows(path), row, None))[0]


def checked_rows(
    lines: Iterable[str], path: Path, *, delimiter: str, width: int, whole: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line number (1 is the header) and the cells of each row that is not empty.

    Args:
        lines: Text below the header.
        path: Its file, for the messages.
        delimiter: Character between cells.
        width: Number of cells in the header.
        whole: Refuse rows with fewer cells.

    Raises:
        UnreadableCsv: if a quoted cell is not closed or contains other rows, or a row has too many cells.
    """
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    line = 2
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            detail = f"check the quotation marks on line {line:,} ({error})"
            raise UnreadableCsv(path=str(path), detail=detail) from error
        if cells is None:
            return
        if any(map(str.strip, cells)):
            first, *others = delimiter.join(cells).split("\n")
            within = [part for cell in cells for part in cell.split("\n")[1:]]
            if any(part.count(delimiter) >= width - 1 for part in within) or (
                others and all(part[:1].isdigit() and part.count(delimiter) >= width - 1 for part in (first, *others))
            ):
                detail = f"a quoted cell in line {line:,} contains the lines after it (a stray quotation mark?)"
                raise UnreadableCsv(path=str(path), detail=detail)
            if len(cells) > width or (whole and len(cells) < width):
                detail = f"the header has {width:,} cells, but line {line:,} has {len(cells):,}"
                hint = " (a comma within a number or a text?)" if len(cells) > width else ""
                raise UnreadableCsv(path=str(path), detail=detail + hint)
            yield line, cells
        line = reader.line_num + 2


def _is_regular(file: TextIO, delimiter: str, width: int) -> bool:
    """Return True if no row is wider than the header or continues on another line, by C code only."""
    reader = csv.reader(file, delimiter=delimiter, strict=True)
    try:
        widths = np.fromiter(map(len, reader), dtype=np.int64)
    except (csv.Error, UnicodeDecodeError):
        return False
    return reader.line_num == len(widths) and bool((widths <= width).all())


def _read_fast(file: TextIO, delimiter: str, positions: Sequence[int]) -> list[Ints]:
    """Read these columns quickly. Raises ValueError or DeprecationWarning if a cell is not an integer."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # NumPy still takes 1.5 for 1, with a warning
        warnings.simplefilter("ignore", UserWarning)  # a warning about a file without rows
        table = np.loadtxt(
            file, dtype=np.int64, delimiter=delimiter, usecols=positions, ndmin=2, comments=None, quotechar='"'
        )
    return [np.ascontiguousarray(column) for column in table.reshape(-1, len(positions)).T]


def _read_cell_by_cell(path: Path, columns: Sequence[str]) -> list[Ints]:
    """Read these columns slowly. Raises the error of :func:`bad_cell` for the first cell that is not an integer."""
    numbers = array("q")
    parsers = [_id if name == REVLOG_COLUMNS[0] else whole_number for name in columns]
    for line, cells in read_cells(path, columns):
        for name, parse, cell in zip(columns, parsers, cells, strict=True):
            number = parse(cell)
            if number is None:
                raise bad_cell(path, line, name, cell, parse)
            numbers.append(number)
    table = np.frombuffer(numbers, dtype=np.int64).reshape(-1, len(columns))
    return [np.ascontiguousarray(column) for column in table.T]


def _rows(path: Path, *, whole: bool = False) -> Iterator[tuple[int, list[str]]]:
    with _opened(path) as file:
        names, delimiter = _header(file)
        yield from checked_rows(file, path, delimiter=delimiter, width=len(names), whole=whole)


def bad_cell(path: Path, line: int, column: str, value: str, parse: Callable[[str], int | None]) -> BadCell | BadColumn:
    """Return the error for a cell that ``parse`` does not understand: of its column, if that is so on every line."""
    error, rows = BadCell(path=str(path), line=line, column=column, value=value), 0
    for _, (cell,) in read_cells(path, (column,)):
        if parse(cell) is not None:
            return error
        rows += 1
    return BadColumn(path=str(path), column=column, rows=rows, value=value) if rows > 1 else error


def whole_number(cell: str) -> int | None:
    """Return the number in a cell, also if pandas wrote it as ``3.0``, or None if it is not an integer of 64 bits."""
    digits = re.fullmatch(r"([+-]?[0-9]{1,30})(\.0)?", cell)  # int() would take 1_000 and other scripts' digits, too
    number = int(digits[1]) if digits else None
    return number if number is not None and _INT64.min <= number <= _INT64.max else None


def milliseconds(cell: str) -> int | None:
    """Return the time in a cell in milliseconds since 1970. ISO 8601 text without a time zone is in UTC."""
    number = whole_number(cell)
    if number is not None:
        return number
    try:
        moment = dt.datetime.fromisoformat(cell)
    except ValueError:
        return None
    return ((moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)) - _EPOCH) // dt.timedelta(milliseconds=1)


def _id(cell: str) -> int | None:
    """Return the id in a cell. A time may stand for it to the second: otherwise different reviews would have one id."""
    return milliseconds(cell) if re.search(r":\d\d:\d\d", cell) else whole_number(cell)


@contextmanager
def _opened(path: Path, encoding: str = "utf-8-sig") -> Iterator[TextIO]:
    """Open the file as text in UTF-8 or UTF-16, whose lines end in a line feed.

    Raises:
        UnreadableCsv: it is not a text, its compression is damaged, or it is larger than what is read.
    """
    with path.open("rb") as plain:
        opener = gzip.open if plain.read(2) == GZIP else open
    try:
        with limited_text(cast(IO[bytes], opener(path, "rb")), encoding) as text:
            yield text
    except UnicodeDecodeError as error:
        raise UnreadableCsv(path=str(path), detail="it is no UTF-8 text: save it as UTF-8") from error
    except EOFError as error:
        raise UnreadableCsv(path=str(path), detail="the compressed file ends too early") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise UnreadableCsv(path=str(path), detail="its compressed data is broken") from error
    except (csv.Error, TooLarge) as error:
        raise UnreadableCsv(path=str(path), detail=str(error)) from error


def _header(file: TextIO) -> tuple[list[str], str]:
    """Return the names in the first line, and the delimiter between them."""
    first_line = file.readline()
    delimiter = max(DELIMITERS, key=first_line.count)
    return [name.strip() for name in next(csv.reader([first_line], delimiter=delimiter), [])], delimiter

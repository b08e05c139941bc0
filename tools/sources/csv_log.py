"""Reader of a review log as CSV, plain or gzipped.

Sound files are read by NumPy, which takes 0.12 s for 300,000 rows. If that fails, the standard library's reader, which
takes 3.1 s, finds the bad line. pyarrow would need 55 MB more and does not name the line.
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
from tools.sources.limits import MAX_LINE, TooLarge, limited_text

#: First bytes of a gzipped file.
GZIP = b"\x1f\x8b"
#: Columns of the CSV of the cards that still exist.
CARD_COLUMNS = ("id", "did")
#: Possible characters between cells.
DELIMITERS = ",;\t"
#: Endings of the names of review logs.
ENDINGS = (".csv", ".csv.gz", ".tsv", ".tsv.gz")
#: Names of columns by which a review log is recognized, in lower case.
TELLING_COLUMNS = {"ease", "ivl", "lastivl"}

#: Names of Anki's columns in the file ``revlog.csv`` of the FSRS4Anki notebook, and variants of these.
OTHER_NAMES = {"ease": ("r", "rating"), "lastIvl": ("last_lvl", "last_ivl")}

#: Units of times since 1970 other than milliseconds, each with the smallest and largest plausible time and the remedy.
OTHER_UNITS = (("seconds", 1e8, 1e11, "multiply by 1,000"), ("microseconds", 1e14, 1e17, "divide by 1,000"))

#: Number of characters of the lines that are parsed at once.
_BLOCK = 1 << 17
_INT64 = np.iinfo(np.int64)
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def recognizes(_start: bytes, columns: set[str]) -> bool:
    """Return whether a file with these columns, in lower case, is a review log of Anki's."""
    return not columns.isdisjoint(TELLING_COLUMNS)


def looks_like_csv(path: Path, columns: set[str]) -> bool:
    """Return whether a file has the name of a CSV, or any column of a review log."""
    has_ending = path.name.lower().endswith(ENDINGS)
    return has_ending or not columns.isdisjoint(name.lower() for name in REVLOG_COLUMNS)


def columns_of(path: Path) -> set[str] | None:
    """Return the names of the columns in lower case, or None if the file cannot be read."""
    try:
        return {name.lower() for name in header(path)}
    except (OSError, UnreadableCsv):
        return None


def choose_names(path: Path, choices: Iterable[Sequence[str]]) -> list[str]:
    """Choose the name of each column from its possible ones: the first that the file has, or else the first."""
    names = columns_of(path) or set()
    return [next((name for name in group if name.lower() in names), group[0]) for group in choices]


def read(path: Path) -> Snapshot:
    """Read a review log with Anki's columns. The snapshot has the assumed clock.

    Raises:
        EvaluatorError: if the file is damaged, a column or a number is missing, or the ids are not milliseconds.
    """
    columns = choose_names(path, [(name, *OTHER_NAMES.get(name, ())) for name in REVLOG_COLUMNS])
    revlog = Revlog(*read_columns(path, columns))
    check_unit(path, columns[0], revlog.review_id)
    # Rows of the other kinds are manual changes, which have no rating.
    check_ratings(path, columns[2], revlog.button[revlog.kind <= 3])
    return Snapshot(revlog, stated_clock(None))


def read_cards(path: Path) -> Cards:
    """Read the cards that still exist, with their decks. Raises EvaluatorError."""
    if not path.is_file():
        raise FileMissing(path=str(path))
    card_id, deck_id = read_columns(path, CARD_COLUMNS)
    return Cards(card_id, deck_id)


def check_unit(path: Path, column: str, times: Ints) -> None:
    """Raise UnreadableCsv, with the remedy, if the median of these times is in seconds or microseconds."""
    median = float(np.median(times)) if len(times) else 0.0
    for unit, smallest, largest, remedy in OTHER_UNITS:
        if smallest <= median < largest:
            detail = f"{column} looks like {unit} since 1970, but must be in milliseconds: {remedy}"
            raise UnreadableCsv(path=str(path), detail=detail)


def check_ratings(path: Path, column: str, ratings: Ints) -> None:
    """Raise UnreadableCsv, with the remedy, if the ratings are on a scale that starts at 0.

    If the highest rating is 4, a 0 is a row without an answer, as in Anki and ts-fsrs.
    """
    zeros = int((ratings == 0).sum())
    if zeros and ratings.max() != 4:
        detail = (
            f"{column} is 0 in {zeros:,} of {len(ratings):,} rows, but 1 (Again) to 4 (Easy) are expected: add 1 to "
            "ratings from 0 to 3, write 1 and 3 for 0 and 1, or delete rows that are not answers"
        )
        raise UnreadableCsv(path=str(path), detail=detail)


def header(path: Path) -> list[str]:
    """Return the names of the columns. Raises UnreadableCsv."""
    with _open_text(path) as file:
        return [name for name in _read_header(file)[0] if name]


def read_columns(path: Path, columns: Sequence[str]) -> list[Ints]:
    """Return these columns of integers, in this order, each int64 of shape (rows,).

    A time is also accepted in the column ``id``.

    Raises:
        MissingColumns: if a column is missing.
        BadCell: if a cell is not an integer.
        BadColumn: if no cell of a column is an integer.
        UnreadableCsv: if the file is not a text, its compression is damaged, or a line has misplaced quotes or too many
            cells.
    """
    with _open_text(path) as file:
        names, delimiter = _read_header(file)
        lower_names = [name.lower() for name in names]
        missing = [name for name in columns if name.lower() not in lower_names]
        if missing:
            raise MissingColumns(path=str(path), missing=missing, found=[name for name in names if name])
        positions = [lower_names.index(name.lower()) for name in columns]
        is_fast = _is_regular(file, delimiter, len(names))
    if is_fast:
        # NumPy 2.4 crashes on an emoji instead of an integer. This encoding has no characters above 255.
        with _open_text(path, "latin-1") as file, suppress(ValueError, DeprecationWarning):
            _read_header(file)
            return _read_fast(file, delimiter, positions)
    return _read_cell_by_cell(path, columns)


def read_cells(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number of each row that is not empty, and the row's cells in these columns.

    A cell is empty if there is no such column, or if the row is too short. The header is line 1. A row on several lines
    has the number of the first.

    Raises:
        UnreadableCsv: as :func:`read_columns`.
    """
    with _open_text(path) as file:
        names = [name.lower() for name in _read_header(file)[0]]
    positions = [names.index(name) if name in names else len(names) for name in map(str.lower, columns)]
    for line, cells in _rows(path):
        yield line, [cells[position].strip() if position < len(cells) else "" for position in positions]


def line_of(path: Path, row: int) -> int:
    """Return the number of the line on which a row begins. Rows count from 0, without empty ones."""
    return next(itertools.islice(_rows(path), row, None))[0]


def checked_rows(
    lines: Iterable[str], path: Path, *, delimiter: str, width: int, refuse_long: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the first line, and the cells, of each row that is not empty. The header is line 1.

    Args:
        lines: the lines below the header.
        path: their file, for the messages.
        delimiter: the character between cells.
        width: the number of cells in the header.
        refuse_long: whether a row with more cells is an error.

    Raises:
        UnreadableCsv: if a quoted cell is not closed or contains other rows, or a row has too many cells.
        TooLarge: if a row on several lines is too long.
    """
    row_size = 0

    def measured_lines() -> Iterator[str]:
        nonlocal row_size
        for text in lines:
            row_size += len(text)
            if row_size > MAX_LINE:
                raise TooLarge(f"the row that begins on line {line:,} has more than {MAX_LINE:,} characters")
            yield text

    reader = csv.reader(measured_lines(), delimiter=delimiter, strict=True)
    line = 2
    while True:
        row_size = 0
        try:
            cells = next(reader, None)
        except csv.Error as error:
            detail = f"check the quotation marks on line {line:,} ({error})"
            raise UnreadableCsv(path=str(path), detail=detail) from error
        if cells is None:
            return
        if any(map(str.strip, cells)):
            row_lines = delimiter.join(cells).split("\n")
            lines_in_quotes = [text for cell in cells for text in cell.split("\n")[1:]]
            if any(text.count(delimiter) >= width - 1 for text in lines_in_quotes) or (
                # The quotes may be in the same column of two rows. A first cell with several lines is rarely a number.
                len(row_lines) > 1
                and all(text[:1].isdigit() and text.count(delimiter) >= width - 1 for text in row_lines)
            ):
                detail = f"a quoted cell in line {line:,} contains the lines after it (a stray quotation mark?)"
                raise UnreadableCsv(path=str(path), detail=detail)
            if refuse_long and len(cells) > width:
                detail = f"the header has {width:,} cells, but line {line:,} has {len(cells):,}"
                raise UnreadableCsv(path=str(path), detail=f"{detail} (a comma within a number or a text?)")
            yield line, cells
        line = reader.line_num + 2


def _is_regular(file: TextIO, delimiter: str, width: int) -> bool:
    """Return whether no row is wider than the header or continues on another line.

    The lines are read in blocks, which runs only C code for each line. A row on all lines would take all memory.
    """
    try:
        while lines := file.readlines(_BLOCK):
            widths = list(map(len, csv.reader(lines, delimiter=delimiter, strict=True)))
            if len(widths) != len(lines) or max(widths) > width:
                return False
    except (csv.Error, UnicodeDecodeError):
        return False
    return True


def _read_fast(file: TextIO, delimiter: str, positions: Sequence[int]) -> list[Ints]:
    """Read the columns at these positions. Raises ValueError or DeprecationWarning if a cell is not an integer."""
    with warnings.catch_warnings():
        # NumPy still reads 1.5 as 1, with this warning.
        warnings.simplefilter("error", DeprecationWarning)
        # A file without rows is not an error.
        warnings.simplefilter("ignore", UserWarning)
        table = np.loadtxt(
            file, dtype=np.int64, delimiter=delimiter, usecols=positions, ndmin=2, comments=None, quotechar='"'
        )
    return [np.ascontiguousarray(column) for column in table.reshape(-1, len(positions)).T]


def _read_cell_by_cell(path: Path, columns: Sequence[str]) -> list[Ints]:
    """Read these columns as integers. A review id may also be a time.

    Raises:
        BadCell, BadColumn: for the first cell that is neither.
    """
    numbers = array("q")
    parsers = [_parse_review_id if name == REVLOG_COLUMNS[0] else parse_integer for name in columns]
    for line, cells in read_cells(path, columns):
        for name, parse, cell in zip(columns, parsers, cells, strict=True):
            number = parse(cell)
            if number is None:
                raise bad_cell(path, line, name, cell, parse)
            numbers.append(number)
    table = np.frombuffer(numbers, dtype=np.int64).reshape(-1, len(columns))
    return [np.ascontiguousarray(column) for column in table.T]


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the cells of each row of a file, as :func:`checked_rows` does."""
    with _open_text(path) as file:
        names, delimiter = _read_header(file)
        yield from checked_rows(file, path, delimiter=delimiter, width=len(names))


def bad_cell(path: Path, line: int, column: str, value: str, parse: Callable[[str], int | None]) -> BadCell | BadColumn:
    """Return the error for a cell that ``parse`` rejects. It is about the column if ``parse`` rejects all its cells."""
    error = BadCell(path=str(path), line=line, column=column, value=value)
    rows = 0
    for _, (cell,) in read_cells(path, (column,)):
        if parse(cell) is not None:
            return error
        rows += 1
    return BadColumn(path=str(path), column=column, rows=rows, value=value) if rows > 1 else error


def parse_integer(cell: str) -> int | None:
    """Return the number in a cell, also if pandas wrote it as ``3.0``, or None if it is not an integer of 64 bits."""
    # int() alone would also accept 1_000 and digits of other scripts.
    digits = re.fullmatch(r"([+-]?[0-9]{1,30})(\.0)?", cell)
    number = int(digits[1]) if digits else None
    return number if number is not None and _INT64.min <= number <= _INT64.max else None


def parse_time(cell: str) -> int | None:
    """Return the time in a cell in milliseconds since 1970, or None if it is neither an integer nor ISO 8601 text.

    Text without a time zone is taken as UTC.
    """
    number = parse_integer(cell)
    if number is not None:
        return number
    try:
        moment = dt.datetime.fromisoformat(cell)
    except ValueError:
        return None
    with_zone = moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
    return (with_zone - _EPOCH) // dt.timedelta(milliseconds=1)


def _parse_review_id(cell: str) -> int | None:
    """Return the id in a cell, which is a number, or a time with seconds, or None if it is neither.

    Times without seconds are rejected, because many reviews would have the same id.
    """
    return parse_time(cell) if re.search(r":\d\d:\d\d", cell) else parse_integer(cell)


@contextmanager
def _open_text(path: Path, encoding: str = "utf-8-sig") -> Iterator[TextIO]:
    """Open a plain or gzipped file as text in UTF-8 or UTF-16.

    Raises:
        UnreadableCsv: if it is not a text, its compression is damaged, or it is too large.
    """
    with path.open("rb") as plain:
        opener = gzip.open if plain.read(2) == GZIP else open
    try:
        with limited_text(cast(IO[bytes], opener(path, "rb")), encoding) as text:
            yield text
    except UnicodeDecodeError as error:
        raise UnreadableCsv(path=str(path), detail="it is not UTF-8 text: save it as UTF-8") from error
    except EOFError as error:
        raise UnreadableCsv(path=str(path), detail="the compressed file ends too early") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise UnreadableCsv(path=str(path), detail="its compressed data is broken") from error
    except (csv.Error, TooLarge) as error:
        raise UnreadableCsv(path=str(path), detail=str(error)) from error


def _read_header(file: TextIO) -> tuple[list[str], str]:
    """Read the first line. Return the names in it, and the delimiter between them."""
    first_line = file.readline()
    delimiter = max(DELIMITERS, key=first_line.count)
    return [name.strip() for name in next(csv.reader([first_line], delimiter=delimiter), [])], delimiter

"""Tables of the report as HTML, each in a scrolling box with its columns explained below."""

from __future__ import annotations

from typing import Dict, List, Sequence

from ..text import Counted, _
from ..text.phrases import list_of
from ..views.first_screen import DETAILS
from ..views.view import Block, Column
from .markup import Html, element, elements, fold, join

PAGE_TABLE_ROWS = Counted("The table: {count} row", "The table: {count} rows")

#: Maximum number of rows of a table that is not folded.
MAX_ROWS = 24
#: Maximum number of rows of a table that is not folded on narrow screens.
MAX_NARROW_ROWS = 7


def table_block(block: Block) -> Html:
    """Return the caption, the table with its columns explained, and the notes of a block."""
    count = len(block.table.rows)
    content = join([table_of(block), column_meanings(block.table.columns)]) if count else Html("")
    if count > MAX_ROWS or block.folded:
        content = fold(PAGE_TABLE_ROWS(count), content)
    elif count > MAX_NARROW_ROWS:
        content = fold(PAGE_TABLE_ROWS(count), content, class_="narrow-fold rows")
    details = fold(DETAILS, notes(block.details)) if block.details else Html("")
    return join([elements("p", [block.caption]), content, notes(block.notes), details])


def table_of(block: Block) -> Html:
    """Return the block's table in its scrolling box."""
    columns = block.table.columns
    rows = [_row(columns, cells) for cells in block.table.rows]
    return scroll_box(table_element(columns, rows), block.heading)


def table_element(columns: Sequence[Column], rows: Sequence[Html], class_: str = "") -> Html:
    """Return a table with a header for each of these columns, and with these rows, which are ``tr`` elements."""
    head = element("thead", element("tr", *map(_header, columns)))
    return element("table", head, element("tbody", *rows), class_=class_)


def scroll_box(table: Html, label: str) -> Html:
    """Put a table into a box that scrolls, so that a wide table does not widen the page.

    The box can have the focus, because some users scroll by keyboard.
    """
    return element("div", table, class_="scroll", tabindex="0", role="group", aria_label=label)


def _header(column: Column) -> Html:
    direction = element("small", column.direction) if column.direction else ""
    class_ = "number" if column.number else ""
    return element("th", column.name, direction, scope="col", title=column.tip, class_=class_)


def column_meanings(columns: Sequence[Column]) -> Html:
    """Return a folded list of what the columns mean, for readers who cannot see tooltips.

    Columns with the same meaning share an entry. The result is empty if no column has an explanation.
    """
    names_by_tip: Dict[str, List[str]] = {}
    for column in columns:
        names_by_tip.setdefault(column.tip, []).append(column.name)
    names_by_tip.pop("", None)
    entries = (join([element("dt", list_of(names)), element("dd", tip)]) for tip, names in names_by_tip.items())
    return fold(_("What the columns mean"), element("dl", *entries)) if names_by_tip else Html("")


def notes(lines: Sequence[str]) -> Html:
    """Return a paragraph for each note that is not empty."""
    return join(element("p", line, class_="note") for line in lines if line)


def _row(columns: Sequence[Column], texts: Sequence[str]) -> Html:
    """Return a row. Its first cell is its header, unless that is empty or a number."""
    cells = [
        element("td", text, class_="number" if column.number else "", data_label=column.name)
        for column, text in zip(columns, texts)
    ]
    if texts[0] and not columns[0].number:
        cells[0] = element("th", texts[0], scope="row", data_label=columns[0].name)
    return element("tr", *cells)

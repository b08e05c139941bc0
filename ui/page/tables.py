"""Tables of the report as HTML. Each scrolls in a box of its own, and its columns are explained below it."""

from __future__ import annotations

from typing import Dict, List, Sequence

from ..text import Counted, _
from ..views.view import Block, Column
from .markup import Html, element, elements, folded, joined

PAGE_TABLE_ROWS = Counted("The table: {count} row", "The table: {count} rows")

#: Maximum number of rows of a table that is not folded.
MAX_ROWS = 24


def table_block(block: Block) -> Html:
    """Return a block without its heading and graph. The columns are explained below its table."""
    count = len(block.table.rows)
    content = joined([table_of(block), column_words(block.table.columns)]) if count else Html("")
    if count > MAX_ROWS or block.folded:
        content = folded(PAGE_TABLE_ROWS(count), content)
    return joined([elements("p", [block.caption]), content, notes(block.notes)])


def table_of(block: Block) -> Html:
    """Return the block's table alone."""
    head = element("tr", *(header(column.name, tip=column.tip, number=column.number) for column in block.table.columns))
    body = [element("tr", *_cells(block.table.columns, row)) for row in block.table.rows]
    return scrolling(element("table", element("thead", head), element("tbody", *body)), block.heading)


def scrolling(table: Html, label: str) -> Html:
    """Put a table into a box that scrolls, also by keyboard, so that a wide one does not widen the page."""
    return element("div", table, class_="scroll", tabindex="0", role="group", aria_label=label)


def header(*text: str, tip: str = "", number: bool = True) -> Html:
    """Return a column header with its explanation as a tooltip."""
    return element("th", *text, scope="col", title=tip, class_="number" if number else "")


def column_words(columns: Sequence[Column]) -> Html:
    """Return a list of what the columns mean, for readers without a mouse."""
    explained: Dict[str, List[str]] = {}
    for column in columns:
        explained.setdefault(column.tip, []).append(column.name)
    explained.pop("", None)
    words = [part for tip, names in explained.items() for part in (element("dt", ", ".join(names)), element("dd", tip))]
    return folded(_("What the columns mean"), element("dl", *words)) if words else Html("")


def notes(lines: Sequence[str]) -> Html:
    """Return notes below a table."""
    return joined(element("p", line, class_="note") for line in lines if line)


def _cells(columns: Sequence[Column], row: Sequence[str]) -> Sequence[Html]:
    return [
        element("td", cell, class_="number")
        if column.number
        else element("th", cell, scope="row")
        if number == 0 and cell
        else element("td", cell)
        for number, (column, cell) in enumerate(zip(columns, row))
    ]

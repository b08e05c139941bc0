"""A table of the report as HTML: it scrolls inside a box of its own, and its columns are explained below it."""

from __future__ import annotations

from typing import Sequence

from ..text import Counted, _
from ..views.view import Block, Column, Table
from .markup import Html, each, element, folded, joined

PAGE_TABLE_ROWS = Counted("The table: {count} row", "The table: {count} rows")

#: With more rows it is folded away.
MOST_ROWS = 24


def table_block(block: Block) -> Html:
    """A block without its heading and graph; below its table stands what the columns mean."""
    below = grid(block, column_words(block.table.columns))
    return joined([each("p", [block.caption]), below if block.table.rows else "", notes(block.notes)])


def grid(block: Block, *below: Html) -> Html:
    """The block's table alone, folded where it is long."""
    shown = joined([scrolling(rows_of(block.table), block.heading), *below])
    count = len(block.table.rows)
    return folded(PAGE_TABLE_ROWS(count), shown) if count > MOST_ROWS else shown


def scrolling(table: Html, label: str) -> Html:
    """A wide table must not make the page wide; the box can be reached and scrolled by keyboard."""
    return element("div", table, class_="scroll", tabindex="0", role="region", aria_label=label)


def rows_of(table: Table) -> Html:
    """The bare table."""
    head = element("tr", *(header(column.name, tip=column.tip, number=column.number) for column in table.columns))
    body = [element("tr", *_cells(table.columns, row)) for row in table.rows]
    return element("table", element("thead", head), element("tbody", *body))


def header(*text: str, tip: str = "", number: bool = True) -> Html:
    """The head of a column, with its explanation for those who hover."""
    return element("th", *text, scope="col", title=tip, class_="number" if number else "")


def column_words(columns: Sequence[Column]) -> Html:
    """What the columns mean, for those who cannot hover: on paper, on a phone."""
    explained = [(column.name, column.tip) for column in columns if column.tip]
    return folded(_("What the columns mean"), definitions(explained)) if explained else Html("")


def definitions(pairs: Sequence[Sequence[str]]) -> Html:
    """Terms with what they mean."""
    return element("dl", *(joined([element("dt", term), element("dd", words)]) for term, words in pairs))


def notes(lines: Sequence[str]) -> Html:
    """Small print below a table."""
    return joined(element("p", line, class_="note") for line in lines if line)


def _cells(columns: Sequence[Column], row: Sequence[str]) -> Sequence[Html]:
    """The first cell names the row, where it is a name."""
    return [
        element("td", cell, class_="number")
        if column.number
        else element("th", cell, scope="row")
        if number == 0 and cell
        else element("td", cell)
        for number, (column, cell) in enumerate(zip(columns, row))
    ]

"""Text output of the commands, which rich lays out to fit the terminal, or as plain text for a file or pipe."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
from typing import TextIO

from rich.box import Box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.table import Table
from rich.text import Text

from ui.text.text_width import break_lines

#: Maximum width of text.
WIDTH = 100
#: Maximum width of a table.
TABLE_WIDTH = 120
#: Width that is practically unlimited.
ENDLESS = 100_000
#: Spaces between two columns.
_GAP = 2
#: Spaces at the end of a line, also before the escape sequence that ends a style.
_SPACES_AT_END = re.compile(r" +(\x1b\[0m)?$", re.MULTILINE)
_SPACE = "\N{NO-BREAK SPACE}"
#: Placeholders for non-breaking spaces, and for spaces within the interval of a number, because rich would break lines
#: there. They are noncharacters, which are in no name.
_HELD_SPACE = "\ufdd0"
_INTERVAL_SPACE = "\ufdd1"
#: Box with a rule under the header, and no other lines.
_RULE = Box("    \n    \n -- \n    \n    \n    \n    \n    ", ascii=True)


def console_of(stream: TextIO | None) -> Console:
    """Return a console for a terminal, or for plain text if the stream is not one. Strings are never read as markup."""
    on_terminal = stream is not None and stream.isatty()
    return Console(
        file=stream,
        force_terminal=on_terminal,
        color_system="auto" if on_terminal and not os.environ.get("NO_COLOR") else None,
        width=None if on_terminal else ENDLESS,
        markup=False,
        emoji=False,
        highlight=False,
    )


def format_columns(parts: Sequence[RenderableType], stream: TextIO | None) -> str:
    """Return the parts one below the other, formatted for the stream, or as plain text if there is none."""
    console = console_of(stream)
    with console.capture() as captured:
        for part in parts:
            console.print(part, crop=False)
    text = captured.get().replace(_HELD_SPACE, _SPACE).replace(_INTERVAL_SPACE, " ")
    return _SPACES_AT_END.sub(r"\1", text)


def stack(parts: Sequence[RenderableType]) -> list[RenderableType]:
    """Return the parts with an empty line between them."""
    return [item for part in parts for item in ("", part)][1:]


def styled_text(text: str, style: str = "") -> Text:
    """Return a text for rich in one style, without markup."""
    return Text(text.replace(_SPACE, _HELD_SPACE), style)


def paragraph(text: str) -> RenderableType:
    """Return a text that is broken into lines of at most :data:`WIDTH`."""
    return Constrain(styled_text(text), WIDTH)


def bullets(texts: Iterable[str]) -> RenderableType:
    """Return a list of texts with a bullet before each."""
    rows = Table.grid(padding=(0, 1, 0, 0))
    for text in texts:
        rows.add_row("-", styled_text(text))
    return Constrain(rows, WIDTH)


def heading(text: str) -> RenderableType:
    """Return a text in bold, if the terminal supports that, in lines of at most :data:`WIDTH`."""
    return Constrain(styled_text(text, "bold"), WIDTH)


class _ShrinkingTable(Table):
    """Table that becomes narrower in steps until it fits, see :func:`grid`."""

    #: Natural widths of the columns, followed by their minimum widths in each step.
    widths_by_step: Sequence[Sequence[int]] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        widths, *floors = map(list, self.widths_by_step)
        gaps = len(widths) - 1
        max_width = options.max_width
        gap = _GAP if sum(floors[0]) + _GAP * gaps <= max_width else 1
        for floor in floors:
            while sum(widths) + gap * gaps > max_width and widths != floor:
                shrinkable = [index for index, width in enumerate(widths) if width > floor[index]]
                widths[max(shrinkable, key=lambda index: (index > 0, widths[index]))] -= 1
        # With a header, the box already has a space between the columns.
        self.padding = (0, gap - self.show_header, 0, 0)
        for column, width in zip(self.columns, widths, strict=True):
            column.width = width
        return super().__rich_console__(console, options)


def grid(
    header: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[int] = (), max_width: int = TABLE_WIDTH
) -> RenderableType:
    """Return a table with text aligned left and numbers aligned right.

    If it is too wide, cells are broken into lines between words, those of the first column last. An interval is never
    broken. If that is not enough, words of texts and headers are broken too.

    Args:
        header: the names of the columns, or nothing for a table without a header.
        rows: the cells.
        numbers: the indices of the columns with numbers.
        max_width: the maximum width, even if the terminal is wider.
    """
    table = _ShrinkingTable(
        box=_RULE if header else None, show_header=bool(header), show_edge=False, pad_edge=False, header_style="bold"
    )
    all_cells = [[_join_interval(cell) if index in numbers else cell for index, cell in enumerate(row)] for row in rows]
    column_widths = []
    for index, cells in enumerate(zip(*([header] if header else []), *all_cells, strict=True)):
        is_number = index in numbers
        cells_below = cells[bool(header) :]
        name = styled_text(cells[0]) if header else ""
        table.add_column(name, justify="right" if is_number else "left", overflow="fold")
        width = max(cell_len(line) for cell in cells for line in cell.split("\n"))
        column_widths.append((width, _min_width(cells), _min_width(cells_below) if is_number else min(width, 2)))
    table.widths_by_step = list(zip(*column_widths, strict=True))
    for row in all_cells:
        table.add_row(*map(styled_text, row))
    return Constrain(table, max_width)


def _join_interval(cell: str) -> str:
    """Replace the spaces within an interval, so that it is not broken."""
    return re.sub(r"\(.*?\)", lambda match: match[0].replace(" ", _INTERVAL_SPACE), cell)


def _min_width(cells: Sequence[str]) -> int:
    """Return the minimum width of a column, which is that of the widest part that cannot be broken."""
    return max(
        (cell_len(part) for cell in cells for line in cell.split("\n") for part in break_lines(line, 0)), default=0
    )

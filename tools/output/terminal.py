"""Text output of the commands, laid out by rich: as wide as the terminal, or plain if the stream is not a terminal."""

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

from ui.text.lines import unbroken

#: Width of text, and the maximum width of a table before its cells are broken into lines.
WIDTH = 100
TABLE_WIDTH = 120
#: Maximum line length without a terminal: practically none.
ENDLESS = 100_000
_GAP = 2
_RESET = "\x1b[0m"
#: rich breaks lines at non-breaking spaces too. In the meantime they are what is not a character, as no name holds it;
#: and so are the spaces within the interval of a number.
_SPACE, _HELD, _WITHIN = "\N{NO-BREAK SPACE}", "\ufdd0", "\ufdd1"
#: A rule under the header, and no other lines.
_RULE = Box("    \n    \n -- \n    \n    \n    \n    \n    ", ascii=True)


def console_of(stream: TextIO | None) -> Console:
    """Return a console for what the stream can show, or for plain text. Strings are never read as markup."""
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


def format_columns(parts: Sequence[RenderableType], stream: TextIO | None = None) -> str:
    """Return the parts one below the other, formatted for the stream or, without one, for a file."""
    console = console_of(stream)
    with console.capture() as captured:
        for part in parts:
            console.print(part, crop=False)
    return "\n".join(map(_without_end, captured.get().replace(_HELD, _SPACE).replace(_WITHIN, " ").split("\n")))


def _without_end(line: str) -> str:
    """Return the line without the spaces at its end, which may be styled."""
    end = _RESET if line.endswith(_RESET) else ""
    return line.removesuffix(end).rstrip(" ") + end


def spaced(parts: Sequence[RenderableType]) -> list[RenderableType]:
    """Return the parts with an empty line between them."""
    return [part for each in parts for part in ("", each)][1:]


def words(text: str, style: str = "") -> Text:
    """Return a text without markup."""
    return Text(text.replace(_SPACE, _HELD), style)


def paragraph(text: str) -> RenderableType:
    """Return a text wrapped into lines."""
    return Constrain(words(text), WIDTH)


def bulleted(texts: Iterable[str]) -> RenderableType:
    """Return a list of texts, a bullet each."""
    rows = Table.grid(padding=(0, 1, 0, 0))
    for text in texts:
        rows.add_row("-", words(text))
    return Constrain(rows, WIDTH)


def heading(text: str) -> Text:
    """Return a line in bold, if the terminal supports that."""
    return words(text, "bold")


class _Table(Table):
    """A table that becomes narrower in steps until it fits: see :func:`grid`."""

    #: Initial width of the columns, and minimum width after each step.
    steps: Sequence[Sequence[int]] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        widths, *floors = map(list, self.steps)
        gaps, most = len(widths) - 1, options.max_width
        gap = _GAP if sum(floors[0]) + _GAP * gaps <= most else 1
        for floor in floors:
            while sum(widths) + gap * gaps > most and widths != floor:
                wide = [index for index, width in enumerate(widths) if width > floor[index]]
                widths[max(wide, key=lambda index: (index > 0, widths[index]))] -= 1
        self.padding = (0, gap - self.show_header, 0, 0)  # next to the line between the columns, if there are lines
        for column, width in zip(self.columns, widths, strict=True):
            column.width = width
        return super().__rich_console__(console, options)


def grid(
    header: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[int] = (), most: int = TABLE_WIDTH
) -> RenderableType:
    """Return a table: text columns aligned left, number columns right, under a header with a rule, if any.

    If it would be too wide, cells are broken into lines between words, first column last; an interval is never broken.
    If that is not enough, words of texts and of headers are broken too.

    Args:
        header: the names of the columns; empty: none.
        rows: the cells.
        numbers: indices of the number columns.
        most: maximum width, even if the terminal is wider.
    """
    table = _Table(
        box=_RULE if header else None, show_header=bool(header), show_edge=False, pad_edge=False, header_style="bold"
    )
    kept = [[_whole_interval(cell) if index in numbers else cell for index, cell in enumerate(row)] for row in rows]
    steps = []
    for index, cells in enumerate(zip(*([header] if header else []), *kept, strict=True)):
        is_number, bare = index in numbers, cells[bool(header) :]
        table.add_column(words(cells[0]) if header else "", justify="right" if is_number else "left", overflow="fold")
        natural = max(cell_len(line) for cell in cells for line in cell.split("\n"))
        steps.append((natural, _longest_part(cells), _longest_part(bare) if is_number else min(natural, 2)))
    table.steps = list(zip(*steps, strict=True))
    for row in kept:
        table.add_row(*map(words, row))
    return Constrain(table, most)


def _whole_interval(cell: str) -> str:
    return re.sub(r"\(.*?\)", lambda match: match[0].replace(" ", _WITHIN), cell)


def _longest_part(cells: Sequence[str]) -> int:
    """Return the length of the longest part that is not broken."""
    return max((cell_len(part) for cell in cells for line in cell.split("\n") for part in unbroken(line)), default=0)

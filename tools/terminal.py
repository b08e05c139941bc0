"""Text as the commands print it, laid out by rich: as wide as the terminal, and plain where the stream is none."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from typing import TextIO

from rich.box import Box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from ui.text.lines import unbroken

#: Of text, and the most that a table takes, beyond which its cells are broken into lines.
WIDTH = 100
TABLE_WIDTH = 120
#: Where there is no terminal, lines may be as long as they like.
ENDLESS = 100_000
_GAP = 2
_RESET = "\x1b[0m"
#: rich breaks lines at non-breaking spaces, too. In the meantime they are what is no character, as no name holds it.
_SPACE, _HELD = "\N{NO-BREAK SPACE}", "\ufdd0"
#: Under the header a rule, and no other lines.
_RULE = Box("    \n    \n -- \n    \n    \n    \n    \n    ", ascii=True)


def console_of(stream: TextIO | None) -> Console:
    """A console that knows what the stream can show; None: nothing but text. It takes no part of a text for markup."""
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


def laid_out(parts: Sequence[RenderableType], stream: TextIO | None = None) -> str:
    """The parts below each other, as they should be printed to the stream; None: as to a file."""
    console = console_of(stream)
    with console.capture() as captured:
        for part in parts:
            console.print(part, crop=False)
    return "\n".join(map(_without_end, captured.get().replace(_HELD, _SPACE).split("\n")))


def _without_end(line: str) -> str:
    """The line without the spaces at its end, which may be styled."""
    end = _RESET if line.endswith(_RESET) else ""
    return line.removesuffix(end).rstrip(" ") + end


def spaced(parts: Sequence[RenderableType]) -> list[RenderableType]:
    """The parts with an empty line between them."""
    return [part for each in parts for part in ("", each)][1:]


def words(text: str, style: str = "") -> Text:
    """A text that is shown as it is: nothing in it is markup."""
    return Text(text.replace(_SPACE, _HELD), style)


def paragraph(text: str) -> RenderableType:
    """A text in lines."""
    return Constrain(words(text), WIDTH)


def heading(text: str) -> Text:
    """A line that stands out, where the terminal can show that."""
    return words(text, "bold")


class Grid:
    """A table: columns of text to the left, of numbers to the right, under a header with a rule, if there is one.

    Where it would be too wide, text is broken into lines, but neither numbers nor what stands in the first column. On
    a terminal that is too narrow even for that, the columns under a header stand closer, and all is broken between
    words, but not within parentheses. Where not even so the longest words fit, each row becomes a list.

    rich lays it out, but the widths are found by hand: it would make room by breaking words and numbers.

    Args:
        header: the names of the columns; empty: none.
        numbers: which columns, by their places, hold numbers.
        most: how wide it may be where the terminal has more room.
    """

    def __init__(
        self,
        header: Sequence[str],
        rows: Sequence[Sequence[str]],
        numbers: Collection[int] = (),
        most: int = TABLE_WIDTH,
    ) -> None:
        self._header = header
        self._rows = rows
        self._numbers = numbers
        self._most = most

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        held = [[re.sub(r"\(.*?\)| %", _hold, cell) for cell in row] for row in self._rows]
        ways = [(self._rows, _GAP, True), *([(held, 1, False)] if console.is_terminal and self._header else [])]
        for rows, gap, whole in ways:
            widths = self._widths(rows, min(self._most, options.max_width), gap, whole=whole)
            if _width(widths, gap) <= options.max_width or not console.is_terminal:
                table = self._table(rows, gap, widths)
                yield from console.render(table, options.update(width=_width(widths, gap)))
                return
        yield from self._lists()

    def _table(self, rows: Sequence[Sequence[str]], gap: int, widths: Sequence[int]) -> Table:
        table = Table(
            *(
                Column(words(name), width=width, justify="right" if place in self._numbers else "left", overflow="fold")
                for place, (name, width) in enumerate(zip(self._header or [""] * len(widths), widths, strict=True))
            ),
            box=_RULE if self._header else None,
            show_header=bool(self._header),
            show_edge=False,
            pad_edge=False,
            padding=(0, gap - bool(self._header), 0, 0),  # beside the line between the columns, if there are lines
            header_style="bold",
        )
        for row in rows:
            table.add_row(*map(words, row))
        return table

    def _lists(self) -> Iterator[RenderableType]:
        """A list for each row; the first cell is empty where it would repeat the one above."""
        for row in self._rows:
            named = [each for each in zip(self._header[1:], row[1:], strict=False) if each[1]]
            cells = Grid((), named) if named else words(row[1])
            yield Group(*[heading(row[0])] * bool(row[0]), Padding(cells, (0, 0, 0, 2 * _GAP)))

    def _widths(self, rows: Sequence[Sequence[str]], most: int, gap: int, *, whole: bool) -> list[int]:
        """Widths of the columns, none narrower than its longest word."""
        widths, least = [], []
        for place, cells in enumerate(zip(*([self._header] if self._header else []), *rows, strict=True)):
            held = cells[bool(self._header) :] if whole and (place == 0 or place in self._numbers) else ()
            widths.append(max(cell_len(line) for cell in cells for line in cell.split("\n")))
            parts = (part for cell in cells for line in cell.split("\n") for part in unbroken(line))
            least.append(max(map(cell_len, [*held, *parts])))
        while _width(widths, gap) > most and widths != least:
            places = [place for place in range(len(widths)) if widths[place] > least[place]]
            widths[max(places, key=widths.__getitem__)] -= 1
        return widths


def _hold(found: re.Match[str]) -> str:
    return found[0].replace(" ", _SPACE)


def _width(widths: Sequence[int], gap: int) -> int:
    return sum(widths) + gap * (len(widths) - 1)

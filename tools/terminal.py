"""Text as the commands print it, laid out by rich: as wide as the terminal, and plain where the stream is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Sequence
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
    if os.environ.get("COLUMNS", "").strip("0") == "":  # 0 is said where the width is not known
        os.environ.pop("COLUMNS", None)
    console = Console(
        file=stream,
        force_terminal=on_terminal,
        color_system="auto" if on_terminal and not os.environ.get("NO_COLOR") else None,
        width=None if on_terminal else ENDLESS,
        markup=False,
        emoji=False,
        highlight=False,
    )
    if console.is_dumb_terminal:  # which rich takes to be 80 columns wide
        console.size = shutil.get_terminal_size()
    return console


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

    Where it would be too wide, text is broken into lines, but neither numbers nor what stands in the first column;
    on a terminal that is too narrow even for that, each row becomes a list.

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
        most = min(self._most, options.max_width)
        widths = self._widths(most)
        if _whole(widths) > options.max_width and console.is_terminal:
            for row in self._rows:
                named = (
                    [each for each in zip(self._header[1:], row[1:], strict=True) if each[1]] if self._header else []
                )
                cells = Grid((), named) if named else words(row[1])
                # A cell is empty where it would repeat the one above.
                yield Group(*[heading(row[0])] * bool(row[0]), Padding(cells, (0, 0, 0, 2 * _GAP)))
            return
        table = Table(
            *(
                Column(words(head), width=width, justify="right" if place in self._numbers else "left", overflow="fold")
                for place, (head, width) in enumerate(zip(self._header or [""] * len(widths), widths, strict=True))
            ),
            box=_RULE if self._header else None,
            show_header=bool(self._header),
            show_edge=False,
            pad_edge=False,
            padding=(0, _GAP - bool(self._header), 0, 0),  # beside the line between the columns, if there are lines
            header_style="bold",
        )
        for row in self._rows:
            table.add_row(*map(words, row))
        yield from console.render(table, options.update(width=_whole(widths)))

    def _widths(self, most: int) -> list[int]:
        """Widths of the columns; rich itself would also narrow those whose words it must then break."""
        widths, least = [], []
        for place, cells in enumerate(zip(*([self._header] if self._header else []), *self._rows, strict=True)):
            whole = cells[bool(self._header) :] if place == 0 or place in self._numbers else ()
            widths.append(max(cell_len(line) for cell in cells for line in cell.split("\n")))
            parts = (part for cell in cells for line in cell.split("\n") for part in unbroken(line))
            least.append(max(map(cell_len, [*whole, *parts])))
        while _whole(widths) > most and widths != least:
            places = [place for place in range(len(widths)) if widths[place] > least[place]]
            widths[max(places, key=widths.__getitem__)] -= 1
        return widths


def _whole(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)

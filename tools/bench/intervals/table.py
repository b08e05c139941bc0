"""What one table of ``python3 tools bench intervals`` is made from, and what it holds."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from rich.console import RenderableType
from rich.padding import Padding

from tools.terminal import Grid, paragraph

Row = TypeVar("Row")

#: What stands in a row; None: there is nothing to say.
Value = str | int | float | None

#: How a column is written: shares of people, ratios and standard deviations, and what is written as it is.
SHARE, RATIO, PLAIN = ".1%", ".2f", ""


@dataclass(frozen=True)
class Column:
    """A column: its name in the JSON, its header, and the format of its numbers."""

    key: str
    label: str
    form: str = PLAIN

    def cell(self, value: Value) -> str:
        """Format a value."""
        return "-" if value is None else format(value, self.form)


@dataclass(frozen=True)
class Table:
    """A caption, which says what is counted, and rows with a value for each column."""

    caption: str
    columns: tuple[Column, ...]
    rows: Sequence[tuple[Value, ...]]

    @property
    def parts(self) -> tuple[RenderableType, RenderableType]:
        """The caption, and the table to print."""
        cells = [[c.cell(value) for c, value in zip(self.columns, row, strict=True)] for row in self.rows]
        numbers = [
            place
            for place, values in enumerate(zip(*self.rows, strict=True))
            if not any(isinstance(value, str) for value in values)
        ]
        grid = Grid([column.label for column in self.columns], cells, numbers)
        return paragraph(self.caption), Padding(grid, (0, 0, 0, 2))

    @property
    def json(self) -> list[dict[str, Any]]:
        """The rows as dicts, by the columns' names."""
        return [{c.key: value for c, value in zip(self.columns, row, strict=True)} for row in self.rows]


@dataclass(frozen=True)
class Run:
    """The options of the command, the same for all tables."""

    people: int  #: in each row
    seed: int
    tell: Callable[[float], object] = lambda _: None  #: is told which share of the table is done

    def each(self, rows: Sequence[Row]) -> Iterator[tuple[Row, np.random.Generator]]:
        """Each row with its own random numbers, which depend on the seed and the row, not on its place in the table."""
        for place, row in enumerate(rows):
            self.tell(place / len(rows))
            yield row, np.random.default_rng([self.seed, zlib.crc32(repr(row).encode())])

"""A printed table: a caption that says what is counted, and rows of values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import RenderableType
from rich.padding import Padding

from tools.output.terminal import grid, paragraph

#: Values of a row; None: no value.
Value = str | int | float | None

#: Formats of a column: shares of people, ratios and standard deviations, and plain text.
SHARE, RATIO, PLAIN = ".1%", ".2f", ""


@dataclass(frozen=True)
class BenchTable:
    """A caption, columns (header: format of its numbers), and rows with a value for each column."""

    caption: str
    columns: Mapping[str, str]
    rows: Sequence[Sequence[Value]]

    @property
    def parts(self) -> tuple[RenderableType, RenderableType]:
        """The caption, and the table to print."""
        forms = self.columns.values()
        cells = [
            ["-" if value is None else format(value, form) for value, form in zip(row, forms, strict=True)]
            for row in self.rows
        ]
        columns = enumerate(zip(*self.rows, strict=True))
        numbers = [index for index, values in columns if not any(isinstance(value, str) for value in values)]
        return paragraph(self.caption), Padding(grid(list(self.columns), cells, numbers), (0, 0, 0, 2))

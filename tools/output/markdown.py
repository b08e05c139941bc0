"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ui.text.sanitize import escape_for_markdown


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]], text_columns: Collection[int] = (0,)) -> str:
    """Return a Markdown table, padded so that it can be read as plain text."""
    cells = [list(header), *([*map(escape_for_markdown, row)] for row in rows)]
    # Markdown needs at least "-:" in a column.
    widths = [max(2, *map(len, column)) for column in zip(*cells, strict=True)]
    rule = ["-" * width if n in text_columns else "-" * (width - 1) + ":" for n, width in enumerate(widths)]
    lines = [
        [cell.ljust(widths[n]) if n in text_columns else cell.rjust(widths[n]) for n, cell in enumerate(row)]
        for row in cells
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in (lines[0], rule, *lines[1:]))

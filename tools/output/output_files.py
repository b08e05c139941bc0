"""Names of the output files of the two tables, the list of the written files, and a function that writes a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from evaluator.scope import WHOLE_DAY_TABLE
from ui.drafts import Drafts
from ui.text.sanitize import sanitize_text

#: Endings of graphs.
GRAPH_ENDINGS = (".png", ".svg")


def table_path(path: Path, table: str) -> Path:
    """Return the path of a table's output. For the same-day table, its name is inserted before the extension."""
    return path if table == WHOLE_DAY_TABLE else path.with_name(f"{path.stem}.{table}{path.suffix}")


def listing(files: Sequence[Path]) -> str:
    """Return a list of written files, one per line. A folder of graphs has one line."""
    graphs = Counter(path.parent for path in files if path.suffix in GRAPH_ENDINGS)
    lines = ["Written:", *(str(path) for path in files if path.suffix not in GRAPH_ENDINGS)]
    for folder, count in graphs.items():
        graph_word = "graph" if count == 1 else "graphs"
        lines.append(f"{folder}: {count} {graph_word}")
    return "\n  ".join(map(sanitize_text, lines))


def write_text_file(file: Path, text: str) -> None:
    """Write a text file completely, or not at all if it fails."""
    with Drafts() as drafts:
        drafts.write(file, [text])
        drafts.put_in_place()

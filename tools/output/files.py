"""Name the files of the two tables, and list what was written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from evaluator.report.sanitize import sanitize_text
from evaluator.scope import WHOLE_DAY_TABLE

#: Extensions of graphs.
DRAWN = (".png", ".svg")


def of_table(path: Path, table: str) -> Path:
    """Return the path for a table's output: for the same-day table with its name before the extension."""
    return path if table == WHOLE_DAY_TABLE else path.with_name(f"{path.stem}.{table}{path.suffix}")


def listing(written: Sequence[Path]) -> str:
    """List the written files, one per line. A folder of graphs is one line, which mentions older graphs in it."""
    graphs = Counter(path.parent for path in written if path.suffix in DRAWN)
    lines = ["Written:", *(str(path) for path in written if path.suffix not in DRAWN)]
    for folder, count in graphs.items():
        older = sum(path.suffix in DRAWN for path in folder.glob("*")) - count
        graph, item = "graph" if count == 1 else "graphs", "one" if older == 1 else "ones"
        lines.append(f"{folder}: {count} {graph}" + (f", next to {older} older {item}" if older > 0 else ""))
    return "\n  ".join(map(sanitize_text, lines))

"""Writer of a simulated log as the two CSV files that `evaluate` and `benchmark` read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from evaluator.data.revlog import REVLOG_COLUMNS, Ints
from tools.simulate.trace import Simulation


def write_csv(simulation: Simulation, folder: Path, name: str) -> Path:
    """Write ``NAME.revlog.csv`` and ``NAME.cards.csv``, and return the path of the first.

    These files do not say when a day begins.
    """
    revlog = folder / f"{name}.revlog.csv"
    _write(revlog, REVLOG_COLUMNS, vars(simulation.revlog).values())
    cards = simulation.cards
    _write(folder / f"{name}.cards.csv", ("id", "did"), (cards.card_id, cards.deck_id))
    return revlog


def _write(path: Path, header: Sequence[str], columns: Iterable[Ints]) -> None:
    rows = zip(*(column.tolist() for column in columns), strict=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(",".join(header) + "\n")
        file.writelines(",".join(map(str, row)) + "\n" for row in rows)

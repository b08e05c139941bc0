"""Writer of a simulated log as the two CSV files that `evaluate` and `benchmark` read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evaluator.data.revlog import REVLOG_COLUMNS, Ints
from tools.simulate.trace import Simulation


def write_csv(simulation: Simulation, folder: Path, name: str | int) -> None:
    """Write ``NAME.revlog.csv`` and ``NAME.cards.csv``, which do not say when a day begins."""
    _write(folder / f"{name}.revlog.csv", REVLOG_COLUMNS, list(vars(simulation.revlog).values()))
    cards = simulation.cards
    _write(folder / f"{name}.cards.csv", ("id", "did"), [cards.card_id, cards.deck_id])


def _write(path: Path, names: Sequence[str], columns: Sequence[Ints]) -> None:
    np.savetxt(path, np.stack(columns, axis=1), fmt="%d", delimiter=",", header=",".join(names), comments="")

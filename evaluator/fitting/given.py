"""Parameters that are not ours: those in the person's presets, and those of Anki's own optimiser."""

from __future__ import annotations

from typing import Dict, Generator, List, Tuple

import numpy as np

from ..algorithms.your_parameters import as_fsrs6
from ..derivatives import Floats
from ..errors import NoParameters, OptimiserMissing
from .data import NONE, Data, Items


def optimised_elsewhere(data: Data) -> Generator[int, None, Tuple[Floats, int]]:
    """The parameters (F, 21) that Anki's optimiser finds on each fold's training reviews, and how many it gave.

    An older Anki gives 17 (FSRS-4.5) or 19 (FSRS-5) instead of 21. Yields after each fold.

    Raises:
        OptimiserMissing: there is none.
        OptimiserFailed: it gave an error.
        OddParameters: it gave something else.
    """
    if data.optimiser is None:
        raise OptimiserMissing
    rows = data.rows
    found: List[Tuple[float, ...]] = []
    counts = set()
    for fold in data.folds:
        yield len(found)
        row = data.reviews.row[: fold.test_start]
        given = data.optimiser(Items(row - rows.position[row], row + 1, rows.rating, rows.elapsed_days))
        found.append(as_fsrs6(given))
        counts.add(len(given) or len(found[-1]))
    return np.array(found), min(counts)


def parameters_by_preset(data: Data) -> Dict[int, Floats]:
    """The 21 parameters of each preset in use; of the most used one for cards that no longer exist.

    Raises:
        NoParameters: no preset has any.
        DecksUnknown: the source does not say which preset a card belongs to.
    """
    label = data.label("preset")
    stored = {preset.preset_id: preset.parameters for preset in data.presets}
    if not any(stored.values()):
        raise NoParameters(presets=len(stored))
    values, counts = np.unique(label, return_counts=True)
    used = values[values != NONE]
    most_used = int(used[np.argmax(counts[values != NONE])]) if len(used) else next(iter(stored))
    return {int(value): np.array(as_fsrs6(stored.get(int(value), stored.get(most_used, ())))) for value in values}

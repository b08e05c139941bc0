"""Parameters that are not ours: those in the person's presets, and those of Anki's own optimiser."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Dict, Iterator, Sequence, Tuple

import numpy as np

from ..algorithms.your_parameters import as_fsrs6
from ..derivatives import Floats
from ..errors import NoParameters, OptimiserMissing
from ..progress import Progress
from .data import NONE, Data, Items
from .elsewhere import Calls


def optimised_elsewhere(data: Data, progress: Progress) -> Tuple[Floats, int]:
    """The parameters (F, 21) that Anki's optimiser finds on each fold's training reviews, and how many it gave.

    An older Anki gives 17 (FSRS-4.5) or 19 (FSRS-5) instead of 21. Tells often how many folds are done.

    Raises:
        OptimiserMissing: there is none.
        OptimiserFailed: it gave an error.
        OddParameters: it gave something else.
    """
    given = (data.elsewhere or _calls(data)).answers(progress)
    found = [as_fsrs6(parameters) for parameters in given]
    return np.array(found), min(len(parameters) or len(w) for parameters, w in zip(given, found))


@contextmanager
def optimising_ahead(data: Data) -> Iterator[None]:
    """Let Anki's optimiser, where there is one, begin while other algorithms are fitted here. At the end it stops."""
    if data.optimiser is None:
        yield
        return
    data.elsewhere = _calls(data)
    data.elsewhere.begin_ahead()
    try:
        yield
    finally:
        data.elsewhere.stop()


def _calls(data: Data) -> Calls:
    optimiser, rows, row = data.optimiser, data.rows, data.reviews.row
    if optimiser is None:
        raise OptimiserMissing

    def optimise(fold: int) -> Sequence[float]:
        last = row[: data.folds[fold].test_start]
        return optimiser(Items(last - rows.position[last], last + 1, rows.rating, rows.elapsed_days))

    length = rows.position[row] + 1
    return Calls(optimise, [int(length[: fold.test_start].sum()) for fold in data.folds])


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

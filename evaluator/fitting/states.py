"""The state of each card's memory before its tested reviews, as a recurrent algorithm has it."""

from __future__ import annotations

from typing import Tuple

import numpy as np

from ..algorithms.algorithm import Recurrent
from ..derivatives import Floats
from ..progress import Progress
from .data import Data
from .recurrence import Recurrence


def states_before(algorithm: Recurrent, data: Data, w: Floats, progress: Progress) -> Tuple[Floats, ...]:
    """For each number of the state its value before each tested review (tested reviews,), fold after fold.

    Args:
        algorithm: one with a state.
        data: the reviews and folds.
        w: parameters of each fold (folds, P), or of all (1, P).
        progress: is told after each fold.
    """
    histories = data.histories(algorithm.inputs)
    tested = [(fold.test_start, fold.test_stop) for fold in data.folds]
    if len(w) == 1:
        tested = [(tested[0][0], tested[-1][1])]
    found = []
    for done, (own, (start, stop)) in enumerate(zip(w, tested), start=1):
        place = histories.place_of_review[start:stop]
        asked = np.zeros(histories.places, dtype=bool)
        asked[place] = True
        part = histories.part(asked)
        node = part.place_node[(np.cumsum(asked) - 1)[place]]
        found.append([numbers[node] for numbers in Recurrence(algorithm, part).states(own)])
        progress(done / len(tested))
    return tuple(np.concatenate(columns) for columns in zip(*found))

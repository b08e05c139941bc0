"""Training by Anki's own optimizer, which is called once for each fold. A call cannot be cancelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms.your_parameters import as_run
from ..data.dataset import Dataset
from ..data.reviews import CardRows
from ..data.revlog import Ints
from ..derivatives import Floats
from ..errors import OddParameters, OptimizerMissing, OptimizerResultUnusable
from ..progress import Progress

Parameters = Sequence[float]


@dataclass(frozen=True)
class Items:
    """Training items of an optimizer, one for each training review.

    Item i is the history of a card up to the training review. It is the entries ``start[i]`` to ``stop[i]`` (exclusive)
    of the columns ``rating`` and ``elapsed_days``.
    """

    start: Ints
    stop: Ints
    rating: Ints
    elapsed_days: Ints


#: Function that fits parameters to items. It returns an empty sequence if there are too few reviews. It may raise
#: OptimizerFailed.
Optimizer = Callable[[Items], Parameters]
#: Function that does what Anki's button Optimize does. Its arguments are all answers of a preset's cards and the
#: present parameters, empty for the defaults. It returns these if it finds no better ones. It may raise
#: OptimizerFailed.
PresetOptimizer = Callable[[CardRows, Parameters], Parameters]


def optimize(data: Dataset, optimizer: Optional[Optimizer], progress: Progress) -> Tuple[Floats, int]:
    """Return FSRS-6 parameters for each fold (F, 21), and the smallest number of parameters from the optimizer.

    An older Anki returns the 17 parameters of FSRS-4.5 or the 19 of FSRS-5. An empty result means the defaults.

    Raises:
        OptimizerMissing: if there is no optimizer.
        OptimizerFailed: if the optimizer reported an error.
        OptimizerResultUnusable: if the number of parameters is not 0, 17, 19 or 21, or one is not finite.
    """
    if optimizer is None:
        raise OptimizerMissing
    rows = data.rows
    row = data.reviews.row
    n_folds = len(data.folds)
    results: List[Parameters] = []
    for done, fold in enumerate(data.folds):
        progress(done / n_folds, done=done, total=n_folds)
        training_row = row[: fold.test_start]
        items = Items(training_row - rows.position[training_row], training_row + 1, rows.rating, rows.elapsed_days)
        results.append(optimizer(items))
    try:
        return np.array([as_run(parameters) for parameters in results]), min(map(len, results))
    except OddParameters as error:
        raise OptimizerResultUnusable(count=error.facts["count"]) from None

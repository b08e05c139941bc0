"""Anki's own optimizer, called once for each fold. A call cannot be cancelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms.your_parameters import as_fsrs6
from ..data.dataset import Dataset
from ..data.reviews import CardRows
from ..data.revlog import Ints
from ..derivatives import Floats
from ..errors import OddParameters, OptimizerMissing, OptimizerResultUnusable
from ..progress import Progress

Parameters = Sequence[float]


@dataclass(frozen=True)
class Items:
    """Training items of an optimizer: for each training review, its card's reviews up to it.

    Item i has the entries ``start[i]`` to ``stop[i]`` (exclusive) of the columns.
    """

    start: Ints
    stop: Ints
    rating: Ints
    elapsed_days: Ints


#: Function that fits parameters to items. It returns no parameters if there is too little to learn from, and may raise
#: OptimizerFailed.
Optimizer = Callable[[Items], Parameters]
#: Function that does what Anki's Optimize does. It gets all answers of a preset's cards and its parameters (empty
#: for the defaults), which it returns if it finds no better ones. It may raise OptimizerFailed.
Optimize = Callable[[CardRows, Parameters], Parameters]


def optimize(data: Dataset, optimizer: Optional[Optimizer], progress: Progress) -> Tuple[Floats, int]:
    """Return FSRS-6 parameters for each fold (F, 21), and the length of the optimizer's shortest answer.

    An older Anki answers with the 17 parameters of FSRS-4.5 or the 19 of FSRS-5. No parameters mean the defaults.

    Raises:
        OptimizerMissing: there is no optimizer.
        OptimizerFailed: the optimizer gave an error.
        OptimizerResultUnusable: it answered with another number of parameters, or some are not finite.
    """
    if optimizer is None:
        raise OptimizerMissing
    rows, row, folds = data.rows, data.reviews.row, len(data.folds)
    answers: List[Parameters] = []
    for done, fold in enumerate(data.folds):
        progress(done / folds, done=done, total=folds)
        last = row[: fold.test_start]
        answers.append(optimizer(Items(last - rows.position[last], last + 1, rows.rating, rows.elapsed_days)))
    try:
        return np.array([as_fsrs6(parameters) for parameters in answers]), min(map(len, answers))
    except OddParameters as error:
        raise OptimizerResultUnusable(count=error.facts["count"]) from None

"""Whether the log has reviews like those that a simulation asks for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..derivatives import Floats
from ..fitting.dataset import Dataset
from ..fitting.predictor import Predictor
from ..revlog import Ints
from .estimate import DRAWS
from .fitted import Fit

#: So many reviews of the log make a cell one that was tried.
ENOUGH = 20
#: Bounds of the days since the last review, and of the probability of recall, which together say how stable it was.
DAYS = 2.0 ** np.arange(0, 12)
RECALL = np.array([0.3, 0.5, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.985])


def _cell(days: npt.NDArray[np.generic], recall: Floats) -> Ints:
    return np.searchsorted(DAYS, days, "right") * (len(RECALL) + 1) + np.searchsorted(RECALL, recall)


@dataclass(frozen=True)
class Cells:
    """Reviews by the days since the last one and the probability of recall, as one memory sees them."""

    tried: npt.NDArray[np.bool_]  #: of each cell, whether the log has enough of them

    @classmethod
    def of(cls, fitted: Fit, data: Dataset) -> Cells:
        """Of all reviews of the table."""
        predictor = Predictor(fitted.algorithm, data.histories(fitted.algorithm.inputs))
        recall = predictor.predict(fitted.w, slice(None))
        count = np.bincount(_cell(data.reviews.elapsed_days, recall), minlength=(len(DAYS) + 1) * (len(RECALL) + 1))
        return cls(count >= ENOUGH)

    def counter(self, variants: int, draws: int, cards: int) -> Counter:
        """Counts reviews of a simulation, at the fitted parameters."""
        return Counter(self, np.zeros((variants, 2)), draws, cards)


@dataclass(frozen=True)
class Counter:
    """How many reviews were counted, and how many of them lie in cells that were tried: (variants, 2)."""

    cells: Cells
    counts: Floats
    draws: int
    cards: int

    def __call__(self, units: Ints, elapsed: Ints, recall: Floats) -> None:
        """Count the reviews of the first draw that has the fitted parameters."""
        group = units // self.cards
        here = group % self.draws == DRAWS
        variant, tried = group[here] // self.draws, self.cells.tried[_cell(elapsed[here], recall[here])]
        self.counts[:, 0] += np.bincount(variant, minlength=len(self.counts))
        self.counts[:, 1] += np.bincount(variant, tried, len(self.counts))

    @property
    def tried(self) -> Floats:
        """The share, (variants,)."""
        share: Floats = self.counts[:, 1] / np.maximum(self.counts[:, 0], 1)
        return share

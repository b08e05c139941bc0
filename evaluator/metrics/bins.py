"""RMSE (bins): predicted against observed recall in groups of reviews with a similar past.

A review's cell is given by its interval, its number and the card's lapses so far, each on a logarithmic scale. The
value is sqrt(sum over cells of n (mean recalled - mean predicted)^2 / N).

There are two published sets of constants. :data:`PAGE` is what the metric's own page gives (wiki of
open-spaced-repetition/fsrs4anki, "The Metric"); :data:`BENCHMARK` is what the benchmark's, the optimizers' and Anki's
code runs. A perfect model does not score 0 on either: chance alone leaves about sqrt(sum of variances / n) per cell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..revlog import Ints
from .scores import Floats, Outcomes


@dataclass(frozen=True)
class Scale:
    """A value x >= 1 falls into the group round(first * ratio^floor(log_ratio x), digits)."""

    first: float
    ratio: float
    digits: int

    def group(self, x: Ints) -> Floats:
        """The label of each value's group. Values below 1 must not be given."""
        return self._labels(self._step(x))

    def number(self, x: Ints) -> Ints:
        """The groups numbered from 0 in the order of their labels; a few numbers may stand for no value."""
        step = self._step(x)
        _, number = np.unique(self._labels(np.arange(step.max(initial=0) + 1)), return_inverse=True)
        numbers: Ints = number[step]
        return numbers

    def _step(self, x: Ints) -> Ints:
        step: Ints = np.floor(np.log(x) / np.log(self.ratio)).astype(np.int64)
        return step

    def _labels(self, step: Ints) -> Floats:
        label: Floats = np.round(self.first * self.ratio ** step.astype(np.float64), self.digits)
        return label


@dataclass(frozen=True)
class BinConstants:
    """The scales of one definition of RMSE (bins)."""

    interval: Scale
    review_number: Scale
    lapses: Scale


PAGE = BinConstants(Scale(2.48, 2.57, 2), Scale(1.52, 1.58, 0), Scale(1.4, 1.48, 0))
BENCHMARK = BinConstants(Scale(2.48, 3.62, 2), Scale(1.99, 1.89, 0), Scale(1.65, 1.73, 0))


def cells(constants: BinConstants, elapsed_days: Ints, review_number: Ints, lapses: Ints) -> Ints:
    """The cell of each review, numbered from 0. No lapses is a group of its own."""
    key = constants.interval.number(elapsed_days)
    number = constants.review_number.number(review_number)
    lapse = np.where(lapses == 0, 0, 1 + constants.lapses.number(np.maximum(lapses, 1)))
    for part in (number, lapse):
        key = key * (part.max(initial=0) + 1) + part
    cell: Ints = np.cumsum(np.bincount(key) > 0, dtype=np.int32)[key] - 1
    return cell


def rmse_bins(predicted: Floats, recalled: Outcomes, cell: Ints) -> float:
    """The root of the mean squared difference between mean prediction and recall per cell, weighted by count."""
    count = np.bincount(cell)
    difference = np.bincount(cell, recalled - predicted) / np.maximum(count, 1)
    return float(np.sqrt((count * difference**2).sum() / count.sum()))

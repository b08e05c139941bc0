"""Isotonic regression of outcomes on predictions by pooling adjacent violators (PAV).

Of all non-decreasing functions of the prediction the one that is closest to the outcomes, by squared error and by log
loss (and by every other proper score) alike. It needs no choice of bins.

References: Ayer, Brunk, Ewing, Reid & Silverman (1955), An empirical distribution function for sampling with
incomplete information, Ann. Math. Stat. 26:641, doi 10.1214/aoms/1177728423; Dimitriadis, Gneiting & Jordan (2021),
Stable reliability diagrams for probabilistic classifiers, PNAS 118:e2016191118, doi 10.1073/pnas.2016191118.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Tuple

import numpy as np
import numpy.typing as npt

from ..revlog import Ints
from .scores import AUC_DIGITS, Floats, Outcomes, Ties

#: Counts or sums, per block: whole numbers (then the arithmetic is exact) or not.
Numbers = npt.NDArray[Any]

#: The passes over whole arrays end where one removes less than this part of the blocks: what is left is pooled one by
#: one, so that a log in the worst order takes no longer than O(n).
WORTH_A_PASS = 0.05


@dataclass(frozen=True)
class IsotonicFit:
    """The fitted steps, from low to high predictions, each with the reviews whose predictions it covers.

    Predictions between two steps belong to neither; :meth:`at` joins the steps by straight lines there.
    """

    left: Floats  #: (k,), the lowest prediction of each step
    right: Floats  #: (k,), its highest; that of the next step's left is higher
    reviews: Ints  #: (k,), how many reviews it holds, at least 1
    recalled: Ints  #: (k,), how many of them were recalled

    @property
    def observed(self) -> Floats:
        """(k,), the fitted probability of recall of each step, strictly increasing."""
        observed: Floats = self.recalled / self.reviews
        return observed

    def fitted(self, predicted: Floats) -> Floats:
        """The fitted probability of recall of reviews that the fit is made of, from their predictions."""
        fitted: Floats = self.observed[np.searchsorted(self.left, np.round(predicted, AUC_DIGITS), "right") - 1]
        return fitted

    def at(self, predicted: Floats) -> Floats:
        """The fit at any predictions: constant on steps and beyond both ends, linear between steps."""
        edges = np.column_stack((self.left, self.right)).ravel()
        between: Floats = np.interp(np.round(predicted, AUC_DIGITS), edges, np.repeat(self.observed, 2))
        return between


def isotonic_fit(predicted: Floats, recalled: Outcomes) -> IsotonicFit:
    """The non-decreasing fit of ``recalled`` (n,), 0 or 1, on ``predicted`` (n,), probabilities, in any order.

    Minimises sum (recalled_i - f(predicted_i))^2 over non-decreasing f. Equal predictions are pooled first, so the
    order of the reviews does not matter; what counts as equal is said by :class:`evaluator.metrics.scores.Ties`. The
    mean of the fit is the mean of the outcomes. A perfect model's fit is the diagonal plus noise that falls with
    n^(-1/3). Predictions of 0 and 1 are like any others. With one class there is one step. Raises ValueError where
    there are no reviews.
    """
    return fit_of(Ties.of(predicted, recalled))


def fit_of(ties: Ties) -> IsotonicFit:
    """:func:`isotonic_fit` of what has been put in order already."""
    if not len(ties.value):
        raise ValueError("no reviews")
    start = pooled_starts(ties.reviews, ties.recalled, np.zeros(len(ties.value), dtype=np.int64))
    return IsotonicFit(
        left=ties.value[start],
        right=ties.value[np.append(start[1:], len(ties.value)) - 1],
        reviews=np.add.reduceat(ties.reviews, start),
        recalled=np.add.reduceat(ties.recalled, start),
    )


def pooled_starts(weight: Numbers, total: Numbers, problem: Ints) -> Ints:
    """Where the steps of the isotonic fit of ``total / weight`` begin, for many separate fits at once.

    ``weight`` (m,), positive, ``total`` (m,) and ``problem`` (m,) are ordered by problem, and within a problem by what
    is regressed on; the steps of different problems are never pooled. Neighbours with equal means are pooled too, so
    the means of a problem's steps strictly increase. Exact where the numbers are whole and their products stay below
    2^63. In any order of pooling the result is the same, so whole runs of violators are pooled at once.
    """
    start: Ints = np.arange(len(weight), dtype=np.int64)
    while len(start) > 1:
        begins = np.ones(len(start), dtype=bool)
        begins[1:] = (total[:-1] * weight[1:] < total[1:] * weight[:-1]) | (problem[1:] != problem[:-1])
        first = np.flatnonzero(begins)
        pooled = len(start) - len(first)
        if not pooled:
            break
        weight, total = np.add.reduceat(weight, first), np.add.reduceat(total, first)
        start, problem = start[first], problem[first]
        if pooled < WORTH_A_PASS * len(start):
            return start[_pooled_one_by_one(weight, total, problem)]
    return start


def _pooled_one_by_one(weight: Numbers, total: Numbers, problem: Ints) -> Ints:
    """The same, with a stack of steps: each violator is pooled with those before it at once. O(m)."""
    stack: List[Tuple[float, float, int, int]] = []  # weight, total, problem, first member
    for i, (w, s, p) in enumerate(zip(weight.tolist(), total.tolist(), problem.tolist())):
        first = i
        while stack and stack[-1][2] == p and stack[-1][1] * w >= s * stack[-1][0]:
            before_w, before_s, _, first = stack.pop()
            w, s = w + before_w, s + before_s
        stack.append((w, s, p, first))
    return np.array([first for _, _, _, first in stack], dtype=np.int64)

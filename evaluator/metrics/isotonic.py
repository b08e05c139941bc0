"""Isotonic regression of outcomes on predictions by pooling adjacent violators (PAV).

Of all non-decreasing functions of the prediction the one that is closest to the outcomes, by squared error and by log
loss (and by every other proper score) alike. It needs no choice of bins.

References: Ayer, Brunk, Ewing, Reid & Silverman (1955), An empirical distribution function for sampling with
incomplete information, Ann. Math. Stat. 26:641, doi 10.1214/aoms/1177728423; Dimitriadis, Gneiting & Jordan (2021),
Stable reliability diagrams for probabilistic classifiers, PNAS 118:e2016191118, doi 10.1073/pnas.2016191118.
"""

from __future__ import annotations

from typing import List, Tuple

import numpy as np

from ..revlog import Ints
from .scores import Ties

#: The passes over whole arrays end where one removes less than this part of the blocks: what is left is pooled one by
#: one, so that a log in the worst order takes no longer than O(n).
WORTH_A_PASS = 0.05


def isotonic_fit(ties: Ties) -> Ties:
    """The steps of the non-decreasing fit of outcomes on predictions: neighbouring groups of ``ties`` put together.

    Minimises sum (recalled_i - f(predicted_i))^2 over non-decreasing f, which on a step is its share of recalled
    reviews. Equal predictions are pooled first, so the order of the reviews does not matter. The mean of the fit is the
    mean of the outcomes. A perfect model's fit is the diagonal plus noise that falls with n^(-1/3). Predictions of 0
    and 1 are like any others. With one class there is one step. Raises ValueError where there are no reviews.
    """
    if not len(ties.value):
        raise ValueError("no reviews")
    reviews, recalled = (np.append(0, np.cumsum(of)) for of in (ties.reviews, ties.recalled))
    corner = corners(reviews, recalled)
    return Ties(ties.value[corner[:-1]], np.diff(reviews[corner]), np.diff(recalled[corner]))


def corners(weight: Ints, total: Ints) -> Ints:
    """Where the steps of the isotonic fit of totals by weights begin, and the last one ends.

    ``weight`` and ``total`` (m + 1,) are the sums of the first 0, 1, ... m weights, which are positive, and of what is
    regressed. Between the corners, in straight lines, is the largest convex function that is nowhere above the totals;
    its slopes are the fit. Neighbours with equal means are pooled, so the means of the steps strictly increase. In any
    order of pooling the result is the same, so whole runs of violators are pooled at once.
    """
    corner = np.arange(len(weight))
    while True:
        w, s = np.diff(weight), np.diff(total)
        left = np.ones(len(corner), dtype=bool)
        left[1:-1] = s[:-1] * w[1:] < s[1:] * w[:-1]
        kept = np.flatnonzero(left)
        pooled = len(corner) - len(kept)
        weight, total, corner = weight[kept], total[kept], corner[kept]
        if pooled <= WORTH_A_PASS * len(left):
            return corner[_one_by_one(weight, total)] if pooled else corner


def _one_by_one(weight: Ints, total: Ints) -> Ints:
    """:func:`corners` with a stack of them: one that is none is removed as soon as the next is known. O(m)."""
    stack: List[Tuple[float, float, int]] = []  # weight, total, number
    for i, (w, s) in enumerate(zip(weight.tolist(), total.tolist())):
        while w and stack[-1][0]:
            (w0, s0, _), (w1, s1, _) = stack[-2:]
            if (s1 - s0) * (w - w1) < (s - s1) * (w1 - w0):
                break
            stack.pop()
        stack.append((w, s, i))
    return np.array([i for _, _, i in stack], dtype=np.int64)

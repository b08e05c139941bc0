"""Isotonic regression of outcomes on predictions by pooling adjacent violators (PAV).

Of all non-decreasing functions of the prediction the one that is closest to the outcomes, by squared error and by log
loss (and by every other proper score) alike. It needs no choice of bins.

References: Ayer, Brunk, Ewing, Reid & Silverman (1955), An empirical distribution function for sampling with
incomplete information, Ann. Math. Stat. 26:641, doi 10.1214/aoms/1177728423; Dimitriadis, Gneiting & Jordan (2021),
Stable reliability diagrams for probabilistic classifiers, PNAS 118:e2016191118, doi 10.1073/pnas.2016191118.
"""

from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np
import numpy.typing as npt

from ..revlog import Ints
from .scores import Ties

#: Counts or sums, per block: whole numbers (then the arithmetic is exact) or not.
Numbers = npt.NDArray[Any]

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
    start = pooled_starts(ties.reviews, ties.recalled, np.zeros(len(ties.value), dtype=np.int64))
    return Ties(ties.value[start], np.add.reduceat(ties.reviews, start), np.add.reduceat(ties.recalled, start))


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
    """:func:`pooled_starts` with a stack of steps: each violator is pooled with those before it at once. O(m)."""
    stack: List[Tuple[float, float, int, int]] = []  # weight, total, problem, first member
    for i, (w, s, p) in enumerate(zip(weight.tolist(), total.tolist(), problem.tolist())):
        first = i
        while stack and stack[-1][2] == p and stack[-1][1] * w >= s * stack[-1][0]:
            before_w, before_s, _, first = stack.pop()
            w, s = w + before_w, s + before_s
        stack.append((w, s, p, first))
    return np.array([first for _, _, _, first in stack], dtype=np.int64)

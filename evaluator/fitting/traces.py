"""Replaying a trace algorithm: what each earlier review of a card still contributes, summed.

The contributions live on *pairs* of an asker (a place, or a review whose own trace depends on the earlier ones) and
one of the reviews before it, laid out asker by asker. They are element-wise, so are their derivatives; both are
summed by asker. Shapes as in :mod:`evaluator.fitting.recurrence`: P parameters, N nodes, M places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, List, Tuple

import numpy as np

from ..derivatives import Floats, differentiate
from ..histories import Numbers, Trie
from ..revlog import Ints
from .replay import DenseLinearisation, Replay

if TYPE_CHECKING:
    from ..algorithms.algorithm import Trace


@dataclass(frozen=True)
class Pairs:
    """Askers with the reviews before them: entries ``start[i]`` to ``start[i + 1]`` belong to asker i."""

    start: Ints  #: one entry per asker
    node: Ints  #: the history that the earlier review led to
    age: Numbers  #: days from the earlier review to the asking
    rating: Ints

    def sum(self, values: Numbers) -> Floats:
        """Sums along the last axis, by asker."""
        sums: Floats = np.add.reduceat(values, self.start, axis=-1)
        return sums


class TraceReplay(Replay):
    """A trace algorithm on a trie."""

    def __init__(self, algorithm: Trace, trie: Trie) -> None:
        self.algorithm = algorithm
        self.trie = trie
        self._places = earlier_reviews(trie)
        self._levels: List[Tuple[slice, Pairs]] = []
        if algorithm.remembers:
            time = _time(trie)
            for level in list(trie.levels())[1:]:
                self._levels.append((level, _pairs(trie, time, trie.parent[level], time[level])))

    def linearise(self, w: Floats) -> DenseLinearisation:
        total, slope = self._at_places(w)
        recall = differentiate(
            lambda w, state, elapsed: (self.algorithm.recall(w, state[0], elapsed),),
            w,
            (total,),
            (self.trie.place_elapsed,),
        )
        jacobian = recall.by_state[0][0] * slope
        for p, derivative in recall.by_parameter[0]:
            jacobian[p] += derivative
        return DenseLinearisation(recall.values[0], jacobian)

    def _at_places(self, w: Floats) -> Tuple[Floats, Floats]:
        """The total at each place (M,), and its slopes by the parameters (P, M)."""
        then, slope_then = np.zeros(self.trie.nodes), np.zeros((len(w), self.trie.nodes))
        for level, pairs in self._levels:
            then[level], slope_then[:, level] = self._totals(w, pairs, then, slope_then)
        return self._totals(w, self._places, then, slope_then)

    def _totals(self, w: Floats, pairs: Pairs, then: Floats, slope_then: Floats) -> Tuple[Floats, Floats]:
        """The total of each asker (n,), and its slopes (P, n), from those at the time of each review before."""
        local = differentiate(
            lambda w, state, age, rating: (self.algorithm.trace(w, age, rating, state[0]),),
            w,
            (then[pairs.node],),
            (pairs.age, pairs.rating),
        )
        slope = np.zeros((len(w), len(pairs.start)))
        for p, derivative in local.by_parameter[0]:
            slope[p] = pairs.sum(derivative)
        if self._levels:
            slope += pairs.sum(local.by_state[0][0] * slope_then[:, pairs.node])
        return pairs.sum(local.values[0]), slope


def earlier_reviews(trie: Trie) -> Pairs:
    """Each place of a trie with all reviews before it."""
    time = _time(trie)
    return _pairs(trie, time, trie.place_node, time[trie.place_node] + trie.place_elapsed)


def _time(trie: Trie) -> Numbers:
    """Days from the first review of each node's history to its last."""
    time = np.zeros(trie.nodes, dtype=trie.elapsed.dtype)
    for level in list(trie.levels())[1:]:
        time[level] = time[trie.parent[level]] + trie.elapsed[level]
    return time


def _pairs(trie: Trie, time: Numbers, node: Ints, now: Numbers) -> Pairs:
    """Each asker (its history ``node``, asking at ``now`` days after the first review) with all reviews before it."""
    asker, earlier = np.arange(len(node)), node
    askers, nodes = [], []
    while len(asker):
        askers.append(asker)
        nodes.append(earlier)
        earlier = trie.parent[earlier]
        asker, earlier = asker[earlier >= 0], earlier[earlier >= 0]
    who = np.concatenate(askers) if askers else np.zeros(0, dtype=np.int64)
    order = np.argsort(who, kind="stable")
    who, which = who[order], np.concatenate(nodes)[order] if nodes else who
    start = np.searchsorted(who, np.arange(len(node)))
    return Pairs(start, which, now[who] - time[which], trie.rating[which])

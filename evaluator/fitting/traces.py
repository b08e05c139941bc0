"""Replaying a trace algorithm: what each earlier review of a card still contributes, summed.

The contributions live on *pairs* of an asker (a place, or a review whose own trace depends on the earlier ones) and
one of the reviews before it, laid out asker by asker. They are element-wise, so are their derivatives; both are
summed by asker. Shapes as in :mod:`evaluator.fitting.recurrence`: P parameters, N nodes, M places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, List, Optional, Tuple

import numpy as np

from ..derivatives import Floats, differentiate
from ..histories import Numbers, Trie
from ..revlog import Ints
from .replay import DenseLinearisation, Replay

if TYPE_CHECKING:
    from ..algorithms.algorithm import Trace

#: One total: its values (askers,), and its slopes by the parameters (P, askers) where it depends on any.
Total = Tuple[Floats, Optional[Floats]]


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
        totals = self._totals_at_places(w)
        values = tuple(value for value, _ in totals)
        recall = differentiate(lambda *of: (self.algorithm.recall(*of),), w, values, (self.trie.place_elapsed,))
        jacobian = np.zeros((len(w), self.trie.places))
        for p, derivative in recall.by_parameter[0]:
            jacobian[p] = derivative
        for by_total, (_, slope) in zip(recall.by_state[0], totals):
            if slope is not None:
                jacobian += by_total * slope
        return DenseLinearisation(recall.values[0], jacobian)

    def _totals_at_places(self, w: Floats) -> List[Total]:
        then = np.zeros(self.trie.nodes)
        slope_then = np.zeros((len(w), self.trie.nodes)) if self._levels else None
        for level, pairs in self._levels:
            for value, slope in self._totals(w, pairs, then, slope_then):
                then[level] = value
                if slope is not None and slope_then is not None:
                    slope_then[:, level] = slope
        return self._totals(w, self._places, then, slope_then)

    def _totals(self, w: Floats, pairs: Pairs, then: Floats, slope_then: Optional[Floats]) -> List[Total]:
        local = differentiate(
            lambda w, state, age, rating: self.algorithm.trace(w, age, rating, state[0]),
            w,
            (then[pairs.node],),
            (pairs.age, pairs.rating),
        )
        totals: List[Total] = []
        for value, by_then, by_parameter in zip(local.values, local.by_state, local.by_parameter):
            slope = None
            if by_parameter:
                slope = np.zeros((len(w), len(pairs.start)))
                for p, derivative in by_parameter:
                    slope[p] = pairs.sum(derivative)
                if slope_then is not None:
                    slope += pairs.sum(by_then[0] * slope_then[:, pairs.node])
            totals.append((pairs.sum(value), slope))
        return totals


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

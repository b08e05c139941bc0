"""Replay a trace algorithm, which sums what each earlier review of a card still contributes."""

from __future__ import annotations

from typing import Tuple

import numpy as np

from ..algorithms.algorithm import Trace
from ..data.histories import Pairs, Trie, earlier_reviews, earlier_reviews_by_level
from ..derivatives import Floats, differentiate
from .replay import Linearization, Replay


class TraceReplay(Replay):
    """A trace algorithm on a trie."""

    def __init__(self, algorithm: Trace, trie: Trie) -> None:
        self.algorithm = algorithm
        self.trie = trie
        self._pairs = earlier_reviews(trie)
        self._levels = list(earlier_reviews_by_level(trie)) if algorithm.remembers else []

    def linearize(self, w: Floats) -> Linearization:
        total, slope = self._totals_at_queries(w)
        recall = differentiate(
            lambda w, state, elapsed: (self.algorithm.recall(w, state[0], elapsed),),
            w,
            (total,),
            (self.trie.query_elapsed,),
        )
        jacobian = recall.by_state[0][0] * slope
        for p, derivative in recall.by_parameter[0]:
            jacobian[p] += derivative
        return Linearization.with_jacobian(recall.values[0], jacobian)

    def _totals_at_queries(self, w: Floats) -> Tuple[Floats, Floats]:
        """Return the total at each query (M,), and its derivatives by the parameters (P, M)."""
        then, slope_then = np.zeros(self.trie.nodes), np.zeros((len(w), self.trie.nodes))
        for level, pairs in self._levels:
            then[level], slope_then[:, level] = self._totals(w, pairs, then, slope_then)
        return self._totals(w, self._pairs, then, slope_then)

    def _totals(self, w: Floats, pairs: Pairs, then: Floats, slope_then: Floats) -> Tuple[Floats, Floats]:
        """Return the total of each query (n,) and its derivatives (P, n), from the totals at each review before."""
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

"""Replay of a trace algorithm, which sums the traces of all earlier reviews of a card."""

from __future__ import annotations

from typing import Tuple

import numpy as np

from ..algorithms.algorithm import Trace
from ..data.histories import Pairs, Trie, earlier_reviews, earlier_reviews_by_level
from ..derivatives import Floats, differentiate
from .replay import Linearization, Replay


class TraceReplay(Replay):
    """Trace algorithm on a trie."""

    def __init__(self, algorithm: Trace, trie: Trie) -> None:
        self.algorithm = algorithm
        self.trie = trie
        self._pairs = earlier_reviews(trie)
        self._levels = list(earlier_reviews_by_level(trie)) if algorithm.uses_total else []

    def linearize(self, w: Floats) -> Linearization:
        total, slope = self._totals_at_queries(w)
        elapsed = self.trie.query_elapsed
        recall = differentiate(
            lambda w, state, elapsed: (self.algorithm.recall(w, state[0], elapsed),), w, (total,), (elapsed,)
        )
        jacobian = recall.by_state[0][0] * slope
        for p, derivative in recall.by_parameter[0]:
            jacobian[p] += derivative
        return Linearization.with_jacobian(recall.values[0], jacobian)

    def _totals_at_queries(self, w: Floats) -> Tuple[Floats, Floats]:
        """Return the total of the traces at each query (M,), and its derivatives by the parameters (P, M)."""
        total = np.zeros(self.trie.n_nodes)
        slope = np.zeros((len(w), self.trie.n_nodes))
        for level, pairs in self._levels:
            total[level], slope[:, level] = self._totals(w, pairs, total, slope)
        return self._totals(w, self._pairs, total, slope)

    def _totals(self, w: Floats, pairs: Pairs, total_then: Floats, slope_then: Floats) -> Tuple[Floats, Floats]:
        """Return totals (n,) and their derivatives (P, n).

        Args:
            w: the parameters (P,).
            pairs: the earlier reviews of each of the n cards.
            total_then: the total at the review of each node (nodes,).
            slope_then: its derivatives (P, nodes).
        """
        local = differentiate(
            lambda w, state, age, rating: (self.algorithm.trace(w, age, rating, state[0]),),
            w,
            (total_then[pairs.node],),
            (pairs.age, pairs.rating),
        )
        slope = np.zeros((len(w), len(pairs.start)))
        for p, derivative in local.by_parameter[0]:
            slope[p] = pairs.sum(derivative)
        if self._levels:
            slope += pairs.sum(local.by_state[0][0] * slope_then[:, pairs.node])
        return pairs.sum(local.values[0]), slope

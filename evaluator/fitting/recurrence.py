"""Replay of a recurrent algorithm, with the derivatives of its predictions."""

from __future__ import annotations

from functools import partial
from typing import Sequence, Tuple

import numpy as np

from ..algorithms.algorithm import Recurrent, State
from ..data.histories import Trie
from ..data.revlog import Ints
from ..derivatives import Floats, LocalDerivatives, differentiate
from .replay import Linearization, Replay

#: Derivatives of the three formulas ``first``, ``step`` and ``recall``.
_Local = Tuple[LocalDerivatives, LocalDerivatives, LocalDerivatives]


class Recurrence(Replay):
    """Recurrent algorithm on a trie."""

    def __init__(self, algorithm: Recurrent, trie: Trie) -> None:
        self.algorithm = algorithm
        self.trie = trie
        self._levels = list(trie.levels())

    def predict(self, w: Floats) -> Floats:
        trie = self.trie
        query_state = tuple(s[trie.query_node] for s in self.states(w))
        recall = self.algorithm.recall(list(w), query_state, trie.query_elapsed)
        return np.broadcast_to(recall, trie.n_queries)

    def states(self, w: Floats) -> State:
        """Return the state after the last review of each node, as an array (nodes,) for each number of the state."""
        trie = self.trie
        parameters = list(w)
        state: Tuple[Floats, ...] = ()
        for number, level in enumerate(self._levels):
            if number == 0:
                new_state = self.algorithm.first(parameters, trie.rating[level])
                state = tuple(np.empty(trie.n_nodes) for _ in new_state)
            else:
                old_state = tuple(s[trie.parent[level]] for s in state)
                new_state = self.algorithm.step(parameters, old_state, trie.elapsed[level], trie.rating[level])
            for column, value in zip(state, new_state):
                column[level] = value
        return state

    def linearize(self, w: Floats) -> Linearization:
        trie = self.trie
        algorithm = self.algorithm
        state = self.states(w)
        n_roots = self._levels[0].stop if self._levels else 0
        before_step = tuple(s[trie.parent[n_roots:]] for s in state)
        before_query = tuple(s[trie.query_node] for s in state)
        first = differentiate(lambda w, _, rating: algorithm.first(w, rating), w, (), (trie.rating[:n_roots],))
        step = differentiate(algorithm.step, w, before_step, (trie.elapsed[n_roots:], trie.rating[n_roots:]))
        recall = differentiate(
            lambda w, state, elapsed: (algorithm.recall(w, state, elapsed),), w, before_query, (trie.query_elapsed,)
        )
        local = (first, step, recall)
        gradient = partial(self._gradient, len(w), local)
        jacobian = partial(self._jacobian, len(w), local)
        return Linearization(recall.values[0], gradient, jacobian)

    def _gradient(self, n_parameters: int, local: _Local, by_predicted: Floats) -> Floats:
        """Return the gradient (P,) by a backward sweep over the levels."""
        trie = self.trie
        n_roots = self._levels[0].stop
        first, step, recall = local
        by_state = [np.zeros(trie.n_nodes) for _ in first.values]
        _add_by_index(trie.query_node, by_state, [by_predicted * d for d in recall.by_state[0]])
        for level in reversed(self._levels[1:]):
            span = slice(level.start - n_roots, level.stop - n_roots)
            parent_terms = [
                np.sum([s[level] * derivative[j][span] for s, derivative in zip(by_state, step.by_state)], axis=0)
                for j in range(len(by_state))
            ]
            _add_by_index(trie.parent[level], by_state, parent_terms)

        gradient = np.zeros(n_parameters)
        by_first = [s[:n_roots] for s in by_state]
        by_step = [s[n_roots:] for s in by_state]
        for formula, by_outputs in ((recall, [by_predicted]), (step, by_step), (first, by_first)):
            for by_output, entries in zip(by_outputs, formula.by_parameter):
                for p, derivative in entries:
                    gradient[p] += np.einsum("n,n->", by_output, derivative)
        return gradient

    def _jacobian(self, n_parameters: int, local: _Local) -> Floats:
        """Return the Jacobian (P, M) by a forward sweep over the levels."""
        trie = self.trie
        n_roots = self._levels[0].stop
        first, step, recall = local
        tangents = [np.zeros((n_parameters, trie.n_nodes)) for _ in first.values]
        for tangent, by_first_parameter, by_step_parameter in zip(tangents, first.by_parameter, step.by_parameter):
            for p, derivative in by_first_parameter:
                tangent[p, :n_roots] = derivative
            for p, derivative in by_step_parameter:
                tangent[p, n_roots:] = derivative
        for level in self._levels[1:]:
            span = slice(level.start - n_roots, level.stop - n_roots)
            parent_tangents = [tangent[:, trie.parent[level]] for tangent in tangents]
            for tangent, by_state in zip(tangents, step.by_state):
                for by, parent_tangent in zip(by_state, parent_tangents):
                    tangent[:, level] += by[span] * parent_tangent
        jacobian = np.zeros((n_parameters, trie.n_queries))
        for p, derivative in recall.by_parameter[0]:
            jacobian[p] = derivative
        for by, tangent in zip(recall.by_state[0], tangents):
            jacobian += by * tangent[:, trie.query_node]
        return jacobian


def _add_by_index(index: Ints, totals: Sequence[Floats], terms: Sequence[Floats]) -> None:
    """Add terms[i] to totals[index[i]] for each pair of arrays.

    Equal indices mostly follow one another, so each run of them is summed first, which is faster.
    """
    starts = np.flatnonzero(np.diff(index, prepend=-1))
    for total, term in zip(totals, terms):
        np.add.at(total, index[starts], np.add.reduceat(term, starts))

"""Replay a recurrent algorithm over all histories, with the derivatives of its predictions.

Values go through the trie level by level, all nodes of a level at once. Derivatives take two steps. First the
derivatives of every single step, which do not depend on each other and are taken for all nodes in one sweep
(:mod:`evaluator.derivatives`). Then the chain rule along the trie, which is a few products per level: backwards for
the gradient of a sum over queries, forwards for the Jacobian of every query. P parameters, N nodes, M queries.

The two ways to the gradient check each other, and both are checked against finite differences in the tests.
"""

from __future__ import annotations

from typing import List, Sequence, Tuple

import numpy as np

from ..algorithms.algorithm import Recurrent, State
from ..data.histories import Trie
from ..data.revlog import Ints
from ..derivatives import Floats, LocalDerivatives, differentiate
from .replay import Linearization, Replay


class Recurrence(Replay):
    """A recurrent algorithm on a trie."""

    def __init__(self, algorithm: Recurrent, trie: Trie) -> None:
        self.algorithm = algorithm
        self.trie = trie
        self._levels = list(trie.levels())

    def predict(self, w: Floats) -> Floats:
        h = self.trie
        at_place = tuple(s[h.query_node] for s in self.states(w))
        recall = self.algorithm.recall(list(w), at_place, h.query_elapsed)
        return np.broadcast_to(recall, h.n_queries)

    def linearize(self, w: Floats) -> RecurrenceLinearization:
        h, algorithm = self.trie, self.algorithm
        state = self.states(w)
        roots = self._levels[0].stop if self._levels else 0
        later = tuple(s[h.parent[roots:]] for s in state)
        at_place = tuple(s[h.query_node] for s in state)
        first = differentiate(lambda w, _, rating: algorithm.first(w, rating), w, (), (h.rating[:roots],))
        step = differentiate(algorithm.step, w, later, (h.elapsed[roots:], h.rating[roots:]))
        recall = differentiate(lambda *of: (algorithm.recall(*of),), w, at_place, (h.query_elapsed,))
        return RecurrenceLinearization(h, self._levels, len(w), first, step, recall)

    def states(self, w: Floats) -> State:
        """Return the state after each node's last review, one array (nodes,) for each of its numbers."""
        h, parameters = self.trie, list(w)
        state: Tuple[Floats, ...] = ()
        for number, level in enumerate(self._levels):
            if number == 0:
                now = self.algorithm.first(parameters, h.rating[level])
                state = tuple(np.empty(h.nodes) for _ in now)
            else:
                before = tuple(s[h.parent[level]] for s in state)
                now = self.algorithm.step(parameters, before, h.elapsed[level], h.rating[level])
            for kept, value in zip(state, now):
                kept[level] = value
        return state


class RecurrenceLinearization(Linearization):
    """Predictions of a recurrent algorithm with given parameters, and their derivatives."""

    def __init__(
        self,
        trie: Trie,
        levels: List[slice],
        parameters: int,
        first: LocalDerivatives,
        step: LocalDerivatives,
        recall: LocalDerivatives,
    ) -> None:
        self.predicted = recall.values[0]
        self._trie = trie
        self._levels = levels
        self._parameters = parameters  #: P
        self._first, self._step, self._recall = first, step, recall

    def gradient(self, by_predicted: Floats) -> Floats:
        """Return the gradient by one sweep backwards over the levels."""
        h = self._trie
        roots = self._levels[0].stop
        by_state = [np.zeros(h.nodes) for _ in self._first.values]
        sum_by(h.query_node, by_state, [by_predicted * d for d in self._recall.by_state[0]])
        for level in reversed(self._levels[1:]):
            span = slice(level.start - roots, level.stop - roots)
            back = [
                np.sum([s[level] * by[j][span] for s, by in zip(by_state, self._step.by_state)], axis=0)
                for j in range(len(by_state))
            ]
            sum_by(h.parent[level], by_state, back)

        gradient = np.zeros(self._parameters)
        outer = [(self._recall, [by_predicted])]
        outer.append((self._step, [s[roots:] for s in by_state]))
        outer.append((self._first, [s[:roots] for s in by_state]))
        for local, adjoint in outer:
            for k, entries in enumerate(local.by_parameter):
                for p, derivative in entries:
                    gradient[p] += np.einsum("n,n->", adjoint[k], derivative)
        return gradient

    def jacobian(self) -> Floats:
        """Return the Jacobian by one sweep forwards over the levels."""
        h, states = self._trie, len(self._first.values)
        roots = self._levels[0].stop
        tangent = [np.zeros((self._parameters, h.nodes)) for _ in range(states)]
        for k in range(states):
            for p, derivative in self._first.by_parameter[k]:
                tangent[k][p, :roots] = derivative
            for p, derivative in self._step.by_parameter[k]:
                tangent[k][p, roots:] = derivative
        for level in self._levels[1:]:
            span = slice(level.start - roots, level.stop - roots)
            before = [t[:, h.parent[level]] for t in tangent]
            for k in range(states):
                for j in range(states):
                    tangent[k][:, level] += self._step.by_state[k][j][span] * before[j]
        jacobian = np.zeros((self._parameters, h.n_queries))
        for p, derivative in self._recall.by_parameter[0]:
            jacobian[p] = derivative
        for k in range(states):
            jacobian += self._recall.by_state[0][k] * tangent[k][:, h.query_node]
        return jacobian


def sum_by(index: Ints, into: Sequence[Floats], terms: Sequence[Floats]) -> None:
    """Compute into[index] += terms for each pair of arrays; most equal indices form a run and are summed first."""
    new = np.flatnonzero(np.diff(index, prepend=-1))
    for target, term in zip(into, terms):
        np.add.at(target, index[new], np.add.reduceat(term, new))

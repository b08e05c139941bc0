"""Replaying a recurrent algorithm over all histories, and the derivatives of what it predicts.

Values go through the trie level by level, all nodes of a level at once. Derivatives take two steps. First the
derivatives of every single step, which do not depend on each other and are taken for all nodes in one sweep
(:mod:`evaluator.derivatives`). Then the chain rule along the trie, which is a few products per level: backwards for the
gradient of a sum over places, forwards for the Jacobian of every place. Several parameter sets (one per fold) advance
side by side as the leading axis, F below; P parameters, N nodes, M places.

The two ways to the gradient check each other, and both are checked against finite differences in the tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Sequence, Tuple

import numpy as np

from ..algorithms.algorithm import Array, Recurrent, State
from ..derivatives import Floats, Tape, value_of
from ..histories import Histories
from ..revlog import Ints

#: Elements (nodes or places, times folds) whose derivatives are taken in one sweep: what stays in a processor's cache.
CHUNK = 16_384


class Recurrence:
    """An algorithm on a trie."""

    def __init__(self, algorithm: Recurrent, histories: Histories) -> None:
        self.algorithm = algorithm
        self.histories = histories
        self._levels = list(histories.levels())

    def predict(self, w: Floats) -> Floats:
        """Probability of recall at each place, shape (F, M), for parameters of shape (F, P)."""
        h = self.histories
        state = self._states(w)
        at_place = tuple(s[:, h.place_node] for s in state)
        recall = self.algorithm.recall(_columns(w), at_place, h.place_elapsed)
        return np.broadcast_to(recall, (len(w), h.places))

    def linearise(self, w: Floats) -> Linearisation:
        """What the algorithm predicts at ``w`` and how that changes with each parameter."""
        h, algorithm = self.histories, self.algorithm
        state = self._states(w)
        roots = self._levels[0].stop if self._levels else 0
        later = tuple(s[:, h.parent[roots:]] for s in state)
        at_place = tuple(s[:, h.place_node] for s in state)
        first = _local(lambda w, _, rating: algorithm.first(w, rating), w, (), (h.rating[:roots],))
        step = _local(algorithm.step, w, later, (h.elapsed[roots:], h.rating[roots:]))
        recall = _local(lambda *of: (algorithm.recall(*of),), w, at_place, (h.place_elapsed,))
        return Linearisation(h, self._levels, first, step, recall)

    def _states(self, w: Floats) -> State:
        h, columns = self.histories, _columns(w)
        state: Tuple[Floats, ...] = ()
        for number, level in enumerate(self._levels):
            if number == 0:
                now = self.algorithm.first(columns, h.rating[level])
                state = tuple(np.empty((len(w), h.nodes)) for _ in now)
            else:
                before = tuple(s[:, h.parent[level]] for s in state)
                now = self.algorithm.step(columns, before, h.elapsed[level], h.rating[level])
            for kept, value in zip(state, now):
                kept[:, level] = value
        return state


@dataclass(frozen=True)
class Local:
    """The derivatives of a few element-wise formulas (outputs k) at F x n elements.

    ``by_state[k][j]`` is d output k / d state j, shape (F, n); ``by_parameter[k]`` lists (p, d output k / d parameter
    p) for the parameters that it depends on.
    """

    values: List[Floats]
    by_state: List[List[Floats]]
    by_parameter: List[List[Tuple[int, Floats]]]


class Linearisation:
    """Predictions at one point, with their derivatives by the parameters."""

    def __init__(self, histories: Histories, levels: List[slice], first: Local, step: Local, recall: Local) -> None:
        self.predicted = recall.values[0]
        self._histories = histories
        self._levels = levels
        self._first, self._step, self._recall = first, step, recall

    def gradient(self, by_predicted: Floats, parameters: int) -> Floats:
        """d L / d parameters, shape (F, P), from d L / d predicted, shape (F, M): one sweep backwards."""
        h = self._histories
        roots = self._levels[0].stop
        by_state = [np.zeros((len(by_predicted), h.nodes)) for _ in self._first.values]
        _sum_by(h.place_node, by_state, [by_predicted * d for d in self._recall.by_state[0]])
        for level in reversed(self._levels[1:]):
            here = slice(level.start - roots, level.stop - roots)
            back = [
                np.sum([s[:, level] * by[j][:, here] for s, by in zip(by_state, self._step.by_state)], axis=0)
                for j in range(len(by_state))
            ]
            _sum_by(h.parent[level], by_state, back)

        gradient = np.zeros((len(by_predicted), parameters))
        outer = [(self._recall, [by_predicted])]
        outer.append((self._step, [s[:, roots:] for s in by_state]))
        outer.append((self._first, [s[:, :roots] for s in by_state]))
        for local, adjoint in outer:
            for k, entries in enumerate(local.by_parameter):
                for p, derivative in entries:
                    gradient[:, p] += np.einsum("fn,fn->f", adjoint[k], derivative)
        return gradient

    def jacobian(self, parameters: int) -> Floats:
        """d predicted / d parameters at each place, shape (F, P, M): one sweep forwards."""
        h = self._histories
        folds, states = len(self.predicted), len(self._first.values)
        roots = self._levels[0].stop
        tangent = [np.zeros((folds, parameters, h.nodes)) for _ in range(states)]
        for k in range(states):
            for p, derivative in self._first.by_parameter[k]:
                tangent[k][:, p, :roots] = derivative
            for p, derivative in self._step.by_parameter[k]:
                tangent[k][:, p, roots:] = derivative
        for level in self._levels[1:]:
            here = slice(level.start - roots, level.stop - roots)
            before = [t[:, :, h.parent[level]] for t in tangent]
            for k in range(states):
                for j in range(states):
                    tangent[k][:, :, level] += self._step.by_state[k][j][:, None, here] * before[j]
        jacobian = np.zeros((folds, parameters, h.places))
        for p, derivative in self._recall.by_parameter[0]:
            jacobian[:, p] = derivative
        for k in range(states):
            jacobian += self._recall.by_state[0][k][:, None] * tangent[k][:, :, h.place_node]
        return jacobian


def _columns(w: Floats) -> List[Floats]:
    """Parameters of shape (F, P) as P columns of shape (F, 1), which broadcast against (F, n)."""
    return [w[:, p : p + 1] for p in range(w.shape[1])]


def _sum_by(sorted_index: Ints, into: Sequence[Floats], terms: Sequence[Floats]) -> None:
    """into[:, sorted_index] += terms, where an index occurs in one run."""
    new = np.flatnonzero(np.diff(sorted_index, prepend=-1))
    for target, term in zip(into, terms):
        target[:, sorted_index[new]] += np.add.reduceat(term, new, axis=1)


def _local(formula: Callable[..., Tuple[Array, ...]], w: Floats, state: State, extra: Tuple[Array, ...]) -> Local:
    """The values and derivatives of ``formula(w, state, *extra)``, element by element."""
    folds, elements = len(w), len(extra[0])
    chunk = max(1, CHUNK // folds)
    found: Local = Local([], [], [])
    for start in range(0, max(elements, 1), chunk):
        part = slice(start, min(start + chunk, elements))
        tape = Tape()
        ws = [tape.variable(column) for column in _columns(w)]
        states = [tape.variable(s[:, part]) for s in state]
        outputs = formula(ws, tuple(states), *(x[part] for x in extra))
        for k, output in enumerate(outputs):
            derivatives = tape.derivatives(output, states + ws)
            if start == 0:
                found.values.append(np.empty((folds, elements)))
                found.by_state.append([np.zeros((folds, elements)) for _ in states])
                used = [p for p, d in enumerate(derivatives[len(states) :]) if d is not None]
                found.by_parameter.append([(p, np.empty((folds, elements))) for p in used])
            found.values[k][:, part] = value_of(output)
            for j, kept in enumerate(found.by_state[k]):
                kept[:, part] = 0.0 if derivatives[j] is None else derivatives[j]
            for p, kept in found.by_parameter[k]:
                kept[:, part] = derivatives[len(states) + p]
    return found

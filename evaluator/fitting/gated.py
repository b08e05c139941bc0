"""GRU-P on a trie by matrix products: what :mod:`evaluator.fitting.recurrence` does, ten times as fast.

With eight hidden units and 297 parameters the element-wise way has thousands of small products to take at each node.
Here a *cell* is one evaluation of the network: a cell for each node of level 2 and later leads from its parent's
hidden units to its own, and one for each place leads from the node's hidden units to the prediction. Derivatives are
derived by hand. The tests hold both ways against each other.

Shapes: H hidden units, n cells; otherwise as in :mod:`evaluator.fitting.recurrence`.
"""

from __future__ import annotations

from typing import Tuple, Union

import numpy as np

from ..algorithms import weights
from ..algorithms.algorithm import sigmoid
from ..algorithms.gru39 import shapes
from ..algorithms.gru_p import HIDDEN
from ..derivatives import Floats
from ..histories import Trie
from ..revlog import Ints
from .recurrence import sum_by
from .replay import Linearisation, Replay

Indices = Union[slice, Ints]


class GatedReplay(Replay):
    """GRU-P on a trie."""

    def __init__(self, trie: Trie) -> None:
        self.trie = trie

    def linearise(self, w: Floats) -> GatedLinearisation:
        return GatedLinearisation(self.trie, w)


class _Cells:
    """The inputs and outputs of n cells, which are run some at a time."""

    def __init__(self, inputs: Floats) -> None:
        """``inputs`` (n, 2): interval and rating."""
        n = len(inputs)
        self.inputs = inputs
        self.own = np.empty((n, 3 * HIDDEN))  #: what the inputs add to the three sums
        self.before = np.empty((n, HIDDEN))  #: hidden units
        self.gates = np.empty((n, 2 * HIDDEN))  #: reset, update
        self.candidate = np.empty((n, HIDDEN))
        self.from_hidden = np.empty((n, HIDDEN))  #: of the candidate's sum the part that is reset

    def begin(self, w: weights.Weights) -> None:
        """Take the weights, before the first cells are run."""
        np.matmul(self.inputs, w["weight_ih_l0"].T, out=self.own)
        self.own += w["bias_ih_l0"]

    def run(self, w: weights.Weights, here: slice, before: Floats) -> Floats:
        """Run some of the cells from their hidden units, and return these afterwards, (n, H)."""
        own, gates, candidate = self.own[here], self.gates[here], self.candidate[here]
        self.before[here] = before
        hidden = before @ w["weight_hh_l0"].T
        hidden += w["bias_hh_l0"]
        gates[:] = sigmoid(own[:, : 2 * HIDDEN] + hidden[:, : 2 * HIDDEN])
        self.from_hidden[here] = from_hidden = hidden[:, 2 * HIDDEN :]
        np.tanh(own[:, 2 * HIDDEN :] + gates[:, :HIDDEN] * from_hidden, out=candidate)
        after: Floats = candidate + gates[:, HIDDEN:] * (before - candidate)
        return after

    def back(self, w: weights.Weights, here: Indices, by_after: Floats) -> Tuple[Floats, Floats, Floats]:
        """From d L / d after of some cells: d L / d the sums over inputs and over hidden units, and d L / d before."""
        reset, update = self.gates[here, :HIDDEN], self.gates[here, HIDDEN:]
        before, candidate = self.before[here], self.candidate[here]
        by_candidate = by_after * (1 - update) * (1 - candidate * candidate)
        by_reset = by_candidate * self.from_hidden[here] * reset * (1 - reset)
        by_update = by_after * (before - candidate) * update * (1 - update)
        by_inputs = np.concatenate([by_reset, by_update, by_candidate], axis=1)
        by_hidden = np.concatenate([by_reset, by_update, by_candidate * reset], axis=1)
        return by_inputs, by_hidden, by_after * update + by_hidden @ w["weight_hh_l0"]

    def by_weights(self, here: slice, by_inputs: Floats, by_hidden: Floats) -> Floats:
        """The share of some cells in the gradient by the four tensors of the body."""
        parts = (by_inputs.T @ self.inputs[here], by_hidden.T @ self.before[here])
        sums = (by_inputs.sum(axis=0), by_hidden.sum(axis=0))
        return np.concatenate([part.ravel() for part in (*parts, *sums)])


class GatedLinearisation(Linearisation):
    """Predictions of GRU-P with given parameters, and how they change with each of them."""

    def __init__(self, trie: Trie, flat: Floats) -> None:
        self._trie = t = trie
        self._w = w = weights.unflat(flat, shapes(HIDDEN))
        self._levels = list(t.levels())
        self._roots = self._levels[0].stop if self._levels else 0
        rating = t.rating[t.parent[self._roots :]]
        self._at_nodes = _Cells(np.stack([t.elapsed[self._roots :], rating], axis=1).astype(np.float64))
        self._at_places = _Cells(np.stack([t.place_elapsed, t.rating[t.place_node]], axis=1).astype(np.float64))
        hidden = np.zeros((t.nodes, HIDDEN))
        self._at_nodes.begin(w)
        for level in self._levels[1:]:
            hidden[level] = self._at_nodes.run(w, self._cells(level), hidden[t.parent[level]])
        self._at_places.begin(w)
        self._last = self._at_places.run(w, slice(None), hidden[t.place_node])
        self.predicted: Floats = sigmoid(self._last @ w["fc.weight"][0] + w["fc.bias"][0])

    def _cells(self, level: slice) -> slice:
        """The cells that lead to the nodes of a level."""
        return slice(level.start - self._roots, level.stop - self._roots)

    def gradient(self, by_predicted: Floats) -> Floats:
        """The gradient by one sweep backwards over the levels."""
        t, w = self._trie, self._w
        by_output = by_predicted * self.predicted * (1 - self.predicted)
        everything = slice(None)
        by_inputs, by_hidden, by_before = self._at_places.back(w, everything, by_output[:, None] * w["fc.weight"])
        by_body = self._at_places.by_weights(everything, by_inputs, by_hidden)
        by_node = np.zeros((t.nodes, HIDDEN))
        sum_by(t.place_node, [by_node], [by_before])
        for level in reversed(self._levels[1:]):
            here = self._cells(level)
            by_inputs, by_hidden, by_before = self._at_nodes.back(w, here, by_node[level])
            by_body += self._at_nodes.by_weights(here, by_inputs, by_hidden)
            sum_by(t.parent[level], [by_node], [by_before])
        return np.concatenate([by_body, by_output @ self._last, [by_output.sum()]])

    def jacobian(self) -> Floats:
        """The derivatives at each place, summed back along its own history."""
        t, w = self._trie, self._w
        by_output = self.predicted * (1 - self.predicted)
        by_inputs, by_hidden, by_before = self._at_places.back(w, slice(None), by_output[:, None] * w["fc.weight"])
        outer = _outer(by_inputs, by_hidden, self._at_places.inputs, self._at_places.before)
        jacobian = np.concatenate([outer, by_output[:, None] * self._last, by_output[:, None]], axis=1)
        body = jacobian.shape[1] - HIDDEN - 1
        place, node = np.arange(t.places), t.place_node
        while True:
            later = node >= self._roots
            place, node, by_before = place[later], node[later], by_before[later]
            if not len(place):
                return jacobian.T.copy()
            cells, here = self._at_nodes, node - self._roots
            by_inputs, by_hidden, by_before = cells.back(w, here, by_before)
            jacobian[place, :body] += _outer(by_inputs, by_hidden, cells.inputs[here], cells.before[here])
            node = t.parent[node]


def _outer(by_inputs: Floats, by_hidden: Floats, inputs: Floats, before: Floats) -> Floats:
    """Each cell's share in the derivatives by the four tensors of the body, (n, P - H - 1)."""
    n = len(by_inputs)
    by_weight_ih = (by_inputs[:, :, None] * inputs[:, None, :]).reshape(n, -1)
    by_weight_hh = (by_hidden[:, :, None] * before[:, None, :]).reshape(n, -1)
    return np.concatenate([by_weight_ih, by_weight_hh, by_inputs, by_hidden], axis=1)

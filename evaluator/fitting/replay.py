"""The interface between fitting and an algorithm on a trie. P parameters, M queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Protocol, Type

import numpy as np

from ..derivatives import Floats

Precision = Type["np.floating[Any]"]


class Linearization(Protocol):
    """Predictions with given parameters, and their derivatives."""

    predicted: Floats  #: probability of recall at each query, (M,)

    def gradient(self, by_predicted: Floats) -> Floats:
        """Return the gradient (P,) of L from d L / d predicted (M,)."""

    def jacobian(self) -> Floats:
        """d predicted / d parameters at each query, (P, M)."""


class Replay(Protocol):
    """An algorithm on a trie. Which subclass runs which algorithm is listed in :mod:`evaluator.fitting.kernels`."""

    def predict(self, w: Floats) -> Floats:
        """Return the probability of recall at each query (M,) for parameters ``w`` (P,)."""
        return self.linearize(w).predicted

    def linearize(self, w: Floats) -> Linearization:
        """Return the predictions for parameters ``w`` (P,), with their derivatives."""


@dataclass(frozen=True)
class DenseLinearization(Linearization):
    """Predictions with their full Jacobian, from which the gradient is taken."""

    predicted: Floats  #: (M,)
    by_parameter: Floats  #: (P, M)

    def gradient(self, by_predicted: Floats) -> Floats:
        gradient: Floats = np.einsum("pm,m->p", self.by_parameter, by_predicted)
        return gradient

    def jacobian(self) -> Floats:
        return self.by_parameter


class ParameterValues(Protocol):
    """The parameters, and what follows from them alone."""

    own: Floats  #: (P,)


class AnalyticReplay(Replay):
    """An algorithm with hand-derived derivatives. Keeps its results for the last parameters."""

    at: Optional[Any] = None  #: the parameters that were last replayed

    def parameters(self, w: Floats) -> ParameterValues:
        """Return the parameters ``w`` (P,), and what follows from them alone."""
        raise NotImplementedError

    def forward(self, p: Any) -> Floats:
        """Return the probability of recall at each query, (M,)."""
        raise NotImplementedError

    def backward(self, p: Any, by_predicted: Floats) -> Floats:
        """Return the gradient of L from d L / d predicted (M,): the first P numbers; any others are meaningless."""
        raise NotImplementedError

    def jacobian(self, p: Any) -> Floats:
        """d predicted / d parameters at each query: the first P rows; any others are meaningless."""
        raise NotImplementedError

    def linearize(self, w: Floats) -> Linearization:
        at = self.at
        if at is None or not np.array_equal(at.own, w):
            at = self.parameters(w.copy())
        return AnalyticLinearization(self, at)


class AnalyticLinearization(Linearization):
    """Predictions of such a replay with given parameters."""

    def __init__(self, replay: AnalyticReplay, at: ParameterValues) -> None:
        self._replay, self._at, self.predicted = replay, at, replay.forward(at)

    def gradient(self, by_predicted: Floats) -> Floats:
        return self._replay.backward(self._at, by_predicted)[: len(self._at.own)]

    def jacobian(self) -> Floats:
        return self._replay.jacobian(self._at)[: len(self._at.own)]


#: With at least this many states single precision is used, which takes half to three quarters of the time. With few, as
#: in a deck of its own, the search could end a little elsewhere for it.
SINGLE_PRECISION_FROM = 20_000


def precision_for(states: int) -> Precision:
    """Return the precision in which a replay derived by hand computes this many states."""
    return np.float32 if states >= SINGLE_PRECISION_FROM else np.float64


def empty_rows(count: int, size: int, precision: Precision) -> Floats:
    """Return an uninitialized array (count, size)."""
    return np.empty((count, size), dtype=precision)


def in_precision(parameters: Any, precision: Precision) -> None:
    """Convert all arrays of an object, except ``own``, to one precision: otherwise NumPy would use the higher one."""
    for name, value in vars(parameters).items():
        if isinstance(value, np.ndarray) and name != "own":
            setattr(parameters, name, value.astype(precision, copy=False))

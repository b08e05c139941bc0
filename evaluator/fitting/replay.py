"""The interface between fitting and an algorithm on a trie. P is the number of parameters, and M that of queries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Callable

import numpy as np

from ..derivatives import Floats


@dataclass(frozen=True)
class Linearization:
    """Predictions with given parameters, and functions that compute their derivatives."""

    predicted: Floats  #: probability of recall at each query (M,)
    gradient: Callable[[Floats], Floats]  #: function of d loss / d predicted (M,) that returns d loss / d w (P,)
    jacobian: Callable[[], Floats]  #: function that returns d predicted / d w (P, M)

    @classmethod
    def with_jacobian(cls, predicted: Floats, jacobian: Floats) -> Linearization:
        """Return a linearization with a Jacobian (P, M) that is already computed."""
        return cls(predicted, lambda by_predicted: np.einsum("pm,m->p", jacobian, by_predicted), lambda: jacobian)


class Replay:
    """An algorithm on a trie. :mod:`evaluator.fitting.kernels` selects the subclass for an algorithm."""

    def predict(self, w: Floats) -> Floats:
        """Return the probability of recall at each query (M,) for parameters ``w`` (P,)."""
        return self.linearize(w).predicted

    def linearize(self, w: Floats) -> Linearization:
        """Return the predictions for parameters ``w`` (P,), with their derivatives."""
        raise NotImplementedError


class HandDerivedReplay(Replay):
    """A replay with derivatives derived by hand. Its arrays are overwritten for the next parameters."""

    def __init__(self, prepare: Callable[[Floats], Any]) -> None:
        """Create it from a function that returns the values that depend on the parameters alone."""
        self._prepare = prepare
        self._replayed: Any = None  #: these values for the parameters that were last replayed
        self._predicted = np.zeros(0)

    def linearize(self, w: Floats) -> Linearization:
        p = self._replayed
        if p is None or not np.array_equal(p.given, w):
            p = self._prepare(w)
            p.given = w.copy()
        return Linearization(self._replay(p), partial(self._gradient, p), partial(self._jacobian, p))

    def _replay(self, p: Any) -> Floats:
        """Return the probability of recall at each query (M,)."""
        if self._replayed is not p:
            self._replayed = p
            self._predicted = self._sweep_forward(p)
        return self._predicted

    def _sweep_forward(self, p: Any) -> Floats:
        """Compute the states, and return the probability of recall at each query (M,)."""
        raise NotImplementedError

    def _gradient(self, p: Any, by_predicted: Floats) -> Floats:
        """Return d loss / d w (P,), given d loss / d predicted (M,)."""
        raise NotImplementedError

    def _jacobian(self, p: Any) -> Floats:
        """Return d predicted / d w (P, M)."""
        raise NotImplementedError


#: Smallest number of states for which hand-derived kernels use single precision, which saves up to half of the time.
#: With fewer states, as in a single deck, single precision could change where the search ends.
SINGLE_PRECISION_FROM = 20_000


def precision_for(n_states: int) -> Any:
    """Return the floating-point type in which a hand-derived kernel computes this many states."""
    return np.float32 if n_states >= SINGLE_PRECISION_FROM else np.float64


def convert_arrays(parameters: object, precision: Any) -> None:
    """Convert all arrays of an object to one floating-point type.

    NumPy computes in the more precise type of two operands, so one array of another type would slow everything down.
    """
    for name, value in vars(parameters).items():
        if isinstance(value, np.ndarray):
            setattr(parameters, name, value.astype(precision, copy=False))

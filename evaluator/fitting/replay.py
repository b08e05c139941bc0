"""The interface between fitting and an algorithm on a trie. P parameters, M queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

import numpy as np

from ..derivatives import Floats


@dataclass(frozen=True)
class Linearization:
    """Predictions with given parameters, and functions that compute their derivatives."""

    predicted: Floats  #: probability of recall at each query, (M,)
    gradient: Callable[[Floats], Floats]  #: computes the gradient (P,) of a loss from d loss / d predicted (M,)
    jacobian: Callable[[], Floats]  #: computes d predicted / d parameters at each query, (P, M)

    @classmethod
    def with_jacobian(cls, predicted: Floats, jacobian: Floats) -> Linearization:
        """Return a linearization whose Jacobian (P, M) is already known."""
        return cls(predicted, lambda by_predicted: np.einsum("pm,m->p", jacobian, by_predicted), lambda: jacobian)


class Replay:
    """An algorithm on a trie. Which subclass runs which algorithm is listed in :mod:`evaluator.fitting.kernels`."""

    def predict(self, w: Floats) -> Floats:
        """Return the probability of recall at each query (M,) for parameters ``w`` (P,)."""
        return self.linearize(w).predicted

    def linearize(self, w: Floats) -> Linearization:
        """Return the predictions for parameters ``w`` (P,), with their derivatives."""
        raise NotImplementedError


#: Minimum number of states for which hand-derived kernels use single precision, which saves up to half of the time.
#: With few states, as in a single deck, it could change where the search ends.
SINGLE_PRECISION_FROM = 20_000


def precision_for(states: int) -> Any:
    """Return the floating-point type in which a hand-derived kernel computes this many states."""
    return np.float32 if states >= SINGLE_PRECISION_FROM else np.float64


def convert_arrays(parameters: object, precision: Any) -> None:
    """Convert all arrays of an object to one type, because NumPy computes in the more precise type of two operands."""
    for name, value in vars(parameters).items():
        if isinstance(value, np.ndarray):
            setattr(parameters, name, value.astype(precision, copy=False))

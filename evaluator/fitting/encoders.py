"""A trained head on fixed features, such as those that the frozen body of a network makes of each history.

The head's sums are matrix products; only the curve on top is differentiated element by element. Shapes as in
:mod:`evaluator.fitting.recurrence`: P parameters, M queries; K features, J outputs.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ..data.histories import Numbers
from ..derivatives import Floats, differentiate
from .replay import Linearization, Replay


class EncoderReplay(Replay):
    """An encoder on a trie."""

    def __init__(self, curve: Callable[..., Any], features: Floats, elapsed: Numbers) -> None:
        """``curve`` is the algorithm's; ``features`` (M, K) at each query; ``elapsed`` (M,), in days."""
        self._curve = curve
        self._features = features
        self._elapsed = elapsed

    def predict(self, w: Floats) -> Floats:
        predicted: Floats = self._curve(tuple(self._outputs(w)), self._elapsed)
        return predicted

    def linearize(self, w: Floats) -> EncoderLinearization:
        curve = differentiate(
            lambda _, outputs, elapsed: (self._curve(outputs, elapsed),),
            w[:0],
            tuple(self._outputs(w)),
            (self._elapsed,),
        )
        return EncoderLinearization(curve.values[0], np.stack(curve.by_state[0]), self._features)

    def _outputs(self, w: Floats) -> Floats:
        """Return the head's outputs, shape (J, M)."""
        size = self._features.shape[1]
        count = len(w) // (size + 1)
        weights, biases = w[: count * size].reshape(count, size), w[count * size :]
        outputs: Floats = weights @ self._features.T + biases[:, None]
        return outputs


class EncoderLinearization(Linearization):
    """Predictions of an encoder with given parameters, and their derivatives."""

    def __init__(self, predicted: Floats, by_output: Floats, features: Floats) -> None:
        self.predicted = predicted
        self._by_output = by_output  #: (J, M)
        self._features = features  #: (M, K)

    def gradient(self, by_predicted: Floats) -> Floats:
        by_output = self._by_output * by_predicted
        return np.concatenate([(by_output @ self._features).ravel(), by_output.sum(axis=1)])

    def jacobian(self) -> Floats:
        outputs, positions = self._by_output.shape
        by_weight = self._by_output[:, None] * self._features.T
        return np.concatenate([by_weight.reshape(outputs * self._features.shape[1], positions), self._by_output])

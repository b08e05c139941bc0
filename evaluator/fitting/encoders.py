"""Replay of an encoder, which is a trained head on fixed features."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ..data.histories import Numbers
from ..derivatives import Floats, differentiate
from .replay import Linearization, Replay


class EncoderReplay(Replay):
    """Encoder on the queries of a trie."""

    def __init__(self, curve: Callable[..., Any], features: Floats, elapsed: Numbers) -> None:
        """Create it from the curve of the algorithm, and the features (M, K) and elapsed days (M,) of the queries."""
        self._curve = curve
        self._features = features
        self._elapsed = elapsed

    def predict(self, w: Floats) -> Floats:
        predicted: Floats = self._curve(tuple(self._outputs(w)), self._elapsed)
        return predicted

    def linearize(self, w: Floats) -> Linearization:
        outputs = tuple(self._outputs(w))
        curve = differentiate(
            lambda _, outputs, elapsed: (self._curve(outputs, elapsed),), w[:0], outputs, (self._elapsed,)
        )
        by_output = np.stack(curve.by_state[0])

        def gradient(by_predicted: Floats) -> Floats:
            weighted_slopes = by_output * by_predicted
            return np.concatenate([(weighted_slopes @ self._features).ravel(), weighted_slopes.sum(axis=1)])

        def jacobian() -> Floats:
            by_weight = by_output[:, None] * self._features.T
            return np.concatenate([*by_weight, by_output])

        return Linearization(curve.values[0], gradient, jacobian)

    def _outputs(self, w: Floats) -> Floats:
        """Return the outputs of the head (J, M)."""
        n_features = self._features.shape[1]
        n_outputs = len(w) // (n_features + 1)
        n_weights = n_outputs * n_features
        weights = w[:n_weights].reshape(n_outputs, n_features)
        biases = w[n_weights:]
        outputs: Floats = weights @ self._features.T + biases[:, None]
        return outputs

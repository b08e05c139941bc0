"""The head of a network on the features that its frozen body makes of each history.

The head's sums are matrix products; only the curve on top is differentiated element by element. Shapes as in
:mod:`evaluator.fitting.recurrence`: F folds, P parameters, M places; K features, J outputs.
"""

from __future__ import annotations

import numpy as np

from ..algorithms.algorithm import Encoder
from ..derivatives import Floats
from ..histories import Numbers
from .local import differentiate


class EncoderReplay:
    """A network on a trie; the same interface as :class:`evaluator.fitting.recurrence.Recurrence`."""

    def __init__(self, algorithm: Encoder, features: Floats, elapsed: Numbers) -> None:
        """``features`` (M, K) of the histories at the places; ``elapsed`` (M,) days since their last reviews."""
        self.algorithm = algorithm
        self._features = features
        self._elapsed = elapsed

    def predict(self, w: Floats) -> Floats:
        """Probability of recall at each place, shape (F, M), for parameters of shape (F, P)."""
        predicted = self.algorithm.curve(tuple(self._outputs(w)), self._elapsed)
        return np.broadcast_to(predicted, (len(w), len(self._elapsed)))

    def linearise(self, w: Floats) -> EncoderLinearisation:
        """What the algorithm predicts at ``w`` and how that changes with each parameter."""
        curve = differentiate(
            lambda _, outputs, elapsed: (self.algorithm.curve(outputs, elapsed),),
            w[:, :0],
            tuple(self._outputs(w)),
            (self._elapsed,),
        )
        return EncoderLinearisation(curve.values[0], np.stack(curve.by_state[0]), self._features)

    def _outputs(self, w: Floats) -> Floats:
        """What the head makes of the features, shape (J, F, M)."""
        folds, size = len(w), self._features.shape[1]
        count = w.shape[1] // (size + 1)
        weights = w[:, : count * size].reshape(folds, count, size)
        outputs: Floats = weights.transpose(1, 0, 2) @ self._features.T + w[:, count * size :].T[:, :, None]
        return outputs


class EncoderLinearisation:
    """Predictions at one point, with their derivatives by the parameters."""

    def __init__(self, predicted: Floats, by_output: Floats, features: Floats) -> None:
        self.predicted = predicted
        self._by_output = by_output  #: (J, F, M)
        self._features = features  #: (M, K)

    def gradient(self, by_predicted: Floats, parameters: int) -> Floats:
        """The gradient (F, P) of L from d L / d predicted (F, M)."""
        by_output = self._by_output * by_predicted
        by_weight = (by_output @ self._features).transpose(1, 0, 2).reshape(len(by_predicted), -1)
        return np.concatenate([by_weight, by_output.sum(axis=2).T], axis=1)[:, :parameters]

    def jacobian(self, parameters: int) -> Floats:
        """The derivatives of the predictions at each place, shape (F, P, M)."""
        by_output = self._by_output.transpose(1, 0, 2)
        folds, _, places = by_output.shape
        by_weight = (by_output[:, :, None] * self._features.T).reshape(folds, -1, places)
        return np.concatenate([by_weight, by_output], axis=1)[:, :parameters]

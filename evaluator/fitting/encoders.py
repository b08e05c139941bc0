"""The head of a network on the features that its frozen body makes of each history.

Shapes as in :mod:`evaluator.fitting.recurrence`: F folds, P parameters, N nodes, M places.
"""

from __future__ import annotations

import numpy as np

from ..algorithms.algorithm import Encoder
from ..derivatives import Floats
from ..histories import Histories
from .local import DenseLinearisation, differentiate


class EncoderReplay:
    """A network on a trie; the same interface as :class:`evaluator.fitting.recurrence.Recurrence`."""

    def __init__(self, algorithm: Encoder, histories: Histories) -> None:
        self.algorithm = algorithm
        self.histories = histories
        self._features = algorithm.encode(histories)[histories.place_node].T

    def predict(self, w: Floats) -> Floats:
        """Probability of recall at each place, shape (F, M), for parameters of shape (F, P)."""
        return self.linearise(w).predicted

    def linearise(self, w: Floats) -> DenseLinearisation:
        """What the algorithm predicts at ``w`` and how that changes with each parameter."""
        recall = differentiate(
            lambda w, _, elapsed, *features: (self.algorithm.recall(w, features, elapsed),),
            w,
            (),
            (self.histories.place_elapsed, *self._features),
        )
        jacobian = np.zeros((*w.shape, self.histories.places))
        for p, derivative in recall.by_parameter[0]:
            jacobian[:, p] = derivative
        return DenseLinearisation(recall.values[0], jacobian)

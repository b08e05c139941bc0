"""Training of a forgetting curve on the intervals of a scheduler, which are not changed."""

from __future__ import annotations

import numpy as np

from ..algorithms.algorithm import Calibrated
from ..data.dataset import Dataset
from ..derivatives import Floats, differentiate
from .objective import OutcomeCounts, PenalizedLogLoss, Prior
from .replay import Linearization, Replay
from .training import TrainingSet


class CalibrationReplay(Replay):
    """Forgetting curve at M values of t / interval."""

    def __init__(self, algorithm: Calibrated, share: Floats) -> None:
        self._algorithm = algorithm
        self._share = share

    def linearize(self, w: Floats) -> Linearization:
        curve = differentiate(lambda w, _, share: (self._algorithm.recall(w, share),), w, (), (self._share,))
        return Linearization.with_jacobian(curve.values[0], np.stack([slope for _, slope in curve.by_parameter[0]]))


class CalibrationSet(TrainingSet):
    """The training reviews of a curve, with t / interval of each review of the table (n,)."""

    def __init__(self, algorithm: Calibrated, data: Dataset, share: Floats) -> None:
        super().__init__(algorithm, data)
        self._curve = algorithm
        self._share = share

    def objective(self, fold: int, prior: Prior) -> PenalizedLogLoss:
        indices = np.flatnonzero(self.trained_before(fold))
        unique_shares, position = np.unique(self._share[indices], return_inverse=True)
        outcomes = OutcomeCounts.from_reviews(position, self.reviews.recalled[indices], np.ones(len(indices)))
        return PenalizedLogLoss(self.scale, CalibrationReplay(self._curve, unique_shares), outcomes, prior)

    def predict(self, w: Floats, fold: int) -> Floats:
        predicted: Floats = self._curve.recall(list(w), self._share[self.data.folds[fold].tested])
        return predicted

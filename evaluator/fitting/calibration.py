"""Training of a forgetting curve on the intervals of a scheduler, which are not changed."""

from __future__ import annotations

from typing import Tuple

import numpy as np

from ..algorithms.algorithm import Calibrated
from ..data.dataset import Dataset
from ..data.revlog import Bools
from ..derivatives import Floats, differentiate
from ..progress import Progress
from .fisher_scoring import minimize
from .objective import OutcomeCounts, PenalizedLogLoss, Prior, Scale
from .replay import Linearization, Replay
from .training import MAX_TRAINING_HISTORY


class CalibrationReplay(Replay):
    """Forgetting curve at M values of t / interval."""

    def __init__(self, algorithm: Calibrated, share: Floats) -> None:
        self._algorithm = algorithm
        self._share = share

    def linearize(self, w: Floats) -> Linearization:
        curve = differentiate(lambda w, _, share: (self._algorithm.recall(w, share),), w, (), (self._share,))
        return Linearization.with_jacobian(curve.values[0], np.stack([slope for _, slope in curve.by_parameter[0]]))


def calibrate(algorithm: Calibrated, data: Dataset, share: Floats, progress: Progress) -> Tuple[Floats, Bools]:
    """Train the curve for each fold, starting from the optimum of the fold before.

    Args:
        algorithm: the algorithm with the curve.
        data: the reviews and the folds.
        share: t / interval of each review of the table (n,).
        progress: called after each pass with the number of finished folds.

    Returns:
        The parameters (F, P), and whether each fold converged (F,).
    """
    reviews = data.reviews
    folds = len(data.folds)
    is_short_enough = data.histories(algorithm.inputs).length_of_review <= MAX_TRAINING_HISTORY
    scale = Scale(algorithm.parameters)
    x = scale.to_search(algorithm.defaults)
    prior = Prior(x, np.array([p.width for p in algorithm.parameters]), algorithm.penalty)
    w = np.zeros((folds, len(x)))
    converged = np.ones(folds, dtype=bool)
    for fold in range(folds):
        indices = np.flatnonzero(is_short_enough[: data.training_stop(reviews, fold)])
        unique_shares, position = np.unique(share[indices], return_inverse=True)
        outcomes = OutcomeCounts.from_reviews(position, reviews.recalled[indices], np.ones(len(indices)))
        objective = PenalizedLogLoss(scale, CalibrationReplay(algorithm, unique_shares), outcomes, prior)
        fold_progress = progress.part(fold / folds, (fold + 1) / folds, done=fold, total=folds)
        minimum = minimize(objective, x, scale.lower, scale.upper, widths=prior.width, progress=fold_progress)
        x = minimum.x
        converged[fold] = minimum.converged
        w[fold] = scale.to_parameters(x)
        progress((fold + 1) / folds, done=fold + 1, total=folds)
    return w, converged

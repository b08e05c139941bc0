"""Training of the parameters of each fold on the reviews before it."""

from __future__ import annotations

from typing import Optional, Tuple

import numpy as np

from ..algorithms.algorithm import Parametric, Training
from ..data.dataset import Dataset
from ..data.reviews import COMPACT_INT
from ..data.revlog import Bools, Ints
from ..derivatives import Floats
from ..progress import Progress
from .fisher_scoring import STALL_SHARE, Minimum, minimize
from .objective import OutcomeCounts, PenalizedLogLoss, Prior, Scale
from .predictor import Predictor

#: Maximum length of the history of a training review. As in the benchmark, reviews with longer histories are only
#: predicted.
MAX_TRAINING_HISTORY = 64

#: Number of cards from which the Fisher information is estimated. It uses all cards if there are at most twice as many.
FISHER_CARDS = 500
#: Networks with more parameters than this use fewer cards for the Fisher information, and end the search sooner.
MANY_PARAMETERS = 100
#: Number of cards for the Fisher information of such a network, times its number of parameters.
FISHER_ENTRIES = 50_000
#: Share of the loss for such networks, see :data:`evaluator.fitting.fisher_scoring.STALL_SHARE`.
NETWORK_STALL_SHARE = 5e-4
#: Seed of the sample of cards for the Fisher information.
SEED = 2023


def train(training_set: TrainingSet, center: Floats, progress: Progress) -> Tuple[Floats, Bools, Floats]:
    """Train an algorithm for each fold, and predict the tested reviews.

    The training reviews of a fold include those of the fold before. So the first search starts at the center of the
    prior, and each later one at the optimum of the fold before. A fold without training reviews keeps the center.

    Args:
        training_set: the algorithm with its training reviews.
        center: the prior's center for each fold (F, P).
        progress: called after each pass with the number of finished folds.

    Returns:
        The parameters (F, P), whether each fold converged (F,), and the predictions of the tested reviews.
    """
    w = center.copy()
    converged = np.ones(len(center), dtype=bool)
    predicted = []
    x = None
    scale = training_set.scale
    n_folds = len(center)
    for fold in range(n_folds):
        # A new deck may have no reviews before the fold.
        if training_set.trained_before(fold).any():
            fold_progress = progress.part(fold / n_folds, (fold + 1) / n_folds, done=fold, total=n_folds)
            prior_center = scale.to_search(center[fold])
            x = prior_center if x is None else x
            x, converged[fold] = _search(training_set, fold, x, prior_center, fold_progress)
            w[fold] = training_set.algorithm.effective_parameters(scale.to_parameters(x))
        predicted.append(training_set.predict(w[fold], fold))
        progress((fold + 1) / n_folds, done=fold + 1, total=n_folds)
    return w, converged, np.concatenate(predicted)


def _search(training_set: TrainingSet, fold: int, x: Floats, center: Floats, progress: Progress) -> Minimum:
    """Search for the parameters of a fold, starting at ``x`` (P,).

    ``x`` and ``center`` (P,) are on the scale of the search.
    """
    algorithm = training_set.algorithm
    parameters = algorithm.parameters
    scale = training_set.scale
    prior = Prior(center, np.array([p.width for p in parameters]), algorithm.penalty)
    trained_indices = training_set.training.only
    n_parameters = len(parameters)
    is_fixed = np.array([trained_indices is not None and index not in trained_indices for index in range(n_parameters)])
    objective = training_set.objective(fold, prior)
    stall_share = STALL_SHARE if n_parameters <= MANY_PARAMETERS else NETWORK_STALL_SHARE
    lower = np.where(is_fixed, x, scale.lower)
    upper = np.where(is_fixed, x, scale.upper)
    return minimize(objective, x, lower, upper, widths=prior.width, stall_share=stall_share, progress=progress)


class TrainingSet:
    """The training reviews of one algorithm, fold by fold."""

    def __init__(self, algorithm: Parametric, data: Dataset) -> None:
        self.algorithm = algorithm
        self.data = data
        self.training = algorithm.training or Training()
        self.scale = Scale(algorithm.parameters)
        self.reviews, self.histories = data.training(algorithm.inputs)
        self._predictor = Predictor(algorithm, self.histories)
        #: Index of each review of the table among the training reviews, or -1 if it is not among them.
        self._training_review = np.arange(len(data.reviews), dtype=COMPACT_INT)
        if self.reviews is not data.reviews:
            index_of_row = np.full(len(data.rows), -1, dtype=COMPACT_INT)
            index_of_row[self.reviews.row] = np.arange(len(self.reviews))
            self._training_review = index_of_row[data.reviews.row]
        self._is_trained_on = self.histories.length_of_review <= MAX_TRAINING_HISTORY
        self._card = data.rows.card[self.reviews.row]
        training_indices = np.flatnonzero(self._is_trained_on)[::-1]
        #: The first training review of each card.
        self._first_review = np.full(self._card.max(initial=-1) + 1, len(self._card))
        self._first_review[self._card[training_indices]] = training_indices

    def objective(self, fold: int, prior: Prior) -> PenalizedLogLoss:
        """Return the loss to minimize for a fold."""
        reviews = self.reviews
        is_trained_on = self.trained_before(fold)
        count = len(is_trained_on)
        weights = is_trained_on * self.training.recency.weights(count)
        replay, query = self._predictor.replay_up_to(count)
        outcomes = OutcomeCounts.from_reviews(query, reviews.recalled[:count], weights)
        sample = None
        indices = self._sample_reviews(count)
        if indices is not None:
            sample_replay, query = self._predictor.replay_at(self.histories.query_of_review[indices])
            sample = sample_replay, OutcomeCounts.from_reviews(query, reviews.recalled[indices], weights[indices])
        return PenalizedLogLoss(self.scale, replay, outcomes, prior, sample)

    def predict(self, w: Floats, fold: int) -> Floats:
        """Return the predictions (n,) of the reviews tested in the fold, with parameters w (P,)."""
        data = self.data
        tested = data.folds[fold].tested
        indices = self._training_review[tested]
        # A review within a second of the one before is tested, but not trained on.
        if (indices < 0).any():
            return Predictor(self.algorithm, data.histories(self.algorithm.inputs)).predict(w, tested)
        next_stop = data.training_stop(self.reviews, fold + 1) if fold + 1 < len(data.folds) else 0
        # Two reviews may be at the same instant. Then one may be tested in this fold, but not be in the training of
        # the next.
        return self._predictor.predict(w, indices, next_stop if next_stop > indices.max(initial=-1) else None)

    def trained_before(self, fold: int) -> Bools:
        """Return which reviews before the fold are trained on. Those with too long histories are not."""
        return self._is_trained_on[: self.data.training_stop(self.reviews, fold)]

    def _sample_reviews(self, stop: int) -> Optional[Ints]:
        """Return the reviews before ``stop`` of a sample of cards for the Fisher information, or None to use all."""
        n_parameters = len(self.algorithm.parameters)
        sample_size = FISHER_CARDS if n_parameters <= MANY_PARAMETERS else FISHER_ENTRIES // n_parameters
        cards = np.flatnonzero(self._first_review < stop)
        if len(cards) <= 2 * sample_size:
            return None
        is_drawn = np.zeros(len(self._first_review), dtype=bool)
        is_drawn[np.random.default_rng(SEED).choice(cards, sample_size, replace=False)] = True
        return np.flatnonzero(is_drawn[self._card[:stop]] & self._is_trained_on[:stop])

"""Training: the parameters of each fold, from the reviews before it."""

from __future__ import annotations

from typing import Optional, Tuple

import numpy as np

from ..algorithms.algorithm import Parametric
from ..data.dataset import Dataset
from ..data.reviews import COMPACT_INT
from ..data.revlog import Bools, Ints
from ..derivatives import Floats
from ..progress import SILENT, Progress
from .fisher_scoring import STALL_SHARE, Minimum, minimize
from .objective import OutcomeCounts, PenalizedLogLoss, Prior, Scale
from .predictor import Predictor

#: Maximum length of the history of a training review. Longer ones are predicted only, as in the benchmark.
MAX_TRAINING_HISTORY = 64

#: The Fisher information is taken from this many cards if there are more than twice as many.
FISHER_CARDS = 500
#: Networks with more parameters than this take the Fisher information from fewer cards, and settle sooner.
MANY_PARAMETERS = 100
#: For such networks: the number of cards for the Fisher information, times that of parameters.
FISHER_ENTRIES = 50_000
#: For such networks: the search has settled when some passes together gained less than this share of the loss.
NETWORK_STALL_SHARE = 5e-4
SEED = 2023


def train(
    algorithm: Parametric, data: Dataset, center: Floats, progress: Progress = SILENT
) -> Tuple[Floats, Bools, Floats]:
    """Train the algorithm for each fold, and predict the tested reviews.

    The folds are nested. The first search starts at the prior's center, and each later one at the optimum of the fold
    before. A fold with nothing to train on keeps the center.

    Args:
        algorithm: the algorithm.
        data: the reviews and the folds.
        center: the prior's center for each fold (F, P).
        progress: called after each pass with the number of finished folds.

    Returns:
        The parameters (F, P), whether each fold converged (F,), and the predictions of the tested reviews.
    """
    w, converged, predicted = center.copy(), np.ones(len(center), dtype=bool), []
    training_set, start = TrainingSet(algorithm, data), None
    scale = training_set.scale
    folds = len(data.folds)
    for fold in range(folds):
        if training_set.has_training_data(fold):  # A deck may be newer.
            part = progress.part(fold / folds, (fold + 1) / folds, done=fold, total=folds)
            prior_center = scale.to_search(center[fold])
            first = prior_center if start is None else start
            minimum = _search(algorithm, training_set, fold, first, prior_center, part)
            start, converged[fold] = minimum.x, minimum.converged
            w[fold] = algorithm.effective(scale.to_parameters(start))
        predicted.append(training_set.predict(w[fold], fold))
        progress((fold + 1) / folds, done=fold + 1, total=folds)
    return w, converged, np.concatenate(predicted)


def _search(
    algorithm: Parametric, training_set: TrainingSet, fold: int, x: Floats, center: Floats, progress: Progress
) -> Minimum:
    """Search the parameters of a fold from ``x``. Both ``x`` and the center are on the scale of the search."""
    parameters, scale = algorithm.parameters, training_set.scale
    prior = Prior(center, np.array([p.width for p in parameters]), algorithm.penalty)
    only = algorithm.training.only if algorithm.training is not None else ()
    fixed = np.array([only is not None and index not in only for index in range(len(parameters))])
    objective = training_set.objective(fold, prior)
    share = STALL_SHARE if len(parameters) <= MANY_PARAMETERS else NETWORK_STALL_SHARE
    bounds = np.where(fixed, x, scale.lower), np.where(fixed, x, scale.upper)
    return minimize(objective, x, *bounds, widths=prior.width, stall_share=share, progress=progress)


class TrainingSet:
    """The training reviews of one algorithm, fold by fold."""

    def __init__(self, algorithm: Parametric, data: Dataset) -> None:
        self._algorithm = algorithm
        self._data = data
        self.scale = Scale(algorithm.parameters)
        self._reviews, self.histories = data.training(algorithm.inputs)
        self._predictor = Predictor(algorithm, self.histories)
        #: For each review of the table, which training review it is, or -1 if none.
        self._training_review = np.arange(len(data.reviews), dtype=COMPACT_INT)
        if self._reviews is not data.reviews:
            number = np.full(len(data.rows), -1, dtype=COMPACT_INT)
            number[self._reviews.row] = np.arange(len(self._reviews))
            self._training_review = number[data.reviews.row]
        self._is_trained_on = self.histories.length_of_review <= MAX_TRAINING_HISTORY
        self._card = data.rows.card[self._reviews.row]
        trained_on = np.flatnonzero(self._is_trained_on)[::-1]
        #: The first review of each card that is trained on.
        self._card_since = np.full(self._card.max(initial=-1) + 1, len(self._card))
        self._card_since[self._card[trained_on]] = trained_on

    def objective(self, fold: int, prior: Prior) -> PenalizedLogLoss:
        """Return the loss to minimize for a fold."""
        weights = self._weights(fold)
        reviews, count = self._reviews, len(weights)
        replay, query = self._predictor.up_to(count)
        outcomes = OutcomeCounts.from_reviews(query, reviews.recalled[:count], weights)
        sample, sampled = None, self._sampled(count)
        if sampled is not None:
            part, query = self._predictor.at(self.histories.query_of_review[sampled])
            sample = part, OutcomeCounts.from_reviews(query, reviews.recalled[sampled], weights[sampled])
        return PenalizedLogLoss(self.scale, replay, outcomes, prior, sample)

    def predict(self, w: Floats, fold: int) -> Floats:
        """Return the predictions (n,) of the reviews tested in the fold, with parameters w (P,)."""
        data, tested = self._data, slice(self._data.folds[fold].test_start, self._data.folds[fold].test_stop)
        reviews = self._training_review[tested]
        if (reviews < 0).any():
            return Predictor(self._algorithm, data.histories(self._algorithm.inputs)).predict(w, tested)
        next_stop = data.training_stop(self._reviews, fold + 1) if fold + 1 < len(data.folds) else 0
        # One of two reviews at the same instant may be tested in this fold and not be a training review in the next.
        return self._predictor.predict(w, reviews, next_stop if next_stop > reviews.max(initial=-1) else None)

    def has_training_data(self, fold: int) -> bool:
        """Return whether there is anything to train on. All histories may be too long."""
        stop = self._data.training_stop(self._reviews, fold)
        return bool(self._is_trained_on[:stop].any())

    def _weights(self, fold: int) -> Floats:
        stop = self._data.training_stop(self._reviews, fold)
        training = self._algorithm.training
        recency = training.recency if training is not None else None
        weights = np.ones(stop) if recency is None else recency.weights(stop)
        return weights * self._is_trained_on[:stop]

    def _sampled(self, stop: int) -> Optional[Ints]:
        """Return the reviews before ``stop`` whose cards are sampled for the Fisher information, or None for all."""
        parameters = len(self._algorithm.parameters)
        enough = FISHER_CARDS if parameters <= MANY_PARAMETERS else FISHER_ENTRIES // parameters
        cards = np.flatnonzero(self._card_since < stop)
        if len(cards) <= 2 * enough:
            return None
        drawn = np.zeros(len(self._card_since), dtype=bool)
        drawn[np.random.default_rng(SEED).choice(cards, enough, replace=False)] = True
        return np.flatnonzero(drawn[self._card[:stop]] & self._is_trained_on[:stop])

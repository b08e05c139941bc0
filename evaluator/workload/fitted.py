"""FSRS-6 fitted to one person, with slips or without, and the uncertainty of its parameters.

On the scale of the search x the covariance of the fitted parameters is H^-1 (B + Q) H^-1: Q is the curvature of the
prior, H the Fisher information of the reviews plus Q, and B the sum over cards of s s', s being the sum of the scores
of a card's reviews. Reviews of one card are not independent, which the Fisher information takes them for.

Reference: Liang & Zeger (1986), Longitudinal data analysis using generalized linear models, Biometrika 73:13, doi
10.1093/biomet/73.1.13.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..algorithms.fsrs6 import FSRS6
from ..data.dataset import Dataset
from ..data.folds import Fold
from ..data.revlog import Bools, Ints
from ..derivatives import Floats
from ..fitting.objective import Scale
from ..fitting.predictor import Predictor
from ..fitting.training import MAX_TRAINING_HISTORY, SEED, train
from ..metrics.scores import CLIP
from ..progress import SILENT, Progress

#: Scores are taken from this many reviews at most, those of cards that are drawn, and scaled up.
MAX_SCORES = 50_000


@dataclass(frozen=True)
class Fit:
    """Parameters of an algorithm, with their uncertainty, fitted to the reviews before one moment."""

    algorithm: FSRS6
    w: Floats  #: (P,)
    covariance: Floats  #: (P, P), on the scale of the search

    def draws(self, count: int, random: np.random.Generator) -> Floats:
        """Return this many parameters that may be the true ones, within their bounds: (P, count)."""
        scale = Scale(self.algorithm.parameters)
        values, vectors = np.linalg.eigh(self.covariance)
        # The symmetric root does not depend on the signs of the eigenvectors, which differ between machines.
        spread = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        x = scale.to_search(self.w)[:, None] + spread @ random.standard_normal((len(self.w), count))
        return np.stack([scale.to_parameters(column) for column in x.T], axis=1)


def fit(algorithm: FSRS6, data: Dataset, stop: int, progress: Progress = SILENT) -> Fit:
    """Fit to the first ``stop`` reviews of the table, and to their cards' earlier rows."""
    before = data.with_folds(Fold(stop, len(data.reviews)))
    center = algorithm.defaults[None]
    w = train(algorithm, before, center, progress)[0][0]
    return Fit(algorithm, w, _covariance(algorithm, before, w))


def _covariance(algorithm: FSRS6, data: Dataset, w: Floats) -> Floats:
    reviews, histories = data.training(algorithm.inputs)
    stop = data.training_stop(reviews, 0)
    chosen = np.flatnonzero(histories.length_of_review[:stop] <= MAX_TRAINING_HISTORY)
    card = data.rows.card[reviews.row[chosen]]
    is_drawn = _draw_cards(card)
    factor = len(chosen) / max(int(is_drawn.sum()), 1)
    chosen, card = chosen[is_drawn], card[is_drawn]
    replay, query = Predictor(algorithm, histories).at(histories.query_of_review[chosen])
    linearized = replay.linearize(w)
    p = np.clip(linearized.predicted, CLIP, 1 - CLIP)
    slope = linearized.jacobian() * Scale(algorithm.parameters).stretch(w)[:, None] / np.sqrt(p * (1 - p))
    information = (slope * np.bincount(query, minlength=len(p))) @ slope.T * factor
    residual = (reviews.recalled[chosen] - p[query]) / np.sqrt(p * (1 - p))[query]
    order = np.argsort(card, kind="stable")
    scores = slope[:, query[order]] * residual[order]
    begins = np.flatnonzero(np.diff(card[order], prepend=-1))
    by_card = np.add.reduceat(scores, begins, axis=1) if len(begins) else np.zeros((len(w), 0))
    prior = np.diag([2 / q.width**2 for q in algorithm.parameters])
    inverse = np.linalg.pinv(information + prior, hermitian=True)
    spread = by_card @ by_card.T * factor + prior
    covariance: Floats = inverse @ spread @ inverse
    return covariance


def _draw_cards(card: Ints) -> Bools:
    """Return which reviews (n,) are of cards that are drawn, given the number of each one's card."""
    if len(card) <= MAX_SCORES:
        return np.ones(len(card), dtype=bool)
    cards = np.unique(card)
    requested = max(1, len(cards) * MAX_SCORES // len(card))
    return np.isin(card, np.random.default_rng(SEED).choice(cards, requested, replace=False))

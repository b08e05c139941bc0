"""FSRS-6 fitted to one user, with slips or without, and the uncertainty of its parameters.

A slip is an answer with Again to a known card, by mistake or because the question was another. With a share s of slips,
R(t) = (1 - s) R of FSRS-6. States follow from the answers as in FSRS-6. Without s, slips would count as immediate
forgetting, and the forgetting curve of FSRS-6 would have to be wrong elsewhere to explain them.

On the scale of the search x the covariance of the fitted parameters is H^-1 (B + Q) H^-1. Here Q is the curvature of
the prior, H is the Fisher information of the reviews plus Q, and B is the sum of u u' over cards, where u is the sum of
the scores of a card's reviews. It does not assume, as the Fisher information does, that reviews of one card are
independent.

Reference: Liang & Zeger (1986), Longitudinal data analysis using generalized linear models, Biometrika 73:13, doi
10.1093/biomet/73.1.13.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

import numpy as np

from ..algorithms.algorithm import Array, Parameter, State, Training
from ..algorithms.fsrs6 import FSRS6, FSRS_6
from ..data.dataset import Dataset
from ..data.folds import Fold
from ..data.revlog import Bools, Ints
from ..derivatives import Floats
from ..fitting.kernels import HAND_DERIVED, make_replay
from ..fitting.objective import Scale
from ..fitting.predictor import Predictor
from ..fitting.replay import Linearization, Replay
from ..fitting.training import MAX_TRAINING_HISTORY, SEED, TrainingSet, train
from ..metrics.scores import CLIP
from ..progress import SILENT, Progress

#: Maximum number of reviews from which scores are taken. If there are more, a sample of the cards is drawn, and the
#: sums are scaled up.
MAX_SCORES = 50_000
#: s, the share of known cards that are answered with Again.
SLIPS = Parameter(0.0, 0.0, 0.2, width=0.03)


class SlippingFSRS6(FSRS6):
    """FSRS-6 with the share of slips as its 22nd parameter."""

    parameters = (*FSRS6.parameters, SLIPS)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        return FSRS_6.step(w, state, elapsed, rating)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return (1 - w[21]) * FSRS_6.recall(w, state, elapsed)


@dataclass(frozen=True)
class _SlippingReplay(Replay):
    """Replay of FSRS-6 with slips, with its derivatives."""

    fsrs6: Replay  #: replay of FSRS-6 without slips

    def linearize(self, w: Floats) -> Linearization:
        fsrs6 = self.fsrs6.linearize(w[:-1])
        no_slip_share = 1 - float(w[-1])

        def gradient(by_predicted: Floats) -> Floats:
            return np.append(fsrs6.gradient(no_slip_share * by_predicted), -(fsrs6.predicted @ by_predicted))

        def jacobian() -> Floats:
            return np.vstack([no_slip_share * fsrs6.jacobian(), -fsrs6.predicted])

        return Linearization(no_slip_share * fsrs6.predicted, gradient, jacobian)


HAND_DERIVED[SlippingFSRS6] = lambda _, trie: _SlippingReplay(make_replay(FSRS_6, trie))

SLIPPING_FSRS_6 = SlippingFSRS6(FSRS_6.name, FSRS_6.description, training=Training())


@dataclass(frozen=True)
class Fit:
    """Fitted parameters of an algorithm, with their uncertainty."""

    algorithm: FSRS6
    w: Floats  #: (P,) fitted parameters
    covariance: Floats  #: (P, P) covariance on the scale of the search

    def draw(self, count: int, random: np.random.Generator) -> Floats:
        """Draw parameters that may be the true ones, within their bounds, (P, count)."""
        scale = Scale(self.algorithm.parameters)
        values, vectors = np.linalg.eigh(self.covariance)
        # The symmetric root does not depend on the signs of the eigenvectors, which differ between machines.
        root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        x = scale.to_search(self.w)[:, None] + root @ random.standard_normal((len(self.w), count))
        return np.stack([scale.to_parameters(column) for column in x.T], axis=1)


def fit(algorithm: FSRS6, data: Dataset, stop: int, progress: Progress = SILENT) -> Fit:
    """Fit the algorithm to the first ``stop`` reviews of the table."""
    training_data = data.with_folds(Fold(stop, len(data.reviews)))
    w = train(TrainingSet(algorithm, training_data), algorithm.defaults[None], progress)[0][0]
    return Fit(algorithm, w, _covariance(algorithm, training_data, w))


def _covariance(algorithm: FSRS6, data: Dataset, w: Floats) -> Floats:
    """Return the covariance (P, P) of the fitted parameters, as in the docstring of this file."""
    reviews, histories = data.training(algorithm.inputs)
    stop = data.training_stop(reviews, 0)
    indices = np.flatnonzero(histories.length_of_review[:stop] <= MAX_TRAINING_HISTORY)
    card = data.rows.card[reviews.row[indices]]
    is_drawn = _draw_cards(card)
    factor = len(indices) / max(int(is_drawn.sum()), 1)
    indices = indices[is_drawn]
    card = card[is_drawn]
    replay, query = Predictor(algorithm, histories).replay_at(histories.query_of_review[indices])
    linearized = replay.linearize(w)
    p = np.clip(linearized.predicted, CLIP, 1 - CLIP)
    slope = linearized.jacobian() * Scale(algorithm.parameters).stretch(w)[:, None] / np.sqrt(p * (1 - p))
    information = (slope * np.bincount(query, minlength=len(p))) @ slope.T * factor
    residual = (reviews.recalled[indices] - p[query]) / np.sqrt(p * (1 - p))[query]
    order = np.argsort(card, kind="stable")
    scores = slope[:, query[order]] * residual[order]
    card_starts = np.flatnonzero(np.diff(card[order], prepend=-1))
    card_scores = np.add.reduceat(scores, card_starts, axis=1)
    prior = np.diag([2 / parameter.width**2 for parameter in algorithm.parameters])
    inverse = np.linalg.pinv(information + prior, hermitian=True)
    score_covariance = card_scores @ card_scores.T * factor + prior
    return inverse @ score_covariance @ inverse


def _draw_cards(card: Ints) -> Bools:
    """Draw cards with about MAX_SCORES reviews, and return whether each review (n,) belongs to one of them."""
    if len(card) <= MAX_SCORES:
        return np.ones(len(card), dtype=bool)
    cards = np.unique(card)
    sample_size = max(1, len(cards) * MAX_SCORES // len(card))
    return np.isin(card, np.random.default_rng(SEED).choice(cards, sample_size, replace=False))

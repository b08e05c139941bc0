"""An algorithm fitted to one person, and how sure its parameters are.

On the scale of the search x the covariance of the fitted parameters is H^-1 (B + Q) H^-1: Q is the curvature of the
prior, H the Fisher information of the reviews plus Q, and B the sum over cards of s s', s being the sum of the scores
of a card's reviews. Reviews of one card are not independent, which the Fisher information takes them for.

Reference: Liang & Zeger (1986), Longitudinal data analysis using generalized linear models, Biometrika 73:13, doi
10.1093/biomet/73.1.13.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..algorithms.algorithm import Parametric, Recurrent
from ..derivatives import Floats
from ..fitting.dataset import Dataset
from ..fitting.objective import Scale
from ..fitting.predictor import Predictor
from ..fitting.recurrence import Recurrence
from ..fitting.training import MAX_TRAINING_HISTORY, SEED, train
from ..folds import Fold
from ..metrics.scores import CLIP
from ..progress import SILENT, Progress
from ..revlog import Ints

#: Scores are taken from so many reviews at most, those of cards that are drawn, and scaled up.
MOST_SCORES = 50_000
#: How much the pace of cards may differ: standard deviations of its logarithm that are tried, and the means.
PACE = np.linspace(-2.4, 2.4, 25)
PACE_SDS = np.linspace(0.05, 1.0, 20)
PACE_MEANS = np.linspace(-0.5, 0.3, 17)


@dataclass(frozen=True)
class Fit:
    """What is known of an algorithm's parameters from the reviews before one moment."""

    algorithm: Parametric
    w: Floats  #: (P,)
    covariance: Floats  #: (P, P), on the scale of the search

    def draws(self, count: int, random: np.random.Generator) -> Floats:
        """So many parameters that may be the true ones, within their bounds: (P, count)."""
        scale = Scale(self.algorithm.parameters)
        values, vectors = np.linalg.eigh(self.covariance)
        spread = vectors * np.sqrt(np.maximum(values, 0.0))
        x = scale.to_search(self.w)[:, None] + spread @ random.standard_normal((len(self.w), count))
        return np.stack([scale.to_parameters(column) for column in x.T], axis=1)


def fit(algorithm: Parametric, data: Dataset, stop: int, progress: Progress = SILENT) -> Fit:
    """Fit to the first ``stop`` reviews of the table, and what of earlier rows belongs to them."""
    before = data.divided(Fold(stop, len(data.reviews)))
    centre = np.array([[p.default for p in algorithm.parameters]])
    w = train(algorithm, before, centre, progress)[0][0]
    return Fit(algorithm, w, _covariance(algorithm, before, w))


def _covariance(algorithm: Parametric, data: Dataset, w: Floats) -> Floats:
    reviews, histories = data.training(algorithm.inputs)
    stop = data.training_stop(reviews, 0)
    asked = np.flatnonzero(histories.length_of_review[:stop] <= MAX_TRAINING_HISTORY)
    card = data.rows.card[reviews.row[asked]]
    some = _some_cards(card)
    factor = len(asked) / max(int(some.sum()), 1)
    asked, card = asked[some], card[some]
    replay, number = Predictor(algorithm, histories).at(histories.place_of_review[asked], own_room=True)
    scale, at = Scale(algorithm.parameters), replay.linearise(w)
    p = np.clip(at.predicted, CLIP, 1 - CLIP)
    slope = at.jacobian() * scale.stretch(w)[:, None] / np.sqrt(p * (1 - p))
    count = np.bincount(number, minlength=len(p))
    information = (slope * count) @ slope.T * factor
    residual = (reviews.recalled[asked] - p[number]) / np.sqrt(p * (1 - p))[number]
    order = np.argsort(card, kind="stable")
    scores = slope[:, number[order]] * residual[order]
    begins = np.flatnonzero(np.diff(card[order], prepend=-1))
    by_card = np.add.reduceat(scores, begins, axis=1) if len(begins) else np.zeros((len(w), 0))
    prior = np.diag([2 / q.width**2 for q in algorithm.parameters])
    inverse = np.linalg.pinv(information + prior, hermitian=True)
    spread = by_card @ by_card.T * factor + prior
    covariance: Floats = inverse @ spread @ inverse
    return covariance


def _some_cards(card: Ints) -> np.ndarray:
    """Which of the reviews of these cards are looked at."""
    keep = np.ones(len(card), dtype=bool)
    if len(card) > MOST_SCORES:
        cards = np.flatnonzero(np.bincount(card))
        wanted = max(1, len(cards) * MOST_SCORES // len(card))
        drawn = np.zeros(int(card.max()) + 1, dtype=bool)
        drawn[np.random.default_rng(SEED).choice(cards, wanted, replace=False)] = True
        keep = drawn[card]
    return keep


@dataclass(frozen=True)
class Paces:
    """How fast time passes for each card, against what the fit says of all: logarithms on the grid :data:`PACE`."""

    of_any: Floats  #: (grid,) the shares of cards with each pace
    of_card: Floats  #: (cards, grid) likewise, given how each of them was remembered
    spread: float = PACE[1] - PACE[0]  #: within a place of the grid

    def drawn(self, card: Ints, draws: int, random: np.random.Generator) -> Floats:
        """A pace for each card and draw (draws * cards,), draw by draw; number -1 is a new card."""
        shares = np.vstack([self.of_card, self.of_any])[card]
        below = np.cumsum(shares, axis=1)[None, :, :-1]
        chance = random.random((draws, len(card), 1))
        place = (chance > below).sum(axis=2)
        within = random.uniform(-0.5, 0.5, place.shape) * self.spread
        pace: Floats = np.exp(PACE[place] + within).ravel()
        return pace


def paces(fitted: Fit, data: Dataset, stop: int, progress: Progress = SILENT) -> Paces:
    """How unlike each other the cards are, by maximum likelihood, and what is known of each.

    Of an algorithm without a state nothing is known: no differences.
    """
    algorithm = fitted.algorithm
    if not isinstance(algorithm, Recurrent):
        return no_paces(int(data.rows.card[-1]) + 1)
    before = data.divided(Fold(stop, len(data.reviews)))
    reviews, histories = before.training(algorithm.inputs)
    end = before.training_stop(reviews, 0)
    asked = np.flatnonzero(histories.length_of_review[:end] <= MAX_TRAINING_HISTORY)
    cards = int(data.rows.card[-1]) + 1 if len(data.rows) else 0
    by_card = np.zeros((cards, len(PACE)))
    place = histories.place_of_review[asked]
    state = Recurrence(algorithm, histories).states(fitted.w)
    at_place = tuple(column[histories.place_node] for column in state)
    card, recalled = data.rows.card[reviews.row[asked]], reviews.recalled[asked] == 1
    for number, pace in enumerate(np.exp(PACE)):
        progress(number / len(PACE))
        p = algorithm.recall(list(fitted.w), at_place, histories.place_elapsed * pace)
        p = np.clip(p, CLIP, 1 - CLIP)[place]
        by_card[:, number] = np.bincount(card, np.log(np.where(recalled, p, 1 - p)), cards)
    likelihood = np.exp(by_card - by_card.max(axis=1, keepdims=True))
    of_seen = likelihood[np.bincount(card, minlength=cards) > 0]
    best, of_any = -np.inf, np.zeros(len(PACE))
    for sd in PACE_SDS:
        shares = np.exp(-0.5 * ((PACE - PACE_MEANS[:, None]) / sd) ** 2)
        shares /= shares.sum(axis=1, keepdims=True)
        totals = np.log(of_seen @ shares.T).sum(axis=0)
        if totals.max() > best:
            best, of_any = totals.max(), shares[totals.argmax()]
    of_card = likelihood * of_any
    return Paces(of_any, of_card / of_card.sum(axis=1, keepdims=True))


def no_paces(cards: int) -> Paces:
    """As if time passed equally fast for all cards."""
    shares: Floats = (np.abs(PACE) < 1e-9).astype(np.float64)
    return Paces(shares, np.tile(shares, (cards, 1)), spread=0.0)

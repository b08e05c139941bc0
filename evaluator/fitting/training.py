"""Training: the parameters of each fold, from the reviews before it."""

from __future__ import annotations

from dataclasses import replace
from typing import Generator, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ..derivatives import Floats
from ..histories import Histories
from ..reviews import Reviews
from ..revlog import Ints
from .data import Data
from .fisher_scoring import STALL_SHARE, Minimum, minimise
from .objective import Outcomes, PenalisedLogLoss, Prior, Scale
from .replay import Fittable, Replay, replay

#: Reviews with more history than this are predicted but not trained on, as in the benchmark.
MAX_TRAINING_HISTORY = 64

#: Folds are fitted side by side while folds * nodes stays below this, else one after the other.
SIDE_BY_SIDE = 400_000

#: The Fisher information is taken from this many cards where there are more; the gradient always from all.
FISHER_CARDS = 5_000
#: Networks with more parameters than this are fitted one fold after the other, however small the collection, ...
MANY_PARAMETERS = 100
#: ... take the Fisher information from fewer cards: this many cards times parameters, ...
FISHER_ENTRIES = 50_000
#: ... and settle sooner: when some passes together gained less than this share of the loss.
NETWORK_STALL_SHARE = 5e-4
SEED = 2023


def train(
    algorithm: Fittable, data: Data, centre: Floats
) -> Generator[int, None, Tuple[Floats, npt.NDArray[np.bool_]]]:
    """The parameters of each fold, shape (F, P), and whether each fold converged; yields how many have settled.

    The search starts at the prior's ``centre`` (F, P). The folds are nested. Small collections fit them side by side;
    large ones one after the other, each on a trie of its own training reviews and from the last one's optimum. A fold
    with nothing before it keeps the centre.
    """
    w, converged = centre.copy(), np.ones(len(centre), dtype=bool)
    trainable = np.array([k for k, fold in enumerate(data.folds) if fold.test_start > 0])  # a deck may be newer
    if not len(trainable):
        return w, converged
    few = len(algorithm.parameters) <= MANY_PARAMETERS
    together = few and data.histories(algorithm.inputs).nodes * len(trainable) <= SIDE_BY_SIDE
    for group in [trainable] if together else np.split(trainable, len(trainable)):
        start = centre[group] if together or group[0] == trainable[0] else w[group - 1]
        minimum = yield from _settled_before(int(group[0]), _search(algorithm, data, group, start, centre[group]))
        w[group], converged[group] = minimum.x, minimum.converged
    return w, converged


def _settled_before(folds: int, search: Generator[int, None, Minimum]) -> Generator[int, None, Minimum]:
    """The search, with its counts of settled folds raised by ``folds``."""
    while True:
        try:
            yield folds + next(search)
        except StopIteration as end:
            minimum: Minimum = end.value
            return minimum


def _search(
    algorithm: Fittable, data: Data, folds: Ints, start: Floats, centre: Floats
) -> Generator[int, None, Minimum]:
    """The search for the parameters of some of the folds; ends with them in place of its own scale's x."""
    parameters = algorithm.parameters
    scale = Scale(parameters)
    lower, upper = scale.to_search(np.array([[p.lower for p in parameters], [p.upper for p in parameters]]))
    x, prior = scale.to_search(start), Prior(scale.to_search(centre), np.array([p.width for p in parameters]))
    fixed = np.array([_is_fixed(algorithm, index) for index in range(len(parameters))])
    objective = _objective(algorithm, data, folds, prior)
    share = STALL_SHARE if len(parameters) <= MANY_PARAMETERS else NETWORK_STALL_SHARE
    within = np.where(fixed, x, lower), np.where(fixed, x, upper)
    minimum = yield from minimise(objective, x, *within, stall_share=share)
    return replace(minimum, x=scale.to_parameters(minimum.x))


def _is_fixed(algorithm: Fittable, index: int) -> bool:
    only = algorithm.training.only if algorithm.training is not None else ()
    return only is not None and index not in only


def _objective(algorithm: Fittable, data: Data, folds: Ints, prior: Prior) -> PenalisedLogLoss:
    reviews = data.training_reviews(algorithm.inputs)
    stops = np.array([data.training_stop(reviews, fold) for fold in folds])
    reviews = reviews.take(np.arange(len(reviews)) < stops.max())
    weights = np.zeros((len(folds), len(reviews)))
    for row, stop in zip(weights, stops):
        row[:stop] = _recency(stop) if algorithm.training is not None and algorithm.training.recency else 1.0

    sample: Optional[Tuple[Replay, Outcomes]] = None
    cards = np.unique(reviews.card_id)
    many = len(algorithm.parameters)
    enough = FISHER_CARDS if many <= MANY_PARAMETERS else FISHER_ENTRIES // many
    if len(cards) > 2 * enough:
        drawn = np.random.default_rng(SEED).choice(cards, enough, replace=False)
        part = np.isin(reviews.card_id, drawn)
        sample = _questions(algorithm, data, reviews.take(part), weights[:, part])
    return PenalisedLogLoss(algorithm, *_questions(algorithm, data, reviews, weights), prior, sample)


def _questions(algorithm: Fittable, data: Data, reviews: Reviews, weights: Floats) -> Tuple[Replay, Outcomes]:
    """The trie of these reviews with the outcomes at its places, weighted (F, n) for each fold."""
    histories = Histories.of(data.rows, reviews, algorithm.inputs)
    short_enough = histories.length_of_review <= MAX_TRAINING_HISTORY
    return replay(algorithm, histories), Outcomes.at_places(histories, reviews.recalled, weights * short_enough)


def _recency(reviews: int) -> Floats:
    """0.25 + 0.75 x^3, x from 0 for the oldest to 1 for the newest review, as FSRS's optimizers weigh them."""
    weights: Floats = 0.25 + 0.75 * np.linspace(0.0, 1.0, reviews) ** 3
    return weights

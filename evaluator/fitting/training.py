"""Training: the parameters of each fold, from the reviews before it."""

from __future__ import annotations

from dataclasses import replace
from typing import Generator, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..derivatives import Floats
from ..revlog import Ints
from .data import Data
from .fisher_scoring import STALL_SHARE, Minimum, minimise
from .objective import Outcomes, PenalisedLogLoss, Prior, Scale
from .replay import Fittable, Replay, Replays

#: Reviews with more history than this are predicted but not trained on, as in the benchmark.
MAX_TRAINING_HISTORY = 64

#: The Fisher information is taken from this many cards where there are more; the gradient always from all.
FISHER_CARDS = 1_000
#: Networks with more parameters than this ...
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

    The folds are nested: the first search starts at the prior's ``centre`` (F, P), each later one at the optimum of the
    fold before, on a trie of its own training reviews. A fold with nothing before it keeps the centre.
    """
    w, converged = centre.copy(), np.ones(len(centre), dtype=bool)
    trainable = np.array([k for k, fold in enumerate(data.folds) if fold.test_start > 0])  # a deck may be newer
    if not len(trainable):
        return w, converged
    material = Material(algorithm, data)
    for group in np.split(trainable, len(trainable)):
        start = centre[group] if group[0] == trainable[0] else w[group - 1]
        minimum = yield from _settled_before(int(group[0]), _search(algorithm, material, group, start, centre[group]))
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
    algorithm: Fittable, material: Material, folds: Ints, start: Floats, centre: Floats
) -> Generator[int, None, Minimum]:
    """The search for the parameters of some of the folds; ends with them in place of its own scale's x."""
    parameters = algorithm.parameters
    scale = Scale(parameters)
    lower, upper = scale.to_search(np.array([[p.lower for p in parameters], [p.upper for p in parameters]]))
    x, prior = scale.to_search(start), Prior(scale.to_search(centre), np.array([p.width for p in parameters]))
    fixed = np.array([_is_fixed(algorithm, index) for index in range(len(parameters))])
    objective = material.objective(folds, prior)
    share = STALL_SHARE if len(parameters) <= MANY_PARAMETERS else NETWORK_STALL_SHARE
    within = np.where(fixed, x, lower), np.where(fixed, x, upper)
    minimum = yield from minimise(objective, x, *within, widths=prior.width, stall_share=share)
    return replace(minimum, x=scale.to_parameters(minimum.x))


def _is_fixed(algorithm: Fittable, index: int) -> bool:
    only = algorithm.training.only if algorithm.training is not None else ()
    return only is not None and index not in only


class Material:
    """What an algorithm is trained on, fold by fold."""

    def __init__(self, algorithm: Fittable, data: Data) -> None:
        self._algorithm = algorithm
        self._data = data
        self._reviews, self.histories = data.training(algorithm.inputs)
        self._replays = Replays(algorithm, self.histories)
        self._drawn = _draw(data.rows.card[self._reviews.row], len(algorithm.parameters))

    def objective(self, folds: Ints, prior: Prior) -> PenalisedLogLoss:
        """What is minimised for some of the folds."""
        weights = [self._weights(fold) for fold in folds]
        sample = None if self._drawn is None else self._asked([own * self._drawn[: len(own)] for own in weights])
        return PenalisedLogLoss(self._algorithm, *self._asked(weights), prior, sample)

    def _weights(self, fold: int) -> Floats:
        """Of each review before the fold."""
        stop = self._data.training_stop(self._reviews, fold)
        training = self._algorithm.training
        weights = _recency(stop) if training is not None and training.recency else np.ones(stop)
        return weights * (self.histories.length_of_review[:stop] <= MAX_TRAINING_HISTORY)

    def _asked(self, weights: Sequence[Floats]) -> Tuple[Replay, Outcomes]:
        """The part of the trie at which something happened, and what."""
        outcomes = Outcomes.at_places(self.histories, self._reviews.recalled, weights)
        places: npt.NDArray[np.bool_] = np.any(outcomes.count, axis=0)
        return self._replays.at(places), outcomes.part(places)


def _draw(card: Ints, parameters: int) -> Optional[npt.NDArray[np.bool_]]:
    """Which reviews belong to the cards that the Fisher information is taken from; None: to all."""
    enough = FISHER_CARDS if parameters <= MANY_PARAMETERS else FISHER_ENTRIES // parameters
    cards = np.flatnonzero(np.bincount(card))
    if len(cards) <= 2 * enough:
        return None
    drawn = np.zeros(int(cards[-1]) + 1, dtype=bool)
    drawn[np.random.default_rng(SEED).choice(cards, enough, replace=False)] = True
    return drawn[card]


def _recency(reviews: int) -> Floats:
    """0.25 + 0.75 x^3, x from 0 for the oldest to 1 for the newest review, as FSRS's optimizers weigh them."""
    weights: Floats = 0.25 + 0.75 * np.linspace(0.0, 1.0, reviews) ** 3
    return weights

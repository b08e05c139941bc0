"""From an algorithm and the folds to predictions of every tested review, each from what came before its fold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generator, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..algorithms.algorithm import Algorithm, Baseline, Recurrent, Trace
from ..derivatives import Floats
from ..folds import Fold
from ..histories import Histories
from ..reviews import CardRows, Reviews
from .fisher_scoring import Minimum, minimise
from .objective import Outcomes, PenalisedLogLoss, Scale
from .replay import Fittable, Replay, replay

#: Reviews with more history than this are predicted but not trained on, as in the benchmark.
MAX_TRAINING_HISTORY = 64

#: Folds are fitted side by side while folds * nodes stays below this, else one after the other.
SIDE_BY_SIDE = 400_000

#: The Fisher information is taken from this many cards where there are more; the gradient always from all.
FISHER_CARDS = 5_000
SEED = 2023


@dataclass(frozen=True)
class Fitted:
    """Predictions of the tested reviews, fold after fold, and what they were made with."""

    predicted: Floats  #: (tested reviews,)
    parameters: Floats  #: (folds, P); (folds, 0) without parameters
    converged: npt.NDArray[np.bool_]  #: (folds,)


@dataclass(frozen=True)
class Data:
    """What all algorithms are given: the rows, the table and its folds, and the tries, built once each."""

    rows: CardRows
    reviews: Reviews
    folds: Tuple[Fold, ...]
    histories: Histories  #: without same-day reviews
    histories_same_day: Histories

    @classmethod
    def of(cls, rows: CardRows, reviews: Reviews, folds: Tuple[Fold, ...]) -> Data:
        """Build the tries."""
        plain, same_day = (Histories.of(rows, reviews, same_day=flag) for flag in (False, True))
        return cls(rows, reviews, folds, plain, same_day)

    def histories_for(self, algorithm: Algorithm) -> Histories:
        """The trie with the reviews that the algorithm sees."""
        return self.histories_same_day if algorithm.same_day else self.histories


def fit_and_predict(algorithm: Algorithm, data: Data) -> Generator[int, None, Fitted]:
    """Train where there is something to train, and predict. Yields how many folds have settled, after each pass."""
    if isinstance(algorithm, Baseline):
        none = np.zeros((len(data.folds), 0))
        return Fitted(algorithm.predict(data.reviews, data.folds), none, np.ones(len(data.folds), dtype=bool))
    if not isinstance(algorithm, (Recurrent, Trace)):
        raise TypeError(f"no way to fit {type(algorithm).__name__}")

    default = np.array([[p.default for p in algorithm.parameters]])
    w = np.repeat(default, len(data.folds), axis=0)
    converged = np.ones(len(data.folds), dtype=bool)
    if algorithm.trained:
        w, converged = yield from _train(algorithm, data, w)
    on_trie = replay(algorithm, data.histories_for(algorithm))
    return Fitted(_predict(on_trie, data, w if algorithm.trained else default), w, converged)


def _predict(on_trie: Replay, data: Data, w: Floats) -> Floats:
    """Of each tested review, with the parameters of its own fold (one row of ``w`` where all folds share them)."""
    place = on_trie.histories.place_of_review
    parts = []
    for k, fold in enumerate(data.folds):
        if k == 0 or len(w) > 1:
            at_places = on_trie.predict(w[k : k + 1])[0]
        parts.append(at_places[place[fold.test_start : fold.test_stop]])
    return np.concatenate(parts)


def _train(algorithm: Fittable, data: Data, start: Floats) -> Generator[int, None, Tuple[Floats, Floats]]:
    """The parameters of each fold, and whether each converged.

    The folds are nested. Small collections fit them side by side; large ones one after the other, each on a trie of its
    own training reviews and from the last one's optimum.
    """
    w, converged = start.copy(), np.ones(len(start), dtype=bool)
    scale = Scale(algorithm.parameters)
    bounds = scale.to_search(
        np.array([[p.lower for p in algorithm.parameters], [p.upper for p in algorithm.parameters]])
    )
    all_folds = np.arange(len(start))
    together = data.histories_for(algorithm).nodes * len(start) <= SIDE_BY_SIDE
    for group in [all_folds] if together else [all_folds[k : k + 1] for k in all_folds]:
        if not together and group[0] > 0:
            w[group] = w[group - 1]
        search = minimise(
            _objective(algorithm, data, [data.folds[k] for k in group]), scale.to_search(w[group]), *bounds
        )
        minimum = yield from _settled_before(int(group[0]), search)
        w[group] = scale.to_parameters(minimum.x)
        converged[group] = minimum.converged
    return w, converged


def _settled_before(folds: int, search: Generator[int, None, Minimum]) -> Generator[int, None, Minimum]:
    """The search, with its counts of settled folds raised by ``folds``."""
    while True:
        try:
            yield folds + next(search)
        except StopIteration as end:
            minimum: Minimum = end.value
            return minimum


def _objective(algorithm: Fittable, data: Data, folds: Sequence[Fold]) -> PenalisedLogLoss:
    training = np.arange(len(data.reviews)) < max(fold.test_start for fold in folds)
    reviews = data.reviews.take(training)
    on_trie, outcomes = _questions(algorithm, data.rows, reviews, folds)
    sample: Optional[Tuple[Replay, Outcomes]] = None
    cards = np.unique(reviews.card_id)
    if len(cards) > 2 * FISHER_CARDS:
        drawn = np.random.default_rng(SEED).choice(cards, FISHER_CARDS, replace=False)
        sample = _questions(algorithm, data.rows, reviews, folds, np.isin(reviews.card_id, drawn))
    return PenalisedLogLoss(on_trie, outcomes, algorithm.parameters, sample)


def _questions(
    algorithm: Fittable,
    rows: CardRows,
    reviews: Reviews,
    folds: Sequence[Fold],
    part: Optional[npt.NDArray[np.bool_]] = None,
) -> Tuple[Replay, Outcomes]:
    """The trie of these reviews (or a part of them) with the outcomes at its places, weighted for each fold."""
    recency = algorithm.training is not None and algorithm.training.recency
    weights = np.zeros((len(folds), len(reviews)))
    for row, fold in zip(weights, folds):
        row[: fold.test_start] = _recency(fold.test_start) if recency else 1.0
    if part is not None:
        reviews, weights = reviews.take(part), weights[:, part]
    histories = Histories.of(rows, reviews, same_day=algorithm.same_day)
    weights *= histories.length_of_review <= MAX_TRAINING_HISTORY
    return replay(algorithm, histories), Outcomes.at_places(histories, reviews.recalled, weights)


def _recency(reviews: int) -> Floats:
    """0.25 + 0.75 x^3, x from 0 for the oldest to 1 for the newest review, as FSRS's optimizers weigh them."""
    weights: Floats = 0.25 + 0.75 * np.linspace(0.0, 1.0, reviews) ** 3
    return weights

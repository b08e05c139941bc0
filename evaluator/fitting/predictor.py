"""Predictions of some reviews of a table by one algorithm, on the part of the trie that they need."""

from __future__ import annotations

from typing import Optional, Tuple, Union

import numpy as np

from ..algorithms.algorithm import Parametric, Recurrent
from ..data.dataset import Dataset
from ..data.histories import Histories
from ..data.revlog import Ints
from ..derivatives import Floats
from ..progress import Progress
from .kernels import replay_parts
from .recurrence import Recurrence
from .replay import Replay


class Predictor:
    """Predictor of one algorithm on the trie of a table. Features of an encoder are computed only once."""

    def __init__(self, algorithm: Parametric, histories: Histories) -> None:
        self._histories = histories
        self._replay_part = replay_parts(algorithm, histories)
        self._last_replay: Optional[Tuple[Replay, Ints]] = None

    def replay_at(self, query: Ints) -> Tuple[Replay, Ints]:
        """Return a replay on the queries of some reviews (n,), and the index of each review's query in it (n,)."""
        unique_queries, index = self._histories.unique_queries(query)
        return self._replay_part(self._histories.required_nodes(unique_queries), unique_queries), index

    def replay_up_to(self, stop: int) -> Tuple[Replay, Ints]:
        """Return a replay on the queries of the first ``stop`` reviews, and the index of each review's query in it.

        The replay is reused if the next call has the same ``stop``.
        """
        if self._last_replay is None or len(self._last_replay[1]) != stop:
            self._last_replay = None
            self._last_replay = self.replay_at(self._histories.query_of_review[:stop])
        return self._last_replay

    def predict(self, w: Floats, indices: Union[slice, Ints], replay_stop: Optional[int] = None) -> Floats:
        """Return the probability of recall of some reviews.

        Args:
            w: the parameters (P,).
            indices: the indices of the reviews (n,).
            replay_stop: replay the reviews before this index, which include the predicted ones, so that the next
                training can reuse the replay. If None, only the predicted reviews are replayed.
        """
        query = self._histories.query_of_review[indices]
        # A deck may have no reviews in the fold.
        if not len(query):
            return np.zeros(0)
        if replay_stop is None:
            replay, query = self.replay_at(query)
        else:
            replay, query_of_review = self.replay_up_to(replay_stop)
            query = query_of_review[indices]
        predicted: Floats = replay.predict(w)[query]
        return predicted


def predict_tested(algorithm: Parametric, data: Dataset, w: Floats) -> Floats:
    """Return the probability of recall of each tested review.

    Args:
        algorithm: the algorithm.
        data: the reviews and folds.
        w: parameters of each fold (F, P), or of all folds (1, P).
    """
    predictor = Predictor(algorithm, data.histories(algorithm.inputs))
    return np.concatenate([predictor.predict(fold_w, tested) for fold_w, tested in zip(w, _tested_slices(data, w))])


def states_before(algorithm: Recurrent, data: Dataset, w: Floats, progress: Progress) -> Tuple[Floats, ...]:
    """Return the state of each tested review's card before the review.

    Args:
        algorithm: an algorithm that keeps a state.
        data: the reviews and folds.
        w: parameters of each fold (F, P), or of all folds (1, P).
        progress: called after each fold.

    Returns:
        An array (tested reviews,) for each number of the state.
    """
    histories = data.histories(algorithm.inputs)
    result = []
    tested_slices = _tested_slices(data, w)
    for done, (fold_w, tested) in enumerate(zip(w, tested_slices), start=1):
        unique_queries, index = histories.unique_queries(histories.query_of_review[tested])
        subtrie = histories.subtrie(histories.required_nodes(unique_queries), unique_queries)
        node = subtrie.query_node[index]
        result.append([numbers[node] for numbers in Recurrence(algorithm, subtrie).states(fold_w)])
        progress(done / len(tested_slices))
    return tuple(np.concatenate(columns) for columns in zip(*result))


def _tested_slices(data: Dataset, w: Floats) -> Tuple[slice, ...]:
    """Return the tested reviews to which each row of ``w`` (F, P) or (1, P) applies."""
    slices = tuple(fold.tested for fold in data.folds)
    return slices if len(w) > 1 else (slice(slices[0].start, slices[-1].stop),)

"""Predicting some reviews of a table with one algorithm, on the part of the trie that these need."""

from __future__ import annotations

from typing import Tuple

import numpy as np
import numpy.typing as npt

from ..algorithms.algorithm import Parametric, Recurrent
from ..derivatives import Floats
from ..histories import Histories
from ..progress import Progress
from ..revlog import Ints
from .dataset import Dataset
from .recurrence import Recurrence
from .replay import Replay, Workspace

Bools = npt.NDArray[np.bool_]


class Predictor:
    """One algorithm on the trie of a table. What all parts of the trie share, and room to work in, are made once."""

    def __init__(self, algorithm: Parametric, histories: Histories) -> None:
        self._histories = histories
        self._on_parts = algorithm.on_parts(histories)
        self._room = Workspace(max(histories.nodes, histories.places))

    def at(self, places: Bools, *, own_room: bool = False) -> Replay:
        """The algorithm where the mask ``places`` holds. Without own room its arrays last until the next call only."""
        return self._on_parts(places, None if own_room else self._room.begin())

    def predict(self, w: Floats, start: int, stop: int) -> Floats:
        """The probability of recall of the reviews from ``start`` to ``stop`` (exclusive) with parameters w (P,)."""
        if start == stop:  # a deck that is not tested in this fold
            return np.zeros(0)
        asked, place = _asked(self._histories, start, stop)
        predicted: Floats = self.at(asked).predict(w)[place]
        return predicted


def predict_tested(algorithm: Parametric, data: Dataset, w: Floats) -> Floats:
    """The probability of recall of each tested review, with its fold's row of ``w`` (F, P), or the only one (1, P)."""
    predictor = Predictor(algorithm, data.histories(algorithm.inputs))
    return np.concatenate([predictor.predict(own, *tested) for own, tested in zip(w, _tested(data, w))])


def states_before(algorithm: Recurrent, data: Dataset, w: Floats, progress: Progress) -> Tuple[Floats, ...]:
    """The state of each tested review's card before it: one array (tested reviews,) for each number of the state.

    Args:
        algorithm: any that keeps a state.
        data: the reviews and folds.
        w: parameters of each fold (F, P), or of all (1, P).
        progress: is told after each fold.
    """
    histories, found = data.histories(algorithm.inputs), []
    tested = _tested(data, w)
    for done, (own, (start, stop)) in enumerate(zip(w, tested), start=1):
        asked, place = _asked(histories, start, stop)
        part = histories.part(asked)
        found.append([numbers[part.place_node[place]] for numbers in Recurrence(algorithm, part).states(own)])
        progress(done / len(tested))
    return tuple(np.concatenate(columns) for columns in zip(*found))


def _tested(data: Dataset, w: Floats) -> Tuple[Tuple[int, int], ...]:
    """For each row of ``w`` the first of the tested reviews that it is for, and the one after the last."""
    tested = tuple((fold.test_start, fold.test_stop) for fold in data.folds)
    return tested if len(w) > 1 else ((tested[0][0], tested[-1][1]),)


def _asked(histories: Histories, start: int, stop: int) -> Tuple[Bools, Ints]:
    """The places that the reviews from start to stop need, as a mask, and the number of each review's among them."""
    place = histories.place_of_review[start:stop]
    asked = np.zeros(histories.places, dtype=bool)
    asked[place] = True
    return asked, (np.cumsum(asked) - 1)[place]

"""Predictions of stretches of the table with given parameters, one stretch after the other."""

from __future__ import annotations

import numpy as np

from ..derivatives import Floats
from .data import Data
from .replay import Fittable, Replays


class Predictor:
    """One algorithm on the table of reviews. The trie, and room to work in, are made once."""

    def __init__(self, algorithm: Fittable, data: Data) -> None:
        self._histories = data.histories(algorithm.inputs)
        self._replays = Replays(algorithm, self._histories)
        self._room = self._replays.workspace()

    def predict(self, w: Floats, start: int, stop: int) -> Floats:
        """The probability of recall of the reviews from ``start`` to ``stop`` (exclusive) with parameters w (P,)."""
        if start == stop:  # a deck that is not tested in this fold
            return np.zeros(0)
        place = self._histories.place_of_review[start:stop]
        asked = np.zeros(self._histories.places, dtype=bool)
        asked[place] = True
        number = np.cumsum(asked) - 1
        predicted: Floats = self._replays.at(asked, self._room).predict(w)[number[place]]
        return predicted

"""SM-2 and FSRS-6 as Anki runs them, on the units of a simulation; without fuzz, load balancing and daily limits."""

from __future__ import annotations

from typing import Optional, Protocol, Sequence

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..derivatives import Floats
from ..revlog import Ints, Sm2Settings
from .intervals import fsrs_days, fsrs_interval, sm2_days, sm2_ease
from .memories import State

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4


class Scheduler(Protocol):
    """Gives intervals in whole days, and knows of each unit what it needs for that."""

    def begin(self, interval: Ints, groups: int) -> None:
        """Take on the cards, each with its last interval (cards,), in each of the groups."""
        ...

    def begun(self, units: Ints, rating: Ints) -> Ints:
        """The interval after a first answer."""
        ...

    def answered(self, units: Ints, elapsed: Ints, rating: Ints) -> Ints:
        """The interval after an answer on a later day."""
        ...

    def answered_again(self, units: Ints, rating: Ints, days: Ints) -> Ints:
        """The interval after a further answer on the same day, ``days`` being that of the answer before."""
        ...

    def gave(self, units: Ints, days: Ints) -> None:
        """Take note of the intervals with which the day ends."""
        ...


class Sm2:
    """SM-2, each card by the settings of its preset."""

    def __init__(self, settings: Sequence[Sm2Settings], preset: Ints, ease: Ints) -> None:
        """``preset`` (cards,) is an index into the settings, ``ease`` (cards,) in permille."""
        self._settings, self._of_card, self._ease_of_card = settings, preset, ease

    def begin(self, interval: Ints, groups: int) -> None:
        columns = (interval, self._ease_of_card, self._of_card)
        self._interval, self._ease, self._preset = (np.tile(column, groups).astype(np.int32) for column in columns)

    def begun(self, units: Ints, rating: Ints) -> Ints:
        good, easy = (
            np.array([getattr(one, name) for one in self._settings])[self._preset[units]]
            for name in ("graduating_interval", "easy_interval")
        )
        return np.where(rating == EASY, easy, good)

    def answered(self, units: Ints, elapsed: Ints, rating: Ints) -> Ints:
        days = np.empty(len(units), dtype=np.int64)
        for number, settings in enumerate(self._settings):
            here = np.flatnonzero(self._preset[units] == number) if len(self._settings) > 1 else slice(None)
            some = units[here]
            days[here] = sm2_days(
                settings,
                self._interval[some],
                self._ease[some],
                np.maximum(elapsed[here], self._interval[some]),
                rating[here],
            )
        self._ease[units] = sm2_ease(self._ease[units], rating)
        return days

    def answered_again(self, units: Ints, rating: Ints, days: Ints) -> Ints:
        return days

    def gave(self, units: Ints, days: Ints) -> None:
        self._interval[units] = days


class Fsrs:
    """FSRS-6, with parameters and a desired retention for each group of units, or for each card's preset.

    A group are the units of one variant and one draw: group = variant * draws + draw.
    """

    def __init__(
        self, w: Floats, desired_retention: Floats, state: State, longest: int, *, preset: Optional[Ints] = None
    ) -> None:
        """``w`` (P, K) and ``desired_retention`` (K,) are those of the groups, or with ``preset`` (cards,) of presets.

        ``state`` is the stability and difficulty that it believes in, (groups, cards), or (1, cards) for all groups.
        """
        self._w, self._desired, self._of_card = w, desired_retention, preset
        self._start, self._longest = state, longest

    def begin(self, interval: Ints, groups: int) -> None:
        self._interval = np.tile(interval, groups).astype(np.int32)
        cards = len(interval)
        row = np.repeat(np.arange(groups), cards) if self._of_card is None else np.tile(self._of_card, groups)
        self._row = row.astype(np.int32)
        self._stability, self._difficulty = (np.broadcast_to(x, (groups, cards)).flatten() for x in self._start)

    def begun(self, units: Ints, rating: Ints) -> Ints:
        w = self._w[:, self._row[units]]
        self._stability[units], self._difficulty[units] = FSRS_6.first(w, rating)
        return self._whole(units)

    def answered(self, units: Ints, elapsed: Ints, rating: Ints) -> Ints:
        w, row = self._w[:, self._row[units]], self._row[units]
        state = self._stability[units], self._difficulty[units]
        stability, difficulty = FSRS_6.step(w, state, elapsed, rating)
        own = fsrs_interval(stability, w[20], self._desired[row])
        hard, good = own.copy(), own.copy()
        for button, column in ((HARD, hard), (GOOD, good)):
            better = np.flatnonzero(rating > button)
            s, _ = FSRS_6.step(
                w[:, better], tuple(x[better] for x in state), elapsed[better], np.full(len(better), button)
            )
            column[better] = fsrs_interval(s, w[20, better], self._desired[row[better]])
        self._stability[units], self._difficulty[units] = stability, difficulty
        return fsrs_days(hard, good, own, own, self._interval[units], rating, self._longest)

    def answered_again(self, units: Ints, rating: Ints, days: Ints) -> Ints:
        w = self._w[:, self._row[units]]
        state = self._stability[units], self._difficulty[units]
        self._stability[units], self._difficulty[units] = FSRS_6.step(w, state, np.zeros(len(units)), rating)
        return self._whole(units)

    def gave(self, units: Ints, days: Ints) -> None:
        self._interval[units] = days

    def _whole(self, units: Ints) -> Ints:
        row = self._row[units]
        days = fsrs_interval(self._stability[units], self._w[20, row], self._desired[row])
        return np.clip(np.floor(days + 0.5), 1, self._longest).astype(np.int64)

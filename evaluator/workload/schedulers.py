"""SM-2 and FSRS-6 as Anki runs them, on the units of a simulation; without fuzz, load balancing and daily limits."""

from __future__ import annotations

from typing import Protocol, Sequence

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..derivatives import Floats
from ..revlog import Ints, Sm2Settings
from .intervals import fsrs_days, fsrs_interval, sm2_days, sm2_ease
from .memories import State

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4


class Scheduler(Protocol):
    """Gives intervals in whole days, and knows of each unit what it needs for that."""

    variants: int

    def begin(self, interval: Ints, card: Ints, draw: Ints) -> None:
        """Take on the units, each with its last interval."""
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

    variants = 1

    def __init__(self, settings: Sequence[Sm2Settings], preset: Ints, ease: Ints) -> None:
        """``preset`` (cards,) is an index into the settings, ``ease`` (cards,) in permille."""
        self._settings, self._of_card, self._ease_of_card = settings, preset, ease

    def begin(self, interval: Ints, card: Ints, draw: Ints) -> None:
        self._interval = interval.astype(np.int32)
        self._ease = self._ease_of_card[card].astype(np.int32)
        self._preset = self._of_card[card].astype(np.int16)

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
                settings, self._interval[some], self._ease[some], np.maximum(elapsed[here], self._interval[some]), rating[here]
            )
        self._ease[units] = sm2_ease(self._ease[units], rating)
        return days

    def answered_again(self, units: Ints, rating: Ints, days: Ints) -> Ints:
        return days

    def gave(self, units: Ints, days: Ints) -> None:
        self._interval[units] = days


class Fsrs:
    """FSRS-6, with parameters and a desired retention for each variant, or for each card's preset."""

    def __init__(
        self, w: Floats, desired_retention: Floats, state: State, *, longest: int, preset: Ints | None = None
    ) -> None:
        """``w`` (P, K), ``desired_retention`` (K,): K variants of all cards, or with ``preset`` (cards,) K presets.

        ``state`` are the stability and difficulty (cards,) that it believes in.
        """
        self._w, self._desired, self._of_card = w, desired_retention, preset
        self.variants = 1 if preset is not None else len(desired_retention)
        self._start, self._longest = state, longest

    def begin(self, interval: Ints, card: Ints, draw: Ints) -> None:
        per_variant = len(card) // self.variants
        self._interval = interval.astype(np.int32)
        self._row = (np.arange(len(card)) // per_variant if self._of_card is None else self._of_card[card]).astype(np.int16)
        self._stability, self._difficulty = (column[card] for column in self._start)

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
            s, _ = FSRS_6.step(w[:, better], tuple(x[better] for x in state), elapsed[better], np.full(len(better), button))
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

"""SM-2 and FSRS-6 as Anki runs them, on the units of a simulation; without fuzz, load balancing and daily limits."""

from __future__ import annotations

from typing import Optional, Protocol, Sequence

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..derivatives import Floats
from ..histories import Numbers
from ..revlog import Ints, Sm2Settings
from .intervals import EASY, GOOD, HARD, fsrs_days, fsrs_interval, sm2_days, sm2_ease, whole_days
from .memories import RecurrentMemory, State


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
            interval = self._interval[some]
            days[here] = sm2_days(settings, interval, self._ease[some], elapsed[here], rating[here])
        self._ease[units] = sm2_ease(self._ease[units], rating)
        return days

    def answered_again(self, units: Ints, rating: Ints, days: Ints) -> Ints:  # noqa: ARG002 - FSRS needs them
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
        self._memory, self._desired, self._of_card = RecurrentMemory(FSRS_6, w), desired_retention, preset
        self._decay, self._start, self._longest = w[20], state, longest

    def begin(self, interval: Ints, groups: int) -> None:
        cards = len(interval)
        self._interval = np.tile(interval, groups).astype(np.int32)
        row = np.repeat(np.arange(groups), cards) if self._of_card is None else np.tile(self._of_card, groups)
        self._row = row.astype(np.int32)
        self._state = tuple(np.broadcast_to(column, (groups, cards)).flatten() for column in self._start)

    def begun(self, units: Ints, rating: Ints) -> Ints:
        return self._whole(units, self._memory.first(self._row[units], rating))

    def answered(self, units: Ints, elapsed: Ints, rating: Ints) -> Ints:
        row, before = self._row[units], tuple(column[units] for column in self._state)
        after = self._memory.step(row, before, elapsed, rating)
        own = self._days(row, after)
        hard, good = own.copy(), own.copy()
        for button, column in ((HARD, hard), (GOOD, good)):
            some = np.flatnonzero(rating > button)
            of_some, buttons = tuple(x[some] for x in before), np.full(len(some), button)
            column[some] = self._days(row[some], self._memory.step(row[some], of_some, elapsed[some], buttons))
        self._believe(units, after)
        return fsrs_days(hard, good, own, own, self._interval[units], rating, self._longest)

    def answered_again(self, units: Ints, rating: Ints, days: Ints) -> Ints:  # noqa: ARG002 - SM-2 needs the days
        before = tuple(column[units] for column in self._state)
        return self._whole(units, self._memory.step(self._row[units], before, np.zeros(len(units)), rating))

    def gave(self, units: Ints, days: Ints) -> None:
        self._interval[units] = days

    def _whole(self, units: Ints, state: State) -> Ints:
        """The interval after learning or relearning."""
        self._believe(units, state)
        days: Ints = whole_days(self._days(self._row[units], state), 1, self._longest)
        return days

    def _days(self, row: Ints, state: State) -> Numbers:
        return fsrs_interval(state[0], self._decay[row], self._desired[row])

    def _believe(self, units: Ints, state: State) -> None:
        for column, value in zip(self._state, state):
            column[units] = value

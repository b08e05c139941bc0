"""SM-2 and FSRS-6 as Anki runs them, with its fuzz, on the units of a simulation; without load balancing and limits.

Both have a method for the beginning (``begin``, with the number of groups), for first answers (``begun``), for answers
on a later day (``answered``, with the last interval) and for further ones on the same day (``answered_again``, with the
days after the previous answer), and return intervals in whole days. ``fuzz`` are uniform numbers, from 0 to below 1,
one for each unit; all answers of a day have the same.
"""

from __future__ import annotations

from typing import Callable, Optional, Sequence, Union

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..data.histories import Numbers
from ..data.revlog import Ints, Sm2Settings
from ..derivatives import Floats
from .anki_intervals import (
    EASY,
    GOOD,
    HARD,
    fsrs_days,
    fsrs_interval,
    fsrs_learned_days,
    sm2_days,
    sm2_ease,
    sm2_learned_days,
)
from .memories import Memory, State


class Sm2Scheduler:
    """SM-2, each card by the settings of its preset."""

    def __init__(self, settings: Sequence[Sm2Settings], preset: Ints, ease: Ints) -> None:
        """``preset`` (cards,) is an index into the settings, ``ease`` (cards,) in permille."""
        self._settings, self._of_card, self._ease_of_card = settings, preset, ease

    def begin(self, groups: int) -> None:
        columns = (self._ease_of_card, self._of_card)
        self._ease, self._preset = (np.tile(column, groups).astype(np.int32) for column in columns)

    def begun(self, units: Ints, rating: Ints, fuzz: Floats) -> Ints:
        return self._by_preset(units, lambda item, at: sm2_learned_days(item, 0, rating[at], fuzz[at]))

    def answered(self, units: Ints, interval: Ints, elapsed: Ints, rating: Ints, fuzz: Floats) -> Ints:
        ease = self._ease[units]
        self._ease[units] = sm2_ease(ease, rating)
        return self._by_preset(
            units, lambda item, at: sm2_days(item, interval[at], ease[at], elapsed[at], rating[at], fuzz[at])
        )

    def _by_preset(self, units: Ints, days: Callable[[Sm2Settings, Ints], Ints]) -> Ints:
        result, preset = np.empty(len(units), dtype=np.int64), self._preset[units]
        for number, settings in enumerate(self._settings):
            at = np.flatnonzero(preset == number)
            result[at] = days(settings, at)
        return result

    def answered_again(self, units: Ints, rating: Ints, days: Ints, fuzz: Floats) -> Ints:  # noqa: ARG002 - FSRS needs them
        return days


class FsrsScheduler:
    """FSRS-6, with parameters and a desired retention for each group of units, or for each card's preset.

    A group are the units of one variant and one draw: group = variant * draws + draw.
    """

    def __init__(
        self, w: Floats, desired_retention: Floats, state: State, longest: int, *, preset: Optional[Ints] = None
    ) -> None:
        """``w`` (P, K) and ``desired_retention`` (K,) are those of the groups, or with ``preset`` (cards,) of presets.

        ``w`` may be (P, 1), for all of them.
        ``state`` is the stability and difficulty that it believes in, (groups, cards), or (1, cards) for all groups.
        """
        self._memory, self._desired, self._of_card = Memory(FSRS_6, w), desired_retention, preset
        self._hard, self._easy, self._start, self._longest = w[15], w[16], state, longest

    def begin(self, groups: int) -> None:
        cards = self._start[0].shape[1]
        row = np.repeat(np.arange(groups), cards) if self._of_card is None else np.tile(self._of_card, groups)
        self._row = row.astype(np.int32)
        self._state = tuple(np.broadcast_to(column, (groups, cards)).flatten() for column in self._start)

    def begun(self, units: Ints, rating: Ints, fuzz: Floats) -> Ints:
        row = self._row[units]
        state, as_good = (self._memory.first(row, buttons) for buttons in (rating, np.full(len(units), GOOD)))
        self._believe(units, state)
        good = self._days(row, np.where(rating == EASY, as_good[0], state[0]))
        return fsrs_learned_days(good, self._days(row, state[0]), rating, self._longest, fuzz)

    def answered(self, units: Ints, interval: Ints, elapsed: Ints, rating: Ints, fuzz: Floats) -> Ints:
        row, before = self._row[units], tuple(column[units] for column in self._state)
        after = self._memory.step(row, before, elapsed, rating)
        # What the worse buttons would have given: Hard and Easy multiply what stability gains by w15 and w16.
        gain = after[0] - before[0]
        of_good = gain / np.where(rating == EASY, self._easy[self._column(row)], 1.0)
        of_hard = np.where(rating == HARD, gain, of_good * self._hard[self._column(row)])
        own, good, hard = (self._days(row, s) for s in (after[0], before[0] + of_good, before[0] + of_hard))
        self._believe(units, after)
        return fsrs_days(hard, good, own, own, interval, rating, self._longest, fuzz)

    def answered_again(self, units: Ints, rating: Ints, days: Ints, fuzz: Floats) -> Ints:  # noqa: ARG002 - SM-2 needs the days
        before = tuple(column[units] for column in self._state)
        row = self._row[units]
        after = self._memory.step(row, before, np.zeros(len(units)), rating)
        self._believe(units, after)
        good = self._days(row, after[0])
        return fsrs_learned_days(good, good, rating, self._longest, fuzz)

    def _days(self, row: Ints, stability: Numbers) -> Numbers:
        return fsrs_interval(stability, self._memory.w[20, self._column(row)], self._desired[row])

    def _column(self, row: Ints) -> Union[int, Ints]:
        return 0 if self._memory.w.shape[1] == 1 else row

    def _believe(self, units: Ints, state: State) -> None:
        for column, value in zip(self._state, state):
            column[units] = value


Scheduler = Union[Sm2Scheduler, FsrsScheduler]

"""SM-2 and FSRS-6 as Anki runs them, with its fuzz, on the units of a simulation.

Load balancing and daily limits are left out. Both have the same methods. ``begin`` starts with a number of groups. The
others return intervals in whole days: ``first_interval`` after first answers, ``next_interval`` after answers on a
later day, and ``same_day_interval`` after further answers on the same day. Their ``fuzz`` are uniform numbers, from 0
to below 1, one for each unit, the same for all answers of a day.
"""

from __future__ import annotations

from typing import Callable, Optional, Sequence, Union

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..data.histories import Numbers
from ..data.revlog import Ints, Sm2Settings
from ..derivatives import Floats
from . import anki_intervals as anki
from .anki_intervals import EASY, GOOD, HARD
from .memory_draws import Memory, State, store, take


class Sm2Scheduler:
    """SM-2, each card by the settings of its preset."""

    def __init__(self, settings: Sequence[Sm2Settings], preset: Ints, ease: Ints) -> None:
        """``preset`` (cards,) is an index into the settings, ``ease`` (cards,) in permille."""
        self._settings, self._of_card, self._ease_of_card = settings, preset, ease

    def begin(self, groups: int) -> None:
        columns = (self._ease_of_card, self._of_card)
        self._ease, self._preset = (np.tile(column, groups).astype(np.int32) for column in columns)

    def first_interval(self, units: Ints, rating: Ints, fuzz: Floats) -> Ints:
        return self._by_preset(units, lambda item, at: anki.sm2_learned_days(item, 0, rating[at], fuzz[at]))

    def next_interval(self, units: Ints, interval: Ints, elapsed: Ints, rating: Ints, fuzz: Floats) -> Ints:
        ease = self._ease[units]
        self._ease[units] = anki.sm2_ease(ease, rating)
        return self._by_preset(
            units, lambda item, at: anki.sm2_days(item, interval[at], ease[at], elapsed[at], rating[at], fuzz[at])
        )

    def same_day_interval(self, units: Ints, rating: Ints, interval: Ints, fuzz: Floats) -> Ints:  # noqa: ARG002 - FSRS needs them
        return interval

    def _by_preset(self, units: Ints, days: Callable[[Sm2Settings, Ints], Ints]) -> Ints:
        result, preset = np.empty(len(units), dtype=np.int64), self._preset[units]
        for number, settings in enumerate(self._settings):
            at = np.flatnonzero(preset == number)
            result[at] = days(settings, at)
        return result


class FsrsScheduler:
    """FSRS-6, with parameters and a desired retention for each group of units, or for each card's preset.

    A group are the units of one variant and one draw: group = variant * draws + draw.
    """

    def __init__(
        self, w: Floats, desired_retention: Floats, state: State, longest: int, *, preset: Optional[Ints] = None
    ) -> None:
        """Prepare to schedule.

        Args:
            w: parameters (P, K) of the groups or presets, or (P, 1) for all of them.
            desired_retention: of the groups or presets (K,).
            state: the stability and difficulty that it believes in, (groups, cards), or (1, cards) for all groups.
            longest: maximum interval, in days.
            preset: of each card (cards,). None: ``w`` and ``desired_retention`` are those of the groups.
        """
        self._memory, self._desired, self._of_card = Memory(FSRS_6, w), desired_retention, preset
        self._start, self._longest = state, longest

    def begin(self, groups: int) -> None:
        cards = self._start[0].shape[1]
        row = np.repeat(np.arange(groups), cards) if self._of_card is None else np.tile(self._of_card, groups)
        self._row = row.astype(np.int32)
        self._state = tuple(np.broadcast_to(column, (groups, cards)).flatten() for column in self._start)

    def first_interval(self, units: Ints, rating: Ints, fuzz: Floats) -> Ints:
        row = self._row[units]
        state, as_good = (self._memory.first(row, buttons) for buttons in (rating, np.full(len(units), GOOD)))
        store(self._state, units, state)
        good = self._days(row, np.where(rating == EASY, as_good[0], state[0]))
        return anki.fsrs_learned_days(good, self._days(row, state[0]), rating, self._longest, fuzz)

    def next_interval(self, units: Ints, interval: Ints, elapsed: Ints, rating: Ints, fuzz: Floats) -> Ints:
        row, before = self._row[units], take(self._state, units)
        w, after = self._memory.parameters(row), self._memory.step(row, before, elapsed, rating)
        # What the worse buttons would have given: Hard and Easy multiply what stability gains by w15 and w16.
        gain = after[0] - before[0]
        gain_of_good = gain / np.where(rating == EASY, w[16], 1.0)
        gain_of_hard = np.where(rating == HARD, gain, gain_of_good * w[15])
        stabilities = after[0], before[0] + gain_of_good, before[0] + gain_of_hard
        given, good, hard = (self._days(row, stability) for stability in stabilities)
        store(self._state, units, after)
        return anki.fsrs_days((given, hard, good, given), interval, rating, self._longest, fuzz)

    def same_day_interval(self, units: Ints, rating: Ints, interval: Ints, fuzz: Floats) -> Ints:  # noqa: ARG002 - SM-2 needs the interval
        row = self._row[units]
        after = self._memory.step(row, take(self._state, units), np.zeros(len(units)), rating)
        store(self._state, units, after)
        good = self._days(row, after[0])
        return anki.fsrs_learned_days(good, good, rating, self._longest, fuzz)

    def _days(self, row: Ints, stability: Numbers) -> Numbers:
        return anki.fsrs_interval(stability, self._memory.parameters(row)[20], self._desired[row])


Scheduler = Union[Sm2Scheduler, FsrsScheduler]

"""SM-2 and FSRS-6 as Anki runs them, with its fuzz, on the units of a simulation.

Load balancing and daily limits are left out. Both schedulers have the same methods, which update the scheduler's state
and return intervals in whole days: ``first_interval`` after first answers, ``next_interval`` after answers on a later
day, and ``same_day_interval`` after further answers on the same day, which are Good. Their ``fuzz`` are uniform numbers
from 0 to below 1, one for each unit, the same for all answers of a day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Sequence, Union

import numpy as np

from ..data.histories import Numbers
from ..data.revlog import EASY, GOOD, HARD, Ints, Sm2Settings
from ..derivatives import Floats
from . import anki_intervals as anki
from .memory_draws import Memory, State, store, take


@dataclass
class Sm2Scheduler:
    """SM-2, with the settings of each card's preset."""

    settings: Sequence[Sm2Settings]  #: the settings of each preset
    preset: Ints  #: (units,) the index of each unit's preset
    ease: Ints  #: (units,) the ease of each unit, in permille

    def first_interval(self, units: Ints, rating: Ints, fuzz: Floats) -> Ints:
        """Return the first intervals of units after these answers."""
        return self._by_preset(units, lambda item, index: anki.sm2_learned_days(item, 0, rating[index], fuzz[index]))

    def next_interval(self, units: Ints, interval: Ints, elapsed: Ints, rating: Ints, fuzz: Floats) -> Ints:
        """Return the intervals of units after these answers, ``elapsed`` days after the last ones."""
        ease = self.ease[units]
        self.ease[units] = anki.sm2_ease(ease, rating)
        return self._by_preset(
            units, lambda item, i: anki.sm2_days(item, interval[i], ease[i], elapsed[i], rating[i], fuzz[i])
        )

    def same_day_interval(self, units: Ints, interval: Ints, fuzz: Floats) -> Ints:  # noqa: ARG002 - FSRS needs them
        """Return the intervals of units after a further answer on the same day, given those before it."""
        return interval

    def _by_preset(self, units: Ints, compute: Callable[[Sm2Settings, Ints], Ints]) -> Ints:
        """Compute the days of the units of each preset, from its settings and the indices of these units."""
        days = np.empty(len(units), dtype=np.int64)
        preset = self.preset[units]
        for number, settings in enumerate(self.settings):
            indices = np.flatnonzero(preset == number)
            days[indices] = compute(settings, indices)
        return days


@dataclass
class FsrsScheduler:
    """FSRS-6, with several sets of parameters and desired retentions: one for each preset, or for each variant."""

    memory: Memory  #: FSRS-6 with parameters (P, K), or (P, 1) for all units
    desired_retention: Floats  #: (K,) desired retentions
    row: Ints  #: (units,) the index of each unit's parameters and desired retention
    state: State  #: (units,) each, the stability and difficulty of each unit according to the parameters
    max_interval: int  #: the maximum interval, in days

    def first_interval(self, units: Ints, rating: Ints, fuzz: Floats) -> Ints:
        """Return the first intervals of units after these answers."""
        row = self.row[units]
        state, state_after_good = (self.memory.first(row, x) for x in (rating, np.full(len(units), GOOD)))
        store(self.state, units, state)
        good = self._days(row, np.where(rating == EASY, state_after_good[0], state[0]))
        return anki.fsrs_learned_days(good, self._days(row, state[0]), rating, self.max_interval, fuzz)

    def next_interval(self, units: Ints, interval: Ints, elapsed: Ints, rating: Ints, fuzz: Floats) -> Ints:
        """Return the intervals of units after these answers, ``elapsed`` days after the last ones."""
        row = self.row[units]
        old_state = take(self.state, units)
        w = self.memory.parameters(row)
        new_state = self.memory.step(row, old_state, elapsed, rating)
        # Anki compares with the intervals of the worse buttons. Hard and Easy multiply the gain in stability by w15 and
        # w16, so what the other buttons would have given follows from the gain.
        gain = new_state[0] - old_state[0]
        gain_of_good = gain / np.where(rating == EASY, w[16], 1.0)
        gain_of_hard = np.where(rating == HARD, gain, gain_of_good * w[15])
        stabilities = new_state[0], old_state[0] + gain_of_good, old_state[0] + gain_of_hard
        days, good_days, hard_days = (self._days(row, stability) for stability in stabilities)
        store(self.state, units, new_state)
        return anki.fsrs_days((days, hard_days, good_days, days), interval, rating, self.max_interval, fuzz)

    def same_day_interval(self, units: Ints, interval: Ints, fuzz: Floats) -> Ints:  # noqa: ARG002 - SM-2 needs the interval
        """Return the intervals of units after a further answer on the same day, given those before it."""
        row = self.row[units]
        new_state = self.memory.step(row, take(self.state, units), np.zeros(len(units)), np.full(len(units), GOOD))
        store(self.state, units, new_state)
        good = self._days(row, new_state[0])
        return anki.fsrs_learned_days(good, good, GOOD, self.max_interval, fuzz)

    def _days(self, row: Ints, stability: Numbers) -> anki.Floats:
        """Return the exact intervals of units with these rows and stabilities."""
        return anki.fsrs_interval(stability, self.memory.parameters(row)[20], self.desired_retention[row])


Scheduler = Union[Sm2Scheduler, FsrsScheduler]

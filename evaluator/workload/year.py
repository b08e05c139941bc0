"""Simulate days of study, card by card, under one scheduler: what is due is answered, and comes back later.

A *unit* is one card under one draw of the memory's parameters and one variant of the scheduler: unit = (variant * draws
+ draw) * cards + card. A *session* is a day on which anything is studied, by its number. Chance depends on the seed,
the draw, the card and the number of its review alone, so it is the same for every scheduler.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ..data.histories import Numbers
from ..data.revlog import Ints
from ..derivatives import Floats
from ..progress import SILENT, Progress
from .anki_intervals import AGAIN, EASY, GOOD, HARD
from .memory_draws import Memory, State, store, take
from .schedulers import Scheduler

Bools = npt.NDArray[np.bool_]

#: Days between two counts of the cards remembered.
LOOK_EVERY = 28
NEVER = np.iinfo(np.int32).max
#: Anki's numbers of the review orders, which matter if not all are done: by interval, and by retrievability, which
#: falls with elapsed / interval. All others count as due date order.
SHORTEST_FIRST, LONGEST_FIRST, MOST_OVERDUE_FIRST, LEAST_OVERDUE_FIRST = 3, 4, (7, 12), 11
#: Review number of a card's first appearance, which is random.
BEFORE = 0xFFFF


@dataclass(frozen=True)
class StudyHabits:
    """How the user answers, and when."""

    first: Floats  #: shares of the four buttons among first answers
    passed: Floats  #: shares of Hard, Good, Easy among later-day reviews that were remembered
    after_first: float  #: further answers on the same day, mean; none after Easy
    after_lapse: float
    seconds: Floats  #: seconds per answer, (3, 4): first, further on the same day, later day; by button
    delays: Ints  #: sessions from when a review was due to when it came, to draw from
    studied: Ints  #: the simulated days on which anything is studied, ascending
    most_a_day: Optional[Ints] = None  #: later-day reviews in each session; None: all that are due
    order: int = 0  #: order of reviews if not all are done, by Anki's number


@dataclass(frozen=True)
class InitialState:
    """The cards with which a simulation begins. Day 0 is the first that is simulated."""

    begins: Ints  #: (cards,) the day on which each is due, or begun
    new: Bools  #: (cards,)
    last: Ints  #: (cards,) the day of its last review
    interval: Ints  #: (cards,) the one that it was given then
    memory: State  #: columns (draws * cards, ...), draw by draw; of new cards of no meaning
    until: Optional[Ints] = None  #: (cards,) after which day only a card's first review comes; None: no such day


@dataclass(frozen=True)
class Totals:
    """Results of the simulated days, each (variants, draws)."""

    reviews: Floats  #: reviews on a later day than the review before
    remembered: Floats  #: remembered ones among them
    seconds: Floats
    known: Floats  #: cards remembered, mean over the days


class StudySimulation:
    """Days of study: the memory decides what is remembered, the scheduler when cards come back."""

    def __init__(
        self,
        memory: Memory,
        scheduler: Scheduler,
        start: InitialState,
        habits: StudyHabits,
        days: int,
        shape: Tuple[int, int],
        seed: int,
        counted_from: int = 0,
    ) -> None:
        """Prepare to simulate.

        Args:
            memory: with its draws.
            scheduler: with its variants.
            start: the cards on the first day.
            habits: of answering.
            days: number of days.
            shape: number of the scheduler's variants, and of the memory's draws.
            seed: of chance.
            counted_from: the first day that counts.
        """
        (variants, draws), cards = shape, len(start.begins)
        groups = variants * draws
        self.memory, self.scheduler, self.habits, self.seed = memory, scheduler, habits, seed
        self.days, self.counted_from = days, counted_from
        self.shape, self.groups, self.cards = shape, groups, cards
        self.calendar = _Calendar(habits, days)
        self.card = np.tile(np.arange(cards, dtype=np.int32), groups)
        self.draw = np.repeat(np.tile(np.arange(draws, dtype=np.int32), variants), cards)
        self.state = take(start.memory, self.draw.astype(np.int64) * cards + self.card)
        self.last, self.interval = (column[self.card].astype(np.int32) for column in (start.last, start.interval))
        self.number = np.zeros(groups * cards, dtype=np.int32)  #: number of the next review
        self.is_new = start.new[self.card]
        self.until = None if start.until is None else start.until[self.card]
        self.session = self.calendar.session_from(start.begins)[self.card]  #: in which the card comes next
        old = np.flatnonzero(~self.is_new)
        lateness = _uniform_draws(seed, self.draw[old], self.card[old], np.full(len(old), BEFORE))[2]
        last_session = self.calendar.session_from(self.last[old] + 1).astype(np.int64) - 1
        self.session[old] = self.calendar.draw_session(last_session, start.begins[self.card[old]], lateness)
        scheduler.begin(groups)
        self.counts = np.zeros((3, groups))  #: reviews, remembered, seconds
        self.known: List[Floats] = []  #: cards remembered on some days, each (groups,)

    def run(self, progress: Progress = SILENT) -> Totals:
        """Simulate all days."""
        sessions = {day: session for session, day in enumerate(self.habits.studied.tolist())}
        for day in range(self.days):
            if day % 8 == 0:
                progress(day / self.days)
            if day in sessions:
                self.study(day, sessions[day])
            if day > self.counted_from and (self.days - 1 - day) % LOOK_EVERY == 0:
                self._count_known(day)
        known = np.mean(self.known or [np.zeros(self.groups)], axis=0)
        return Totals(*(item.reshape(self.shape) for item in (*self.counts, known)))

    def study(self, day: int, session: int) -> None:
        """Answer what is due in the session of that number."""
        due = np.flatnonzero(self.session <= session)
        if self.habits.most_a_day is not None:
            due = self._most_urgent(day, due, int(self.habits.most_a_day[session]))
        is_new = self.is_new[due]
        old, new = due[~is_new], due[is_new]
        units, reviews = np.concatenate([old, new]), len(old)
        chance, button, lateness, fuzz = _uniform_draws(
            self.seed, self.draw[units], self.card[units], self.number[units]
        )
        self.number[units] += 1
        elapsed = day - self.last[old]
        reviewed = self._review(old, elapsed, chance[:reviews], button[:reviews])
        rating = np.concatenate([reviewed, self._begin(new, button[reviews:])])
        self.last[units] = day
        more = np.where(rating == AGAIN, self.habits.after_lapse, 0.0)
        more[reviews:] = np.where(rating[reviews:] == EASY, 0.0, self.habits.after_first)
        # The other number of the two decides, because this one has decided the rating.
        further = np.floor(more + np.concatenate([button[:reviews], chance[reviews:]])).astype(np.int64)
        next_intervals = self.scheduler.next_interval(old, self.interval[old], elapsed, reviewed, fuzz[:reviews])
        first_intervals = self.scheduler.first_interval(new, rating[reviews:], fuzz[reviews:])
        interval = np.concatenate([next_intervals, first_intervals])
        interval = self._answer_again(units, further, interval, fuzz)
        self.interval[units] = interval
        self.session[units] = self.calendar.draw_session(session, day + interval, lateness)
        if self.until is not None:
            self.session[units[self.calendar.day_of(self.session[units]) > self.until[units]]] = NEVER
        if day >= self.counted_from:
            kind = np.repeat([2, 0], [reviews, len(new)])
            seconds = self.habits.seconds[kind, rating - 1] + further * self.habits.seconds[1][GOOD - 1]
            counted = ((old, None), (old[reviewed > AGAIN], None), (units, seconds))
            self.counts += [np.bincount(item // self.cards, weights, self.groups) for item, weights in counted]

    def _count_known(self, day: int) -> None:
        begun = np.flatnonzero(~self.is_new)
        elapsed = np.maximum(day - self.last[begun], 0)
        chance = self.memory.recall(self.draw[begun], take(self.state, begun), elapsed)
        self.known.append(np.bincount(begun // self.cards, chance, self.groups).astype(np.float64, copy=False))

    def _review(self, units: Ints, elapsed: Ints, chance: Floats, button: Floats) -> Ints:
        draw, before = self.draw[units], take(self.state, units)
        recall = self.memory.recall(draw, before, elapsed)
        passed = HARD + np.searchsorted(np.cumsum(self.habits.passed[:-1]), button, "right")
        rating = np.where(chance < recall, passed, AGAIN)
        store(self.state, units, self.memory.step(draw, before, elapsed, rating))
        return rating

    def _begin(self, units: Ints, button: Floats) -> Ints:
        rating = AGAIN + np.searchsorted(np.cumsum(self.habits.first[:-1]), button, "right")
        if len(units):
            store(self.state, units, self.memory.first(self.draw[units], rating))
            self.is_new[units] = False
        return rating

    def _answer_again(self, units: Ints, further: Ints, interval: Ints, fuzz: Floats) -> Ints:
        """Answer these units again on the same day, always Good. Only the first three answers change the state."""
        for answer in range(1, min(int(further.max(initial=0)), 3) + 1):
            chosen = np.flatnonzero(further >= answer)
            again, good = units[chosen], np.full(len(chosen), GOOD)
            before = take(self.state, again)
            store(self.state, again, self.memory.step(self.draw[again], before, np.zeros(len(chosen)), good))
            interval[chosen] = self.scheduler.same_day_interval(again, good, interval[chosen], fuzz[chosen])
        return interval

    def _most_urgent(self, day: int, due: Ints, most: int) -> Ints:
        """Return the new cards, and of the others in each group the ``most`` that come first in Anki's order."""
        new, old = due[self.is_new[due]], due[~self.is_new[due]]
        overdue = (day - self.last[old]) / np.maximum(self.interval[old], 1)
        key: Numbers = self.session[old]
        if self.habits.order in (SHORTEST_FIRST, LONGEST_FIRST):
            key = self.interval[old] * (1 if self.habits.order == SHORTEST_FIRST else -1)
        elif self.habits.order in (LEAST_OVERDUE_FIRST, *MOST_OVERDUE_FIRST):
            key = overdue * (1 if self.habits.order == LEAST_OVERDUE_FIRST else -1)
        order = np.lexsort((key, old // self.cards))
        group = (old // self.cards)[order]
        rank = np.arange(len(group)) - np.searchsorted(group, np.arange(self.groups))[group]
        return np.sort(np.concatenate([new, old[order[rank < most]]]))


class _Calendar:
    def __init__(self, habits: StudyHabits, days: int) -> None:
        self._studied, self._delays, self._days = habits.studied, np.sort(habits.delays), days
        #: By day: the first session on it or later.
        self._next = np.searchsorted(habits.studied, np.arange(days + 1))

    def session_from(self, day: Ints) -> Ints:
        """Return the first session on or after each day, or NEVER if there is none."""
        return self._or_never(self._next[np.clip(day, 0, self._days)])

    def draw_session(self, session: Union[int, Ints], due: Ints, lateness: Floats) -> Ints:
        """Return the session in which a review comes that is due on a day, as much earlier or later as others came."""
        beyond = np.maximum(due - self._days, 0)  # What is due after the last day does not come much earlier.
        drawn = self._next[np.clip(due, 0, self._days)].astype(np.int64) + beyond
        drawn += self._delays[(lateness * len(self._delays)).astype(np.int64)]
        return self._or_never(np.maximum(drawn, session + 1))

    def day_of(self, session: Ints) -> Ints:
        """Return the day of each session, or the day after the last one for NEVER."""
        return np.append(self._studied, self._days)[np.minimum(session, len(self._studied))]

    def _or_never(self, session: Ints) -> Ints:
        return np.where(session < len(self._studied), session, NEVER).astype(np.int32)


def _uniform_draws(seed: int, draw: Ints, card: Ints, number: Ints) -> Tuple[Floats, ...]:
    """Return four uniform numbers for each review, multiples of 2^-16, the same at every call.

    Reference: Steele, Lea & Flood (2014), Fast splittable pseudorandom number generators, OOPSLA, doi
    10.1145/2660193.2660195 (the mixing function).
    """
    parts = zip((card, draw, number), (32, 16, 0))
    high, middle, low = (column.astype(np.uint64) << np.uint64(bits) for column, bits in parts)
    z = ((high ^ middle ^ low) + np.uint64(seed + 1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return tuple((z >> np.uint64(bits) & np.uint64(0xFFFF)).astype(np.float64) * 2.0**-16 for bits in (48, 32, 16, 0))

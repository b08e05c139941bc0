"""Simulates days of study, card by card, under one scheduler: what is due is answered, and comes back later.

A *unit* is one card under one draw of the memory's parameters and one variant of the scheduler: unit = (variant * draws
+ draw) * cards + card. Chance depends on the seed, the draw, the card and the number of its review alone, so it is the
same for every scheduler.
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
from .memories import Memory, State
from .schedulers import Scheduler

Bools = npt.NDArray[np.bool_]

#: Earlier days are not counted: until then, the old scheduler's intervals still show.
COUNTED_FROM = 30
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
    delays: Ints  #: studied days from when a review was due to when it came, to draw from
    studied: Ints  #: the days of the horizon on which anything is studied, ascending
    order: int = 0  #: order of reviews if not all are done, by Anki's number


@dataclass(frozen=True)
class InitialState:
    """The cards with which a simulation begins; day 0 is the first of the horizon."""

    begins: Ints  #: (cards,) the day on which each is due, or begun
    new: Bools  #: (cards,)
    last: Ints  #: (cards,) the day of its last review
    interval: Ints  #: (cards,) the one that it was given then
    memory: State  #: columns (draws * cards, ...), draw by draw; of new cards of no meaning
    until: Optional[Ints] = None  #: (cards,) after which day only a card's first review comes; None: no such day


@dataclass(frozen=True)
class Totals:
    """Results of a simulated year; all (variants, draws)."""

    reviews: Floats  #: reviews on a later day than the review before
    remembered: Floats  #: remembered ones among them
    seconds: Floats
    known: Floats  #: cards remembered, mean over the days


@dataclass(frozen=True)
class Horizon:
    """The days that are simulated."""

    days: int
    counted_from: int = 0  #: the first day that counts
    most_a_day: Optional[Ints] = None  #: later-day reviews on each studied day; None: all that are due


def simulate(
    memory: Memory,
    scheduler: Scheduler,
    start: InitialState,
    habits: StudyHabits,
    horizon: Horizon,
    shape: Tuple[int, int],
    seed: int,
    progress: Progress = SILENT,
) -> Totals:
    """Simulate days: the memory decides what is remembered, the scheduler when cards come back.

    ``shape`` is how many variants the scheduler has, and how many draws the memory; ``seed`` is that of chance.
    """
    run = _YearSimulation(memory, scheduler, start, habits, horizon.days, shape, seed)
    number_of_day = np.full(horizon.days, -1)
    number_of_day[habits.studied] = np.arange(len(habits.studied))
    for day in range(horizon.days):
        if day % 8 == 0:
            progress(day / horizon.days)
        studied, most = int(number_of_day[day]), horizon.most_a_day
        if studied >= 0:
            run.study(day, studied, None if most is None else int(most[studied]), day >= horizon.counted_from)
        if day > horizon.counted_from and (horizon.days - 1 - day) % LOOK_EVERY == 0:
            run.record_recall(day)
    return run.totals()


class _YearSimulation:
    def __init__(
        self,
        memory: Memory,
        scheduler: Scheduler,
        start: InitialState,
        habits: StudyHabits,
        horizon: int,
        shape: Tuple[int, int],
        seed: int,
    ) -> None:
        variants, draws = shape
        cards = len(start.begins)
        groups = variants * draws
        self.memory, self.scheduler, self.habits, self.seed = memory, scheduler, habits, seed
        self.shape, self.groups, self.cards = shape, groups, cards
        self.calendar = _Calendar(habits, horizon)
        self.card = np.tile(np.arange(cards, dtype=np.int32), groups)
        self.draw = np.repeat(np.tile(np.arange(draws, dtype=np.int32), variants), cards)
        of_start = self.draw.astype(np.int64) * cards + self.card
        self.state = tuple(column[of_start] for column in start.memory)
        self.last, self.interval = (column[self.card].astype(np.int32) for column in (start.last, start.interval))
        self.number = np.zeros(groups * cards, dtype=np.int32)  #: number of the next review
        self.unseen_cards = start.new[self.card]
        self.until = None if start.until is None else start.until[self.card]
        self.slot = self.calendar.turn_of(start.begins)[self.card]  #: the number of the studied day on which it comes
        old = np.flatnonzero(~self.unseen_cards)
        late = _uniform_draws(seed, self.draw[old], self.card[old], np.full(len(old), BEFORE))[2]
        before = self.calendar.turn_of(self.last[old] + 1).astype(np.int64) - 1
        self.slot[old] = self.calendar.turn_after(before, start.begins[self.card[old]], late)
        scheduler.begin(groups)
        self.counts = np.zeros((3, groups))  #: reviews, remembered, seconds
        self.looks: List[Floats] = []

    def study(self, day: int, studied: int, most: Optional[int], counts: bool) -> None:
        """Simulate the studied day of that number: answer what is due."""
        due = np.flatnonzero(self.slot <= studied)
        if most is not None:
            due = self._most_urgent(day, due, most)
        unseen_cards = self.unseen_cards[due]
        old, fresh = due[~unseen_cards], due[unseen_cards]
        units = np.concatenate([old, fresh])
        chance, button, late, fuzz = _uniform_draws(self.seed, self.draw[units], self.card[units], self.number[units])
        self.number[units] += 1
        elapsed = day - self.last[old]
        answers = len(old)
        rating = np.concatenate(
            [self._review(old, elapsed, chance[:answers], button[:answers]), self._begin(fresh, button[answers:])]
        )
        self.last[units] = day
        more = np.where(rating == AGAIN, self.habits.after_lapse, 0.0)
        more[answers:] = np.where(rating[answers:] == EASY, 0.0, self.habits.after_first)
        # The other number of the two decides; this rating does not affect it.
        further = np.floor(more + np.concatenate([button[:answers], chance[answers:]])).astype(np.int64)
        days = np.concatenate(
            [
                self.scheduler.answered(old, self.interval[old], elapsed, rating[:answers], fuzz[:answers]),
                self.scheduler.begun(fresh, rating[answers:], fuzz[answers:]),
            ]
        )
        days = self._answer_again(units, further, days, fuzz)
        self.interval[units] = days
        self.slot[units] = self.calendar.turn_after(studied, day + days, late)
        if self.until is not None:
            self.slot[units[self.calendar.day_of(self.slot[units]) > self.until[units]]] = NEVER
        if counts:
            of_kind = np.repeat([2, 0], [answers, len(fresh)])
            seconds = self.habits.seconds[of_kind, rating - 1] + further * self.habits.seconds[1][GOOD - 1]
            self._count(0, old)
            self._count(1, old[rating[:answers] > AGAIN])
            self._count(2, units, seconds)

    def record_recall(self, day: int) -> None:
        """Record how many cards are remembered on a day."""
        begun = np.flatnonzero(~self.unseen_cards)
        before = tuple(column[begun] for column in self.state)
        chance = self.memory.recall(self.draw[begun], before, np.maximum(day - self.last[begun], 0))
        self.looks.append(np.bincount(begun // self.cards, chance, self.groups).astype(np.float64, copy=False))

    def totals(self) -> Totals:
        """Return the totals so far."""
        looks = self.looks or [np.zeros(self.groups)]
        return Totals(*(item.reshape(self.shape) for item in (*self.counts, np.mean(looks, axis=0))))

    def _review(self, units: Ints, elapsed: Ints, chance: Floats, button: Floats) -> Ints:
        draw, before = self.draw[units], tuple(column[units] for column in self.state)
        recall = self.memory.recall(draw, before, elapsed)
        passed = HARD + np.searchsorted(np.cumsum(self.habits.passed[:-1]), button, "right")
        rating = np.where(chance < recall, passed, AGAIN)
        self._remember(units, self.memory.step(draw, before, elapsed, rating))
        return rating

    def _begin(self, units: Ints, button: Floats) -> Ints:
        rating = AGAIN + np.searchsorted(np.cumsum(self.habits.first[:-1]), button, "right")
        if len(units):
            self._remember(units, self.memory.first(self.draw[units], rating))
            self.unseen_cards[units] = False
        return rating

    def _answer_again(self, units: Ints, further: Ints, days: Ints, fuzz: Floats) -> Ints:
        """Answer these units again on the same day, always Good; only the first three answers change the state."""
        for slot in range(1, min(int(further.max(initial=0)), 3) + 1):
            some = np.flatnonzero(further >= slot)
            again, good = units[some], np.full(len(some), GOOD)
            before = tuple(column[again] for column in self.state)
            self._remember(again, self.memory.step(self.draw[again], before, np.zeros(len(some)), good))
            days[some] = self.scheduler.answered_again(again, good, days[some], fuzz[some])
        return days

    def _remember(self, units: Ints, state: State) -> None:
        for column, value in zip(self.state, state):
            column[units] = value

    def _count(self, what: int, units: Ints, weights: Optional[Floats] = None) -> None:
        self.counts[what] += np.bincount(units // self.cards, weights, self.groups)

    def _most_urgent(self, day: int, due: Ints, most: int) -> Ints:
        """Return the new cards, and of the others in each group the ``most`` that come first in Anki's order."""
        new, old = due[self.unseen_cards[due]], due[~self.unseen_cards[due]]
        overdue = (day - self.last[old]) / np.maximum(self.interval[old], 1)
        key: Numbers = self.slot[old]
        if self.habits.order in (SHORTEST_FIRST, LONGEST_FIRST):
            key = self.interval[old] * (1 if self.habits.order == SHORTEST_FIRST else -1)
        elif self.habits.order in (LEAST_OVERDUE_FIRST, *MOST_OVERDUE_FIRST):
            key = overdue * (1 if self.habits.order == LEAST_OVERDUE_FIRST else -1)
        order = np.lexsort((key, old // self.cards))
        group = (old // self.cards)[order]
        rank = np.arange(len(group)) - np.searchsorted(group, np.arange(self.groups))[group]
        return np.sort(np.concatenate([new, old[order[rank < most]]]))


class _Calendar:
    def __init__(self, habits: StudyHabits, horizon: int) -> None:
        self._studied, self._delays, self._horizon = habits.studied, np.sort(habits.delays), horizon
        #: By day: the number of the first studied day at or after it.
        self._next = np.searchsorted(habits.studied, np.arange(horizon + 1))

    def turn_of(self, day: Ints) -> Ints:
        """Return the number of the first studied day at or after each day; NEVER beyond the horizon."""
        slot = self._next[np.clip(day, 0, self._horizon)]
        return np.where(slot < len(self._studied), slot, NEVER).astype(np.int32)

    def turn_after(self, studied: Union[int, Ints], due: Ints, late: Floats) -> Ints:
        """Return when a review that is due on a day comes: later, or earlier, by as many studied days as others did."""
        beyond = np.maximum(due - self._horizon, 0)  # what is due after the horizon does not come much earlier
        slot = self._next[np.clip(due, 0, self._horizon)].astype(np.int64) + beyond
        slot += self._delays[(late * len(self._delays)).astype(np.int64)]
        slot = np.maximum(slot, studied + 1)
        return np.where(slot < len(self._studied), slot, NEVER).astype(np.int32)

    def day_of(self, slot: Ints) -> Ints:
        """Return the calendar day of each studied day's index; the horizon for NEVER."""
        days = np.append(self._studied, self._horizon)
        return days[np.minimum(slot, len(self._studied))]


def _uniform_draws(seed: int, draw: Ints, card: Ints, number: Ints) -> Tuple[Floats, Floats, Floats, Floats]:
    """Return four uniform numbers for each review, multiples of 2^-16, the same at every call.

    Reference: Steele, Lea & Flood (2014), Fast splittable pseudorandom number generators, OOPSLA, doi
    10.1145/2660193.2660195 (the mixing function).
    """
    key = (
        (card.astype(np.uint64) << np.uint64(32)) ^ (draw.astype(np.uint64) << np.uint64(16)) ^ number.astype(np.uint64)
    )
    z = (key + np.uint64(seed + 1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    parts = (z >> np.uint64(bits) & np.uint64(0xFFFF) for bits in (48, 32, 16, 0))
    first, second, third, fourth = (part.astype(np.float64) * 2.0**-16 for part in parts)
    return first, second, third, fourth

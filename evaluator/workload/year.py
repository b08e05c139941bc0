"""Simulates days of study, card by card, under one scheduler: what is due is answered, and comes back later.

A *unit* is one card under one draw of the memory's parameters and one variant of the scheduler: unit = (variant * draws +
draw) * cards + card. Chance depends on the seed, the draw, the card and the number of its review alone, so it is the
same for every scheduler.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ..derivatives import Floats
from ..progress import SILENT, Progress
from ..revlog import Ints
from .memories import SAME_DAY, Memory, State
from .schedulers import Scheduler

Bools = npt.NDArray[np.bool_]

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4
#: Days before this one are not counted: by then each scheduler has got hold of the cards.
COUNTED_FROM = 30
#: Every so many days it is looked how many cards are remembered.
LOOK_EVERY = 14
NEVER = np.iinfo(np.int32).max
#: In place of a review's number, where chance decides when a card comes up for the first time.
BEFORE = 0xFFFF


@dataclass(frozen=True)
class Habits:
    """How the person answers, and when."""

    first: Floats  #: shares of the four buttons among first answers
    passed: Floats  #: shares of Hard, Good, Easy among later-day reviews that were remembered
    after_first: float  #: further answers on the same day, mean
    after_lapse: float
    seconds: Floats  #: of an answer, (3, 4): first, further on the same day, later day; by button
    delays: Ints  #: studied days from when a review was due to when it came, to draw from
    studied: Ints  #: the days of the horizon on which anything is studied, ascending


@dataclass(frozen=True)
class Start:
    """The cards with which a simulation begins; day 0 is the first of the horizon."""

    begins: Ints  #: (cards,) the day on which each is due, or begun
    new: Bools  #: (cards,)
    last: Ints  #: (cards,) the day of its last review
    interval: Ints  #: (cards,) the one that it was given then
    memory: State  #: columns (draws * cards, ...), draw by draw; of new cards of no meaning
    pace: Floats  #: (draws * cards,) how much faster time passes for the card than for the memory
    until: Optional[Ints] = None  #: (cards,) the last day on which each is looked at; None: to the end


@dataclass(frozen=True)
class Totals:
    """What came of it; all (variants, draws)."""

    reviews: Floats  #: on a later day than the review before
    remembered: Floats  #: of these
    answers: Floats  #: all of them
    seconds: Floats
    known: Floats  #: cards remembered, mean over the days
    known_at_the_end: Floats


def simulate(
    memory: Memory,
    scheduler: Scheduler,
    start: Start,
    habits: Habits,
    horizon: int,
    *,
    draws: int,
    seed: int,
    variants: int = 1,
    counted_from: int = COUNTED_FROM,
    most_a_day: Optional[Ints] = None,
    look: bool = True,
    seen: Callable[[Ints, Ints, Floats], object] = lambda *_: None,
    progress: Progress = SILENT,
) -> Totals:
    """Simulate the days from 0 to ``horizon`` (exclusive).

    Args:
        memory: decides what is remembered.
        scheduler: decides when cards come back; has a state for each unit.
        start: the cards.
        habits: the person.
        horizon: in days.
        draws: of the memory's parameters.
        seed: of chance.
        variants: of the scheduler.
        counted_from: the first day that counts.
        most_a_day: reviews on each studied day; None: all that are due.
        look: whether the cards that are remembered are counted.
        seen: is given the units that are reviewed, the days since their last review, and the chance of recall.
        progress: is told every some days.
    """
    cards = len(start.begins)
    groups = variants * draws
    units = groups * cards
    calendar = _Calendar(habits, horizon)
    card = np.tile(np.arange(cards), groups)
    draw = np.repeat(np.tile(np.arange(draws), variants), cards)
    of_start = draw * cards + card
    state = tuple(column[of_start] for column in start.memory)
    pace = start.pace[of_start]
    last = start.last[card].astype(np.int32)
    number = np.zeros(units, dtype=np.int32)  # reviews in the simulation
    unseen = start.new[card].copy()
    turn = calendar.turn_of(start.begins)[card]  # the number of the studied day on which each unit comes up
    known = np.flatnonzero(~unseen)
    late = _chance(seed, draw[known], card[known], np.full(len(known), BEFORE))[2]
    turn[known] = calendar.turn_after(calendar.turn_of(last[known] + 1) - 1, start.begins[card[known]], late)
    until = None if start.until is None else start.until[card]
    scheduler.begin(start.interval, groups)
    reviews, remembered, answers, seconds = (np.zeros(groups) for _ in range(4))
    looks = []
    looked = set(range(horizon - 1, counted_from, -LOOK_EVERY)) if look else set()
    same_day = SAME_DAY if memory.algorithm.inputs.fractional else 0

    def add(total: Floats, which: Ints, weights: Optional[Floats] = None) -> None:
        if day >= counted_from:
            total += np.bincount(which // cards, weights, groups)

    def step(which: Ints, elapsed: npt.NDArray[np.generic], rating: Ints) -> None:
        before = tuple(column[which] for column in state)
        for column, value in zip(state, memory.step(draw[which], before, elapsed, rating)):
            column[which] = value

    studied = -1
    for day in range(horizon):
        if day % 8 == 0:
            progress(day / horizon)
        if studied + 1 < len(habits.studied) and habits.studied[studied + 1] == day:
            studied += 1
            due = np.flatnonzero(turn <= studied)
            if most_a_day is not None:
                due = _most_urgent(due, turn, unseen, most_a_day[studied], groups, cards)
            u, v, late = _chance(seed, draw[due], card[due], number[due])
            number[due] += 1
            is_new = unseen[due]
            # Later-day reviews.
            old = due[~is_new]
            elapsed = day - last[old]
            before = tuple(column[old] for column in state)
            recall = memory.recall(draw[old], before, elapsed * pace[old])
            seen(old, elapsed, recall)
            passed = u[~is_new] < recall
            rating = np.where(passed, 2 + np.searchsorted(np.cumsum(habits.passed[:-1]), v[~is_new], "right"), AGAIN)
            for column, value in zip(state, memory.step(draw[old], before, elapsed, rating)):
                column[old] = value
            add(reviews, old)
            add(remembered, old, passed.astype(float))
            add(answers, old)
            add(seconds, old, habits.seconds[2][rating - 1])
            # New cards.
            fresh = due[is_new]
            first = 1 + np.searchsorted(np.cumsum(habits.first[:-1]), v[is_new], "right")
            if len(fresh):
                for column, value in zip(state, memory.first(draw[fresh], first)):
                    column[fresh] = value
                add(answers, fresh)
                add(seconds, fresh, habits.seconds[0][first - 1])
                unseen[fresh] = False
            last[due] = day
            # Further answers on the same day: of new cards, and of lapses.
            of_new = np.floor(np.where(first == EASY, 0, habits.after_first) + u[is_new]).astype(np.int64)
            of_lapse = np.floor(np.where(passed, 0, habits.after_lapse) + v[~is_new]).astype(np.int64)
            both, more = np.concatenate([old, fresh]), np.concatenate([of_lapse, of_new])
            add(answers, both, more.astype(float))
            add(seconds, both, more * habits.seconds[1][GOOD - 1])
            days = np.concatenate(
                [scheduler.answered(old, elapsed, rating), scheduler.begun(fresh, first)]
                if len(fresh)
                else [scheduler.answered(old, elapsed, rating)]
            )
            for further in range(1, int(min(more.max(initial=0), 3)) + 1):
                some = np.flatnonzero(more >= further)
                again, good = both[some], np.full(len(some), GOOD)
                if memory.algorithm.inputs.same_day:
                    step(again, np.full(len(some), same_day), good)
                days[some] = scheduler.answered_again(again, good, days[some])
            scheduler.gave(both, days)
            late = np.concatenate([late[~is_new], late[is_new]])
            turn[both] = calendar.turn_after(studied, day + days, late)
            if until is not None:
                turn[both[calendar.day_of(turn[both]) > until[both]]] = NEVER
        if day in looked:
            began = np.flatnonzero(~unseen)
            chance = memory.recall(
                draw[began], tuple(column[began] for column in state), (day - last[began]) * pace[began]
            )
            looks.append(np.bincount(began // cards, chance, groups))
    known = np.mean(looks, axis=0) if looks else np.zeros(groups)
    at_end = looks[-1] if looks else known
    parts = (reviews, remembered, answers, seconds, known, at_end)
    return Totals(*(part.reshape(variants, draws) for part in parts))


class _Calendar:
    """Which studied day a review comes on."""

    def __init__(self, habits: Habits, horizon: int) -> None:
        self._studied, self._delays, self._horizon = habits.studied, np.sort(habits.delays), horizon
        #: By day: the number of the first studied day at or after it.
        self._next = np.searchsorted(habits.studied, np.arange(horizon + 1))

    def turn_of(self, day: Ints) -> Ints:
        """The number of the first studied day at or after each day; NEVER beyond the horizon."""
        turn = self._next[np.clip(day, 0, self._horizon)]
        return np.where(turn < len(self._studied), turn, NEVER).astype(np.int32)

    def turn_after(self, studied: int, due: Ints, late: Floats) -> Ints:
        """When a review that is due on a day comes: later, or earlier, by as many studied days as others did."""
        turn = self._next[np.clip(due, 0, self._horizon)].astype(np.int64)
        turn += self._delays[(late * len(self._delays)).astype(np.int64)]
        turn = np.maximum(turn, studied + 1)
        return np.where((turn < len(self._studied)) & (due <= self._horizon + 60), turn, NEVER).astype(np.int32)

    def day_of(self, turn: Ints) -> Ints:
        """The day of a studied day's number; one beyond the horizon for NEVER."""
        days = np.append(self._studied, self._horizon)
        return days[np.minimum(turn, len(self._studied))]


def _most_urgent(due: Ints, turn: Ints, unseen: Bools, most: int, groups: int, cards: int) -> Ints:
    """The new cards, and of the others in each group the ``most`` that were due first."""
    new, old = due[unseen[due]], due[~unseen[due]]
    order = np.lexsort((turn[old], old // cards))
    group = (old // cards)[order]
    begins = np.searchsorted(group, np.arange(groups))
    rank = np.arange(len(group)) - begins[group]
    return np.sort(np.concatenate([new, old[order[rank < most]]]))


def _chance(seed: int, draw: Ints, card: Ints, number: Ints) -> Tuple[Floats, Floats, Floats]:
    """Three uniform numbers for each review, the same whenever it is asked for.

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
    return (
        (z >> np.uint64(40)) * 2.0**-24,
        ((z >> np.uint64(20)) & np.uint64(0xFFFFF)) * 2.0**-20,
        (z & np.uint64(0xFFFFF)) * 2.0**-20,
    )

"""Simulation of days of study under one scheduler, card by card.

A *unit* is one card under one draw of the memory's parameters and one variant of the scheduler. Its number is (variant
* draws + draw) * cards + card. A *session* is a day on which anything is studied, and sessions are numbered from 0.
Random numbers depend only on the seed, the draw, the card and the number of its review. They are therefore the same for
every scheduler.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple, Union

import numpy as np

from ..data.histories import Numbers
from ..data.revlog import AGAIN, EASY, GOOD, HARD, Bools, Ints
from ..derivatives import Floats
from ..progress import Progress
from .memory_draws import Memory, State, store, take
from .schedulers import Scheduler

#: Days between two counts of the remembered cards.
COUNT_EVERY = 28
#: Days between two calls of the progress.
REPORT_EVERY = 8
#: Anki's numbers of the review orders. All others count as due date order. The order matters only if not all due
#: reviews are done.
SHORTEST_FIRST = 3
LONGEST_FIRST = 4
#: By retrievability, which falls with elapsed / interval.
MOST_OVERDUE_FIRST = (7, 12)
LEAST_OVERDUE_FIRST = 11
#: Review number whose random numbers decide when a card first appears.
BEFORE_FIRST_REVIEW = 0xFFFF
#: Maximum number of further answers on a day that change the state of a card.
MAX_FURTHER = 3
#: Rows of :attr:`StudyHabits.seconds`.
FIRST = 0
FURTHER = 1
LATER_DAY = 2


@dataclass(frozen=True)
class StudyHabits:
    """How and when the user answers."""

    first_shares: Floats  #: shares of the four buttons among first answers
    pass_shares: Floats  #: shares of Hard, Good and Easy among later-day reviews that were remembered
    after_first: float  #: mean number of further answers on the day of a first answer other than Easy
    after_lapse: float  #: mean number of further answers on the day of a lapse
    seconds: Floats  #: (3, 4) seconds per answer, for first, further and later-day answers, by button
    delays: Ints  #: sample of delays: sessions from when a review was due to when it came
    study_days: Ints  #: the simulated days on which anything is studied, ascending
    max_reviews: Optional[Ints] = None  #: maximum number of later-day reviews in each session, or None for no limit
    review_order: int = 0  #: Anki's number of the order of reviews, for sessions in which not all are done


@dataclass(frozen=True)
class InitialState:
    """The cards with which a simulation begins. Day 0 is the first simulated day."""

    due: Ints  #: (cards,) the day on which each card is due, or is introduced if it is new
    is_new: Bools  #: (cards,) whether each card has no review yet
    last_day: Ints  #: (cards,) the day of the last review, which is ignored for new cards
    interval: Ints  #: (cards,) the interval given on that day
    memory: State  #: columns (draws * cards, ...), draw by draw, which are ignored for new cards
    #: (cards,) the last day on which the card may be reviewed. Its first simulated review ignores this limit.
    until: Ints


@dataclass(frozen=True)
class Totals:
    """Results of the simulated days, each of shape (variants, draws)."""

    reviews: Floats  #: number of later-day reviews
    remembered: Floats  #: number of remembered later-day reviews
    seconds: Floats  #: answer time
    known: Floats  #: expected number of remembered cards, mean over the days


@dataclass
class StudySimulation:
    """Simulation in which the memory decides what is remembered, and the scheduler when cards come back."""

    memory: Memory
    scheduler: Scheduler  #: the scheduler with its state of all units
    start: InitialState
    habits: StudyHabits
    days: int  #: number of days
    shape: Tuple[int, int]  #: numbers of the scheduler's variants and of the memory's draws
    seed: int  #: seed of the random numbers
    counted_from: int = 0  #: the first day that counts

    def __post_init__(self) -> None:
        start = self.start
        habits = self.habits
        (variants, draws) = self.shape
        cards = len(start.due)
        groups = variants * draws
        self.groups = groups
        self.cards = cards
        self.delays = np.sort(habits.delays)
        self.card = np.tile(np.arange(cards, dtype=np.int32), groups)
        self.draw = np.repeat(np.tile(np.arange(draws, dtype=np.int32), variants), cards)
        self.state = take(start.memory, self.draw.astype(np.int64) * cards + self.card)
        self.last_day, self.interval = (x[self.card].astype(np.int32) for x in (start.last_day, start.interval))
        self.review_number = np.zeros(groups * cards, dtype=np.int32)  #: number of the next review
        self.is_new = start.is_new[self.card]
        #: The first session in which a card is no longer reviewed.
        self.stop = np.searchsorted(habits.study_days, start.until, "right")[self.card]
        #: The next session of each unit. It is never reached if it is the number of sessions or more.
        self.session = np.searchsorted(habits.study_days, start.due)[self.card].astype(np.int32)
        old_units = np.flatnonzero(~self.is_new)
        review_number = np.full(len(old_units), BEFORE_FIRST_REVIEW)
        lateness = _uniform_draws(self.seed, self.draw[old_units], self.card[old_units], review_number)[2]
        last_session = np.searchsorted(habits.study_days, self.last_day[old_units] + 1) - 1
        self.session[old_units] = self._draw_session(last_session, start.due[self.card[old_units]], lateness)
        self.counts = np.zeros((3, groups))  #: reviews, remembered reviews, seconds
        self.known: List[Floats] = []  #: expected numbers of remembered cards on some days, each (groups,)

    def run(self, progress: Progress) -> Totals:
        """Simulate all days."""
        sessions = {day: session for session, day in enumerate(self.habits.study_days.tolist())}
        for day in range(self.days):
            if day % REPORT_EVERY == 0:
                progress(day / self.days)
            if day in sessions:
                self._study(day, sessions[day])
            if day > self.counted_from and (self.days - 1 - day) % COUNT_EVERY == 0:
                self._record_known(day)
        known = np.mean(self.known or [np.zeros(self.groups)], axis=0)
        return Totals(*(column.reshape(self.shape) for column in (*self.counts, known)))

    def _study(self, day: int, session: int) -> None:
        """Answer everything that is due in a session."""
        due = np.flatnonzero(self.session <= session)
        if self.habits.max_reviews is not None:
            due = self._most_urgent(day, due, int(self.habits.max_reviews[session]))
        is_new = self.is_new[due]
        old_units = due[~is_new]
        new_units = due[is_new]
        units = np.append(old_units, new_units)
        n_reviews = len(old_units)
        recall_draw, button_draw, lateness, fuzz = _uniform_draws(
            self.seed, self.draw[units], self.card[units], self.review_number[units]
        )
        self.review_number[units] += 1
        elapsed = day - self.last_day[old_units]
        last_interval = self.interval[old_units]
        review_ratings = self._review(old_units, elapsed, recall_draw[:n_reviews], button_draw[:n_reviews])
        rating = np.append(review_ratings, self._introduce(new_units, button_draw[n_reviews:]))
        self.last_day[units] = day
        mean_further = np.where(rating == AGAIN, self.habits.after_lapse, 0.0)
        mean_further[n_reviews:] = np.where(rating[n_reviews:] == EASY, 0.0, self.habits.after_first)
        # Each unit uses the draw that has not decided its rating, so that the two are independent.
        unused_draw = np.append(button_draw[:n_reviews], recall_draw[n_reviews:])
        further_answers = np.floor(mean_further + unused_draw).astype(np.int64)
        next_intervals = self.scheduler.next_interval(
            old_units, last_interval, elapsed, review_ratings, fuzz[:n_reviews]
        )
        first_intervals = self.scheduler.first_interval(new_units, rating[n_reviews:], fuzz[n_reviews:])
        interval = np.append(next_intervals, first_intervals)
        interval = self._answer_again(units, further_answers, interval, fuzz)
        self.interval[units] = interval
        next_session = self._draw_session(session, day + interval, lateness)
        self.session[units] = np.where(next_session < self.stop[units], next_session, len(self.habits.study_days))
        if day >= self.counted_from:
            kind = np.repeat([LATER_DAY, FIRST], [n_reviews, len(new_units)])
            seconds = self.habits.seconds[kind, rating - 1] + further_answers * self.habits.seconds[FURTHER, GOOD - 1]
            unit_weights = ((old_units, None), (old_units[review_ratings > AGAIN], None), (units, seconds))
            self.counts += [np.bincount(subset // self.cards, weights, self.groups) for subset, weights in unit_weights]

    def _draw_session(self, session: Union[int, Ints], due: Ints, lateness: Floats) -> Ints:
        """Return the session after ``session`` in which each review comes, given its due day and a uniform number."""
        # The days after the last one count as study days, so that a card due long after it does not come early.
        due_session = np.searchsorted(self.habits.study_days, due) + np.maximum(due - self.days, 0)
        delay = self.delays[(lateness * len(self.delays)).astype(np.int64)]
        next_session: Ints = np.maximum(due_session + delay, session + 1)
        return next_session

    def _record_known(self, day: int) -> None:
        """Record the expected numbers of remembered cards on a day."""
        old_units = np.flatnonzero(~self.is_new)
        elapsed = np.maximum(day - self.last_day[old_units], 0)
        recall = self.memory.recall(self.draw[old_units], take(self.state, old_units), elapsed)
        self.known.append(np.bincount(old_units // self.cards, recall, self.groups).astype(np.float64, copy=False))

    def _review(self, units: Ints, elapsed: Ints, recall_draw: Floats, button_draw: Floats) -> Ints:
        """Review the units on a later day, update their memory, and return the ratings."""
        draw = self.draw[units]
        old_state = take(self.state, units)
        recall = self.memory.recall(draw, old_state, elapsed)
        pass_rating = HARD + np.searchsorted(np.cumsum(self.habits.pass_shares[:-1]), button_draw, "right")
        rating = np.where(recall_draw < recall, pass_rating, AGAIN)
        store(self.state, units, self.memory.step(draw, old_state, elapsed, rating))
        return rating

    def _introduce(self, units: Ints, button_draw: Floats) -> Ints:
        """Give new units their first answer, and return the ratings."""
        rating = AGAIN + np.searchsorted(np.cumsum(self.habits.first_shares[:-1]), button_draw, "right")
        store(self.state, units, self.memory.first(self.draw[units], rating))
        self.is_new[units] = False
        return rating

    def _answer_again(self, units: Ints, further_answers: Ints, interval: Ints, fuzz: Floats) -> Ints:
        """Answer the units again on the same day, always Good, and return the new intervals.

        Only the first :data:`MAX_FURTHER` further answers of a unit change its state.
        """
        for answer in range(1, min(int(further_answers.max(initial=0)), MAX_FURTHER) + 1):
            indices = np.flatnonzero(further_answers >= answer)
            repeated_units = units[indices]
            good = np.full(len(indices), GOOD)
            old_state = take(self.state, repeated_units)
            new_state = self.memory.step(self.draw[repeated_units], old_state, np.zeros(len(indices)), good)
            store(self.state, repeated_units, new_state)
            interval[indices] = self.scheduler.same_day_interval(repeated_units, interval[indices], fuzz[indices])
        return interval

    def _most_urgent(self, day: int, due: Ints, max_reviews: int) -> Ints:
        """Return all new units, and the first ``max_reviews`` old ones of each group in Anki's review order."""
        new_units = due[self.is_new[due]]
        old_units = due[~self.is_new[due]]
        interval = self.interval[old_units]
        overdue = (day - self.last_day[old_units]) / np.maximum(interval, 1)
        key_by_order: Dict[int, Numbers] = {
            SHORTEST_FIRST: interval,
            LONGEST_FIRST: -interval,
            LEAST_OVERDUE_FIRST: overdue,
            **dict.fromkeys(MOST_OVERDUE_FIRST, -overdue),
        }
        key = key_by_order.get(self.habits.review_order, self.session[old_units])
        order = np.lexsort((key, old_units // self.cards))
        group = (old_units // self.cards)[order]
        rank = np.arange(len(group)) - np.searchsorted(group, np.arange(self.groups))[group]
        return np.sort(np.append(new_units, old_units[order[rank < max_reviews]]))


def _uniform_draws(seed: int, draw: Ints, card: Ints, review_number: Ints) -> Tuple[Floats, ...]:
    """Return four uniform random numbers for each review, from 0 to below 1, in steps of 2^-16.

    They are a hash of the arguments, so they are the same at every call.

    Reference: Steele, Lea & Flood (2014), Fast splittable pseudorandom number generators, OOPSLA, doi
    10.1145/2660193.2660195 (the mixing function).
    """
    parts = zip((card, draw, review_number), (32, 16, 0))
    high, middle, low = (column.astype(np.uint64) << np.uint64(bits) for column, bits in parts)
    z = ((high ^ middle ^ low) + np.uint64(seed + 1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return tuple((z >> np.uint64(bits) & np.uint64(0xFFFF)).astype(np.float64) * 2.0**-16 for bits in (48, 32, 16, 0))

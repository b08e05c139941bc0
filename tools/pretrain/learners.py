"""Simulated learners, as unlike each other as real collections are, for the networks to learn from.

A network that saw FSRS-6 learners alone would only learn FSRS-6. So the memories are of two kinds, their parameters are
spread widely, and so are the schedulers, the retention that they aim at, the habits and the use of the buttons. Cards
are independent of each other: one pass over arrays for the n-th study day of all cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from evaluator.funnel import Funnel
from evaluator.reviews import CardRows, Reviews, prepare_reviews
from evaluator.revlog import SECONDS_PER_DAY, Clock, Revlog, Sm2Settings
from evaluator.workload.intervals import fsrs_interval, sm2_days, sm2_ease, sm2_learned_days, whole_days
from tools.simulate import memory as fsrs
from tools.simulate.memory import AGAIN, EASY, GOOD, HARD, Floats, Ints
from tools.simulate.people import scattered_parameters
from tools.simulate.schedulers import MAX_INTERVAL

MOST_STUDY_DAYS = 40  #: of one card
MOST_ANSWERS_A_DAY = 6  #: to one card
NIGHT = 30 * 60 * 1000  #: milliseconds before the end of the day, in which nothing is answered
MS_PER_DAY = SECONDS_PER_DAY * 1000


class Memory(Protocol):
    """The true memory of all cards of a learner."""

    def chance(self, cards: Ints, elapsed_days: Floats) -> Floats:
        """The probability of recall."""

    def begin(self, cards: Ints, rating: Ints) -> None:
        """Change the memory by the first answer."""

    def learn(self, cards: Ints, elapsed_days: Floats, rating: Ints) -> None:
        """Change the memory by a later answer."""


class FsrsMemory:
    """FSRS-6 with parameters around the published ones, and cards that differ beyond what the answers say."""

    def __init__(self, random: np.random.Generator, cards: int) -> None:
        self._w = scattered_parameters(random, scale=random.uniform(0.3, 2.0))
        self._ease = np.exp(random.normal(0, random.uniform(0, 1.0), cards))
        self._stability, self._difficulty = np.ones(cards), np.full(cards, 5.0)

    def chance(self, cards: Ints, elapsed_days: Floats) -> Floats:
        return fsrs.recall(self._w, self._stability[cards], elapsed_days)

    def begin(self, cards: Ints, rating: Ints) -> None:
        stability, self._difficulty[cards] = fsrs.first(self._w, rating)
        self._stability[cards] = np.maximum(stability * self._ease[cards], fsrs.MIN_STABILITY)

    def learn(self, cards: Ints, elapsed_days: Floats, rating: Ints) -> None:
        before = self._stability[cards]
        after, self._difficulty[cards] = fsrs.after(self._w, before, self._difficulty[cards], elapsed_days, rating)
        better = (after > before) & (elapsed_days >= 1)
        self._stability[cards] = np.where(better, after * self._ease[cards] ** 0.3, after)


class HalfLifeMemory:
    """Half-lives that grow by a factor of the item's own; exponential or power-law forgetting.

    h' = h (1 + growth * item * (t / h)^spacing * button) after a pass, max(h0, keep * h) after a lapse; some items were
    known before the first answer, and stay known.
    """

    def __init__(self, random: np.random.Generator, cards: int) -> None:
        self._item = np.exp(random.normal(0, random.uniform(0.3, 1.5), cards))
        self._known = random.random(cards) < random.choice([0, random.uniform(0, 0.7)])
        self._first = np.exp(random.normal(1.2, 1.3) + np.array([0, *np.cumsum(random.uniform(0, 1.2, 3))]))
        self._growth = np.exp(random.normal(0.5, 0.8))
        self._spacing = random.uniform(0.0, 1.0)
        self._button = np.array([0, 0, random.uniform(0.2, 1.0), 1, random.uniform(1.0, 2.5)])
        self._keep = random.uniform(0, 0.5)
        self._same_day, self._same_day_lapse = np.exp(random.uniform(0, 0.5)), random.uniform(0.5, 1.0)
        self._tail = random.choice([np.inf, random.uniform(0.1, 1.0)])
        self._half_life = np.ones(cards)

    def chance(self, cards: Ints, elapsed_days: Floats) -> Floats:
        ages = elapsed_days / self._half_life[cards]
        if np.isinf(self._tail):
            return np.asarray(0.5**ages)
        return np.asarray((1 + (2 ** (1 / self._tail) - 1) * ages) ** -self._tail)

    def begin(self, cards: Ints, rating: Ints) -> None:
        first = self._first[rating - 1] * self._item[cards]
        self._half_life[cards] = np.where(self._known[cards], 3000 * first, first)

    def learn(self, cards: Ints, elapsed_days: Floats, rating: Ints) -> None:
        before = self._half_life[cards]
        spaced = np.minimum(elapsed_days / before, 3.0) ** self._spacing
        grown = before * (1 + self._growth * np.sqrt(self._item[cards]) * spaced * self._button[rating])
        lapsed = np.maximum(self._keep * before, np.minimum(before, self._first[0] * self._item[cards]))
        later = np.where(rating == AGAIN, lapsed, grown)
        same_day = before * np.where(rating == AGAIN, self._same_day_lapse, self._same_day)
        after = np.where(elapsed_days >= 1, later, same_day)
        self._half_life[cards] = np.clip(after, 0.05, 36_500)


@dataclass(frozen=True)
class Habits:
    """How one learner answers and when."""

    first_answers: Floats  #: Again to Easy on new cards
    hard: float  #: of the recalled, when recall was easy; rises as it gets difficult
    easy: float
    slips: float  #: Agains on what is known
    guesses: float  #: passes on what is forgotten
    steps: int  #: of learning on the first day
    relearns: bool  #: a lapsed card comes back on the same day
    extra: float  #: share of the cards that come back on the same day though nothing asks for it
    pace: float  #: seconds until a card comes back on the same day: the median
    hours_later: float  #: share of these that come back hours later
    forgets: float  #: of the weakest cards, within the day: the share
    forgets_after: float  #: seconds, by which half of that has happened
    late: float  #: mean delay, as a share of the interval
    early: float  #: share of reviews ahead of time
    breaks: Ints  #: (n, 2): first day and day after the last, in which nothing is studied

    @classmethod
    def of(cls, random: np.random.Generator, days: int) -> Habits:
        """Draw habits at random."""
        buttons = random.choice(["two", "four", "mostly hard"], p=[0.35, 0.5, 0.15])
        first = random.dirichlet([1.0, 0.1, 2.0, 0.1] if buttons == "two" else [1.0, 0.6, 2.0, 0.5])
        begin = random.integers(0, days, random.poisson(days / 250))
        length = np.exp(random.normal(2.5, 1.0, len(begin))).astype(np.int64) + 2
        return cls(
            first_answers=first,
            hard={"two": 0.0, "four": random.uniform(0, 0.3), "mostly hard": random.uniform(0.2, 1.0)}[buttons],
            easy=0.0 if buttons == "two" else random.uniform(0, 0.4),
            slips=random.choice([0.0, random.uniform(0, 0.08)]),
            guesses=random.choice([0.0, random.uniform(0, 0.3)]),
            steps=int(random.integers(0, 4)),
            relearns=bool(random.random() < 0.8),
            extra=random.choice([0.0, random.uniform(0, 0.2)]),
            pace=np.exp(random.uniform(np.log(15), np.log(3600))),
            hours_later=random.choice([0.0, random.uniform(0, 0.3)]),
            forgets=random.uniform(0, 0.6),
            forgets_after=np.exp(random.uniform(np.log(5), np.log(600))),
            late=random.choice([0.02, random.uniform(0, 0.6)]),
            early=random.choice([0.0, random.uniform(0, 0.1)]),
            breaks=np.stack([begin, begin + length], axis=1),
        )


class Scheduler:
    """Intervals as Anki's: by SM-2 with a learner's options, or by FSRS with the parameters it believes in."""

    def __init__(self, random: np.random.Generator, cards: int) -> None:
        self._by_fsrs = random.random() < 0.5
        self._believed = scattered_parameters(random, scale=random.uniform(0, 1.0))
        self._retention = random.uniform(0.7, 0.97)
        self._stability, self._difficulty = np.ones(cards), np.full(cards, 5.0)
        self._settings = Sm2Settings(
            interval_modifier=random.uniform(0.6, 1.8),
            lapse_factor=random.choice([0.0, random.uniform(0, 0.8)]),
            graduating_interval=int(random.choice([1, 1, 2, 3, 7])),
        )
        self._ease = np.full(cards, round(1000 * random.uniform(1.8, 3.0)))
        self._interval = np.zeros(cards, dtype=np.int64)

    def begin(self, cards: Ints, rating: Ints) -> None:
        """Learn of the first answer."""
        self._stability[cards], self._difficulty[cards] = fsrs.first(self._believed, rating)

    def learn(self, cards: Ints, elapsed_days: Floats, rating: Ints) -> None:
        """Learn of a later answer."""
        believed = self._stability[cards], self._difficulty[cards]
        self._stability[cards], self._difficulty[cards] = fsrs.after(self._believed, *believed, elapsed_days, rating)

    def intervals(self, cards: Ints, elapsed_days: Floats | None, rating: Ints, random: np.random.Generator) -> Ints:
        """Days until these cards come back.

        Args:
            cards: that were studied.
            elapsed_days: since the study day before; None on their first one.
            rating: the first answer of the day.
            random: where chance comes from.
        """
        fuzz = random.random(len(cards))
        if self._by_fsrs:
            exact = fsrs_interval(self._stability[cards], self._believed[20], self._retention)
            return whole_days(exact, 1, MAX_INTERVAL, fuzz)
        interval, ease = self._interval[cards], self._ease[cards]
        if elapsed_days is None:
            days = sm2_learned_days(self._settings, interval, rating, fuzz)
        else:
            days = sm2_days(self._settings, interval, ease, elapsed_days, rating, fuzz, early=True)
            self._ease[cards] = sm2_ease(ease, rating)
        self._interval[cards] = days
        return days


class _Study:
    def __init__(self, random: np.random.Generator, cards: int) -> None:
        self.random = random
        self.days = int(np.exp(random.uniform(np.log(60), np.log(2500))))
        kind = HalfLifeMemory if random.random() < 0.5 else FsrsMemory
        self.memory: Memory = kind(random, cards)
        self.scheduler = Scheduler(random, cards)
        self.habits = Habits.of(random, self.days)
        self.day = random.integers(0, max(1, int(self.days * 0.9)), cards)
        self.hour = random.uniform(0, 16)
        self.rows: list[tuple[Ints, Ints, Ints]] = []  #: card, milliseconds, button

    def run(self) -> Revlog:
        cards = np.arange(len(self.day))
        last_day = self.day.copy()
        for number in range(MOST_STUDY_DAYS):
            self.day[cards] = self._open(self.day[cards])
            cards = cards[self.day[cards] < self.days]
            if not len(cards):
                break
            elapsed = None if number == 0 else (self.day - last_day)[cards].astype(float)
            last_day[cards] = self.day[cards]
            rating = self._study_day(cards, elapsed)
            self.day[cards] += self._delayed(self.scheduler.intervals(cards, elapsed, rating, self.random))
        return self._revlog()

    def _study_day(self, cards: Ints, elapsed: Floats | None) -> Ints:
        """Answer these cards until they are learned; return the first rating of each."""
        when = self.day[cards] * MS_PER_DAY + ((self.hour + self.random.uniform(0, 4, len(cards))) * 3_600_000).astype(
            np.int64
        )
        first = rating = self._answers(cards, elapsed)
        self._remember(cards, elapsed, rating)
        self.rows.append((cards, when, rating))
        left = np.where(rating == EASY, 0, self.habits.steps) if elapsed is None else (rating == AGAIN) * 1
        left = left * (self.habits.relearns or elapsed is None)
        left = left + (self.random.random(len(cards)) < self.habits.extra)
        for _ in range(MOST_ANSWERS_A_DAY - 1):
            again = left > 0
            cards, when, left = cards[again], when[again], left[again]
            if not len(cards):
                break
            gap = self._gap(when)
            when, same_day = when + gap, gap / MS_PER_DAY
            rating = self._answers(cards, same_day)
            self._remember(cards, same_day, rating)
            self.rows.append((cards, when, rating))
            left = np.where(rating == AGAIN, left, left - 1)
        return first

    def _answers(self, cards: Ints, elapsed: Floats | None) -> Ints:
        habits, u = self.habits, self.random.random((2, len(cards)))
        if elapsed is None:
            return np.asarray(1 + np.searchsorted(np.cumsum(habits.first_answers)[:3], u[0]))
        chance = self._chance(cards, elapsed)
        passes = u[0] < habits.guesses + (1 - habits.guesses - habits.slips) * chance
        hard = np.clip(habits.hard * (0.5 + 5 * (1 - chance)), 0, 0.9)
        passed = np.where(u[1] < hard, HARD, np.where(u[1] > 1 - habits.easy * chance**2, EASY, GOOD))
        return np.where(passes, passed, AGAIN)

    def _chance(self, cards: Ints, elapsed: Floats) -> Floats:
        """The probability of recall; within the day, too, those cards are at risk of which a whole day costs much."""
        chance = self.memory.chance(cards, elapsed)
        if elapsed[0] >= 1:
            return chance
        weak = np.sqrt(1 - self.memory.chance(cards, np.ones(len(cards))))
        soon = self.habits.forgets_after / SECONDS_PER_DAY
        return chance * (1 - self.habits.forgets * weak * elapsed / (elapsed + soon))

    def _gap(self, when: Ints) -> Ints:
        """Milliseconds until cards that were answered at ``when`` come back on the same day."""
        random, habits = self.random, self.habits
        seconds = habits.pace * np.exp(random.normal(0, 0.8, len(when)))
        hours_later = random.random(len(when)) < habits.hours_later
        seconds = np.where(hours_later, random.uniform(1, 8, len(when)) * 3600, seconds)
        left = MS_PER_DAY - NIGHT - when % MS_PER_DAY
        return np.clip(seconds * 1000, 1000, np.maximum(left, 2000) / 2).astype(np.int64)

    def _remember(self, cards: Ints, elapsed: Floats | None, rating: Ints) -> None:
        for who in (self.memory, self.scheduler):
            if elapsed is None:
                who.begin(cards, rating)
            else:
                who.learn(cards, elapsed, rating)

    def _delayed(self, interval: Ints) -> Ints:
        random, habits = self.random, self.habits
        late = interval * random.exponential(habits.late, len(interval)) * (random.random(len(interval)) < 0.5)
        early = np.where(random.random(len(interval)) < habits.early, random.random(len(interval)), 1.0)
        return np.maximum(1, np.rint(interval * early + late)).astype(np.int64)

    def _open(self, day: Ints) -> Ints:
        """The first day from ``day`` on that is in no break."""
        for begin, end in self.habits.breaks:
            day = np.where((day >= begin) & (day < end), end, day)
        return day

    def _revlog(self) -> Revlog:
        card, when, button = (np.concatenate(column) for column in zip(*self.rows, strict=True))
        n, zero = len(card), np.zeros(len(card), dtype=np.int64)
        order = np.argsort(when, kind="stable")
        card, when, button = card[order], when[order], button[order]
        when = when + np.arange(n)  # ids are unique
        learning = np.zeros(n, dtype=np.int64)
        new = np.unique(card, return_index=True)[1]
        kind = np.where(np.isin(np.arange(n), new), learning, 1)
        return Revlog(when, card, button, zero, zero, zero + 2500, zero, kind)


def study(random: np.random.Generator, cards: int) -> tuple[CardRows, Reviews]:
    """Draw a learner at random, and return the benchmark's table of the reviews."""
    log = _Study(random, cards).run()
    return prepare_reviews(log, Clock(0), Funnel(len(log)))

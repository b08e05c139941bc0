"""Simulate days of study: due cards are answered, new ones begun, and Anki's scheduler sets intervals.

A loop over days and, within a session, over rounds of the cards that are still being learned; each round is one pass
over arrays. A million reviews take some seconds.
"""

from __future__ import annotations

import datetime as dt

import numpy as np

from evaluator.data.revlog import SECONDS_PER_DAY, Clock, Sm2Settings
from tools.simulate import drift, memory
from tools.simulate.deck import DeckState
from tools.simulate.learner import Learner
from tools.simulate.memory import AGAIN, EASY, GOOD, HARD, Floats, Ints
from tools.simulate.memory_models import State, memory_of
from tools.simulate.schedulers import SimulatedFsrs, SimulatedSm2
from tools.simulate.trace import CardStates, LogChunks, Simulation

LEARNING_STEPS = np.array([60, 600])  #: seconds; further ones are as long as the last
RELEARNING_STEP = 600
KNOWN = 1000  #: memorability of a card known before, relative to a new one
MAX_ROUNDS = 8  #: rounds in one session; cards not learned by then wait for the next day
BREAK_DAYS = 90

#: ``type`` in the log.
LEARN, REVIEW, RELEARN, FILTERED, MANUAL, RESCHEDULED = range(6)

DECKS = {1_600_000_000_001: "Vocabulary", 1_600_000_000_002: "Anatomy"}
MS_PER_DAY = SECONDS_PER_DAY * 1000


def simulate(learner: Learner) -> Simulation:
    """Simulate the study of a learner."""
    return _Study(learner).run()


class _Study:
    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.habits = learner.habits
        self.random = np.random.default_rng(learner.seed)
        #: Random numbers for rare habits, so that learners without them study as if there were none.
        self.rare = np.random.default_rng(np.random.SeedSequence(learner.seed, spawn_key=(3,)))
        self.recall_drift, self.load = drift.learner_drift(learner.seed, learner.days, learner.drift)
        self.size = int(learner.habits.new_per_day * self.load.sum() * 1.3) + 50
        self.memory = memory_of(learner)
        is_known = self.rare.random(self.size) < learner.known
        self.deck = DeckState(
            self.size, np.exp(self.random.normal(0, learner.spread, self.size)) * np.where(is_known, KNOWN, 1)
        )
        self.scheduler: SimulatedFsrs | SimulatedSm2 = (
            SimulatedSm2(Sm2Settings())
            if learner.scheduler == "sm2"
            else SimulatedFsrs(learner.scheduler_memory, learner.desired_retention)
        )
        self.trace = LogChunks()
        self.begun = 0  #: cards that have been introduced
        self.started = self._first_second()
        self.card_id = (self.started - SECONDS_PER_DAY) * 1000 + np.arange(self.size) * 7  # all added the day before
        self.now_ms = self.started * 1000  #: only ever rises, so ids are unique

    def run(self) -> Simulation:
        holiday_until, break_after = -1, self.learner.break_after
        for day in range(self.learner.days):
            if self.learner.most_rows is not None and self.trace.rows >= self.learner.most_rows:
                break
            if break_after is not None and self.trace.rows >= break_after:
                holiday_until, break_after = max(holiday_until, day + BREAK_DAYS - 1), None
            if self.random.random() < self.habits.holiday:
                holiday_until = day + int(self.random.integers(4, 15))
            if day > holiday_until and self.random.random() >= self.habits.day_off:
                self._study_day(day)
        return self._result()

    def _study_day(self, day: int) -> None:
        self._start_session(day, self.habits.hour)
        self._change_by_hand(day)
        due = self._due(day)
        new = self._introduce(day, overdue=len(due))
        self._session(day, self.random.permutation(np.concatenate([due, new])), filtered=False)
        if self.random.random() < self.habits.early:
            self._session(day, self._due_soon(day), filtered=True)
        if self.random.random() < self.habits.cram:
            self._cram(day)
        if self.random.random() < self.habits.evening_session:
            self._start_session(day, self.habits.hour + 11)
            self._session(day, self._due(day), filtered=False)

    # What is studied

    def _due(self, day: int) -> Ints:
        seen = np.arange(self.begun)
        due = seen[(self.deck.kind[seen] != DeckState.NEW) & (self.deck.due[seen] <= day)]
        kept = due[self.random.random(len(due)) >= self.habits.postponed]
        by_due = kept[np.argsort(self.deck.due[kept], kind="stable")]
        return np.asarray(by_due[: self._most_reviews(day)])

    def _most_reviews(self, day: int) -> int:
        return round(self.habits.reviews_per_day * float(self.load[day]))

    def _due_soon(self, day: int) -> Ints:
        seen = np.arange(self.begun)
        soon = (
            (self.deck.kind[seen] == DeckState.REVIEW) & (self.deck.due[seen] > day) & (self.deck.due[seen] <= day + 7)
        )
        return self._some(seen[soon & (self.deck.last_day[seen] < day)], 30)

    def _introduce(self, day: int, overdue: int) -> Ints:
        """Choose new and reset cards for the day, fewer if much is due."""
        crowded = overdue > 0.8 * self._most_reviews(day)
        requested = self.random.poisson(self.habits.new_per_day * (0.3 if crowded else 1.0) * self.load[day])
        count = min(int(requested), self.size - self.begun)
        reset = np.flatnonzero(self.deck.kind[: self.begun] == DeckState.NEW)[:count]
        fresh = np.arange(self.begun, self.begun + count - len(reset))
        self.begun += len(fresh)
        return np.concatenate([reset, fresh])

    def _some(self, cards: Ints, most: int) -> Ints:
        return self.random.permutation(cards)[:most]

    # How it is answered

    def _start_session(self, day: int, hour: float) -> None:
        after_rollover = (hour - self.learner.rollover_hour) % 24 + self.random.normal(0, 1.2)
        start = (self.started + day * SECONDS_PER_DAY) * 1000 + int(np.clip(after_rollover, 0.1, 18) * 3_600_000)
        self.now_ms = max(self.now_ms + 1, start)

    def _session(self, day: int, cards: Ints, *, filtered: bool) -> None:
        night = (self.started + (day + 1) * SECONDS_PER_DAY) * 1000
        for round_number in range(MAX_ROUNDS):
            if not len(cards):
                return
            if round_number:
                shortest, longest = self.habits.pause
                self.now_ms += int(self.random.integers(shortest * 1000, longest * 1000))
                if self.rare.random() < self.habits.interrupted:
                    self.now_ms += int(self.rare.random() / 2 * max(0, night - self.now_ms))
            self._answer(day, cards, filtered=filtered)
            unlearned = (self.deck.kind[cards] == DeckState.LEARNING) | (self.deck.kind[cards] == DeckState.RELEARNING)
            cards = cards[unlearned | (self.rare.random(len(cards)) < self.habits.again_today)]

    def _answer(self, day: int, cards: Ints, *, filtered: bool) -> None:
        duration, when = self._times(len(cards))
        rating, recall = self._ratings(day, cards, when)
        self._remember(cards, when, rating)
        rating, recall = self._press_hard(cards, rating, recall)
        self.deck.last_review[cards] = when // 1000
        kind_before = self.deck.kind[cards].copy()
        shown_before = self.deck.shown_interval[cards].copy()
        elapsed_days = np.where(kind_before == DeckState.NEW, 0, day - self.deck.last_day[cards])
        fuzz = self.random.random(len(cards))
        days = self.scheduler.next_days(self.deck, cards, elapsed_days, rating, fuzz)
        self._schedule(day, cards, rating, days)
        kind_of_row = np.select(
            [kind_before <= DeckState.LEARNING, kind_before == DeckState.REVIEW], [LEARN, REVIEW], RELEARN
        )
        kind_of_row = np.where(filtered & (kind_before == DeckState.REVIEW), FILTERED, kind_of_row)
        self.trace.add(
            when,
            self.card_id[cards],
            rating,
            self.deck.shown_interval[cards],
            shown_before,
            self.scheduler.factors(self.deck, cards),
            duration,
            kind_of_row,
            recall=recall,
        )

    def _press_hard(self, cards: Ints, rating: Ints, recall: Floats) -> tuple[Ints, Floats]:
        """Return the pressed buttons and the probability that they are not Again: some press Hard for a lapse."""
        hard_after, share = self.learner.hard_after, self.habits.hard_for_lapse
        if hard_after is None or self.trace.rows < hard_after:
            return rating, recall
        in_review = self.deck.kind[cards] == DeckState.REVIEW
        pressed = in_review & (rating == AGAIN) & (self.rare.random(len(cards)) < share)
        return np.where(pressed, HARD, rating), np.where(in_review, recall + share * (1 - recall), recall)

    def _times(self, count: int) -> tuple[Ints, Ints]:
        """Return the duration of each answer in ms, at most Anki's limit of a minute, and when it is given."""
        seconds = self.random.lognormal(np.log(self.habits.seconds_per_answer), 0.6, count)
        elapsed = (seconds * 1000).astype(np.int64) + 300
        when = self.now_ms + np.cumsum(elapsed)
        self.now_ms = int(when[-1]) if count else self.now_ms
        return np.minimum(elapsed, 60_000), when

    def _ratings(self, day: int, cards: Ints, when: Ints) -> tuple[Ints, Floats]:
        """Return each card's answer, and the true probability that it is not Again, or NaN for a first answer."""
        first = self.deck.last_ms[cards] == 0
        elapsed = np.maximum(when - self.deck.last_ms[cards], 0) / MS_PER_DAY
        chance = np.full(len(cards), 0.5)
        if not first.all():
            recall = self.memory.recall(self._known(cards[~first]), elapsed[~first])
            chance[~first] = memory.shifted(recall, self.recall_drift[day]) if self.learner.drift else recall
        hard = np.clip(self.habits.hard * (0.5 + 5 * (1 - chance)), 0, max(0.6, self.habits.hard))
        easy = self.habits.easy * chance**2
        u = self.random.random(len(cards))
        recalled = np.where(u < hard, HARD, np.where(u > 1 - easy, EASY, GOOD))
        passed = chance * (1 - self.habits.slips)
        answered = np.where(self.random.random(len(cards)) < passed, recalled, AGAIN)
        unseen = self.random.choice([AGAIN, HARD, GOOD, EASY], len(cards), p=self.habits.first_answers)
        return np.where(first, unseen, answered), np.where(first, np.nan, passed)

    def _remember(self, cards: Ints, when: Ints, rating: Ints) -> None:
        """Change the true memory by an answer."""
        deck = self.deck
        old = deck.last_ms[cards] != 0
        elapsed = (when - deck.last_ms[cards]) / MS_PER_DAY
        state = self.memory.first(rating, deck.memorability[cards])
        if not deck.memory:
            deck.memory = tuple(np.zeros((self.size, *column.shape[1:])) for column in state)
        if old.any():
            grown = self.memory.after(self._known(cards[old]), elapsed[old], rating[old])
            for column, value in zip(state, grown, strict=True):
                column[old] = value
        for column, value in zip(deck.memory, state, strict=True):
            column[cards] = value
        deck.last_ms[cards] = when

    def _known(self, cards: Ints) -> State:
        return tuple(column[cards] for column in self.deck.memory)

    # When it comes back

    def _schedule(self, day: int, cards: Ints, rating: Ints, days: Ints) -> None:
        """Schedule cards: after ``days``, or within the day if they still have to be learned."""
        deck = self.deck
        kind = deck.kind[cards]
        lapsed = (kind == DeckState.REVIEW) & (rating == AGAIN)
        steps_done = self._take_steps(cards, kind, rating)
        back = steps_done | ((kind == DeckState.REVIEW) & ~(lapsed & bool(self.habits.relearning_steps)))
        deck.kind[cards] = np.select(
            [back, lapsed | (kind == DeckState.RELEARNING)],
            [DeckState.REVIEW, DeckState.RELEARNING],
            DeckState.LEARNING,
        )
        seconds = np.where(
            deck.kind[cards] == DeckState.RELEARNING,
            RELEARNING_STEP,
            LEARNING_STEPS[np.minimum(deck.step[cards], len(LEARNING_STEPS) - 1)],
        )
        forgotten = lapsed | ((kind == DeckState.RELEARNING) & (rating == AGAIN))
        deck.interval[cards] = np.where(back | forgotten, days, deck.interval[cards])
        deck.shown_interval[cards] = np.where(back, days, -seconds)
        deck.due[cards] = np.where(back, day + days, day)
        deck.last_day[cards] = day
        deck.repetitions[cards] += 1
        deck.lapses[cards] += lapsed

    def _take_steps(self, cards: Ints, kind: Ints, rating: Ints) -> Ints:
        """Advance in the steps of (re)learning, and return which cards have done their last step."""
        deck = self.deck
        taken = np.select([rating == GOOD, rating == EASY], [1, 99], 0)
        step = np.where((rating == AGAIN) | (kind == DeckState.REVIEW), 0, deck.step[cards] + taken)
        steps = np.where(kind == DeckState.RELEARNING, self.habits.relearning_steps, self.habits.learning_steps)
        done = (kind != DeckState.REVIEW) & (step >= steps)
        deck.step[cards] = np.where(done, 0, step)
        return np.asarray(done)

    # What else happens to cards

    def _change_by_hand(self, day: int) -> None:
        learned = np.flatnonzero(self.deck.kind[: self.begun] == DeckState.REVIEW)
        chance = self.random.random(len(learned))
        reset = learned[chance < self.habits.reset]
        moved = learned[chance > 1 - self.habits.set_due_date]
        if len(reset):
            self._write_unanswered(reset, 0, MANUAL, factor=0)
            self.deck.forget(reset)
        if len(moved):
            self._reschedule(day, moved, self.random.integers(1, 30, len(moved)), MANUAL)
        if len(learned) and self.random.random() < self.habits.rescheduled:
            subset = self._some(learned, 40)
            days = np.maximum(1, np.rint(self.deck.interval[subset] * self.random.uniform(0.8, 1.2, len(subset))))
            self._reschedule(day, subset, days.astype(np.int64), RESCHEDULED)

    def _reschedule(self, day: int, cards: Ints, days: Ints, kind: int) -> None:
        self._write_unanswered(cards, days, kind, factor=self.scheduler.factors(self.deck, cards))
        self.deck.interval[cards] = self.deck.shown_interval[cards] = days
        self.deck.due[cards] = np.maximum(self.deck.last_day[cards] + days, day)

    def _write_unanswered(self, cards: Ints, days: Ints | int, kind: int, *, factor: Ints | int) -> None:
        when = self.now_ms + 1 + np.arange(len(cards))
        self.now_ms = int(when[-1])
        self.trace.add(when, self.card_id[cards], 0, days, self.deck.shown_interval[cards], factor, 0, kind)
        self.deck.shown_interval[cards] = days

    def _cram(self, day: int) -> None:
        """Preview cards in a filtered deck: the memory changes, the scheduler does not."""
        seen = np.arange(self.begun)
        cards = self._some(seen[(self.deck.kind[seen] == DeckState.REVIEW) & (self.deck.last_day[seen] < day)], 12)
        if not len(cards):
            return
        duration, when = self._times(len(cards))
        rating, recall = self._ratings(day, cards, when)
        self._remember(cards, when, rating)
        shown = self.deck.shown_interval[cards]
        self.trace.add(when, self.card_id[cards], rating, shown, shown, 0, duration, FILTERED, recall=recall)

    # What is left of it

    def _first_second(self) -> int:
        first_day = self.learner.last_day - dt.timedelta(days=self.learner.days - 1)
        midnight = dt.datetime.combine(first_day, dt.time(), tzinfo=dt.UTC)
        return int(midnight.timestamp()) + self.learner.rollover_hour * 3600 - self.learner.utc_offset_minutes * 60

    def _result(self) -> Simulation:
        deck = self.deck
        kept = np.flatnonzero(self.random.random(self.size) >= self.habits.deleted)
        deck_ids = np.array(list(DECKS))[np.arange(self.size) % 3 // 2]  # two cards in three go to the first
        new = deck.kind == DeckState.NEW
        states = CardStates(
            card_id=self.card_id[kept],
            deck_id=deck_ids[kept],
            kind=deck.kind[kept],
            due=np.where(new, np.arange(self.size), deck.due)[kept],
            interval=deck.interval[kept],
            factor=np.where(new, 0, deck.ease)[kept],
            repetitions=deck.repetitions[kept],
            lapses=deck.lapses[kept],
            last_review=np.where(new, 0, deck.last_review)[kept],
        )
        clock = Clock(self.started, self.learner.utc_offset_minutes, self.learner.rollover_hour)
        believed = self.learner.scheduler_memory if self.learner.scheduler == "fsrs" else ()
        retention = self.learner.desired_retention
        state = tuple(column[kept] for column in deck.memory)
        log, recall = self.trace.revlog()
        return Simulation(log, recall, states, DECKS, clock, self.started, self.memory, state, believed, retention)

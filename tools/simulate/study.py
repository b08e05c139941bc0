"""Simulation of days of study, in which due and new cards are answered and one of Anki's schedulers sets intervals.

It is a loop over days and, in each session, over rounds of the cards that are still being learned. Each round is one
pass over arrays, so that a million reviews take some seconds.
"""

from __future__ import annotations

import datetime as dt

import numpy as np

from evaluator.data.revlog import SECONDS_PER_DAY, Clock, Sm2Settings
from tools.simulate import drift, memory
from tools.simulate.deck import DeckState
from tools.simulate.deck_schedulers import SimulatedFsrs, SimulatedSm2
from tools.simulate.learner import Learner
from tools.simulate.memory import AGAIN, EASY, GOOD, HARD, Floats, Ints
from tools.simulate.memory_models import State, memory_of, recall_with_habits
from tools.simulate.trace import CardStates, LogChunks, Simulation

#: Learning steps in seconds. Further steps are as long as the last one.
LEARNING_STEPS = np.array([60, 600])
#: Relearning step in seconds.
RELEARNING_STEP = 600
#: Factor of the memorability of a card that was known before.
KNOWN_MEMORABILITY = 1000
#: Maximum number of rounds in a session. Cards that are not learned by then wait for the next day.
MAX_ROUNDS = 8
#: Length of the break of a learner with ``break_after``.
BREAK_DAYS = 90

#: Kinds of rows, as in the log's column ``type``.
LEARN, REVIEW, RELEARN, FILTERED, MANUAL, RESCHEDULED = range(6)

#: Name of each deck by its id.
DECKS = {1_600_000_000_001: "Vocabulary", 1_600_000_000_002: "Anatomy"}
MS_PER_DAY = SECONDS_PER_DAY * 1000


def simulate(learner: Learner) -> Simulation:
    """Simulate the study of a learner from the first to the last day."""
    return _Study(learner).run()


class _Study:
    """State of a simulation."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.habits = learner.habits
        self.random = np.random.default_rng(learner.seed)
        # Rare habits have random numbers of their own, so that they change no other one.
        self.rare = np.random.default_rng(np.random.SeedSequence(learner.seed, spawn_key=(3,)))
        # The load is each day's factor of the amount of study.
        recall_drift, self.load = drift.learner_drift(learner.seed, learner.days, learner.drift)
        #: Change of the logit of recall on each day.
        self.recall_change = recall_drift + learner.ability
        #: Number of cards, of which some may never be introduced.
        self.size = int(learner.habits.new_per_day * self.load.sum() * 1.3) + 50
        self.memory = memory_of(learner)
        is_known = self.rare.random(self.size) < learner.known
        self.deck = DeckState(
            self.size,
            np.exp(self.random.normal(0, learner.spread, self.size)) * np.where(is_known, KNOWN_MEMORABILITY, 1),
        )
        self.scheduler: SimulatedFsrs | SimulatedSm2 = (
            SimulatedSm2(Sm2Settings())
            if learner.scheduler == "sm2"
            else SimulatedFsrs(learner.scheduler_memory, learner.desired_retention)
        )
        self.trace = LogChunks()
        #: Number of cards that were introduced.
        self.introduced = 0
        self.started = self._first_second()
        # All cards were added on the day before.
        self.card_id = (self.started - SECONDS_PER_DAY) * 1000 + np.arange(self.size) * 7
        #: Current time in milliseconds. It never falls, so the ids of rows are unique.
        self.now_ms = self.started * 1000

    def run(self) -> Simulation:
        """Study on each day until the last one, or until there are enough rows, and return the result."""
        holiday_until = -1
        break_after = self.learner.break_after
        for day in range(self.learner.days):
            if self.learner.max_rows is not None and self.trace.rows >= self.learner.max_rows:
                break
            if break_after is not None and self.trace.rows >= break_after:
                holiday_until = max(holiday_until, day + BREAK_DAYS - 1)
                break_after = None
            if self.learner.earlier_retention is not None:
                rows, earlier = self.learner.earlier_retention
                retention = earlier if self.trace.rows < rows else self.learner.desired_retention
                self.scheduler = SimulatedFsrs(self.learner.scheduler_memory, retention)
            if self.random.random() < self.habits.holiday:
                holiday_until = day + int(self.random.integers(4, 15))
            if day > holiday_until and self.random.random() >= self.habits.day_off:
                self._study_day(day)
        return self._create_result()

    def _study_day(self, day: int) -> None:
        """Study the due and new cards, and sometimes others, in one or two sessions."""
        self._start_session(day, self.habits.hour)
        self._change_by_hand(day)
        due = self._choose_due(day)
        new = self._choose_new(day, due_count=len(due))
        self._study_session(day, self.random.permutation(np.concatenate([due, new])), filtered=False)
        if self.random.random() < self.habits.early:
            self._study_session(day, self._draw_due_soon(day), filtered=True)
        if self.random.random() < self.habits.cram:
            self._cram(day)
        if self.random.random() < self.habits.evening_session:
            self._start_session(day, self.habits.hour + 11)
            self._study_session(day, self._choose_due(day), filtered=False)

    # --- choice of cards ----------------------------------------------------------------------------------------------

    def _choose_due(self, day: int) -> Ints:
        """Return the due cards that are studied on the day, the longest due first."""
        introduced = np.arange(self.introduced)
        due = introduced[(self.deck.kind[introduced] != DeckState.NEW) & (self.deck.due[introduced] <= day)]
        not_postponed = due[self.random.random(len(due)) >= self.habits.postponed]
        by_due = not_postponed[np.argsort(self.deck.due[not_postponed], kind="stable")]
        return np.asarray(by_due[: self._max_reviews(day)])

    def _max_reviews(self, day: int) -> int:
        """Return the maximum number of reviews on a day."""
        return round(self.habits.reviews_per_day * float(self.load[day]))

    def _draw_due_soon(self, day: int) -> Ints:
        """Draw up to 30 cards that are due within a week, for a filtered deck."""
        cards = np.arange(self.introduced)
        due = self.deck.due[cards]
        is_due_soon = (self.deck.kind[cards] == DeckState.REVIEW) & (due > day) & (due <= day + 7)
        return self._draw_cards(cards[is_due_soon & (self.deck.last_day[cards] < day)], 30)

    def _choose_new(self, day: int, due_count: int) -> Ints:
        """Return reset and new cards for the day, fewer if many cards are due."""
        is_crowded = due_count > 0.8 * self._max_reviews(day)
        planned = self.random.poisson(self.habits.new_per_day * (0.3 if is_crowded else 1.0) * self.load[day])
        count = min(int(planned), self.size - self.introduced)
        reset = np.flatnonzero(self.deck.kind[: self.introduced] == DeckState.NEW)[:count]
        new = np.arange(self.introduced, self.introduced + count - len(reset))
        self.introduced += len(new)
        return np.concatenate([reset, new])

    def _draw_cards(self, cards: Ints, max_count: int) -> Ints:
        return self.random.permutation(cards)[:max_count]

    # --- answers ------------------------------------------------------------------------------------------------------

    def _start_session(self, day: int, hour: float) -> None:
        """Move the time to about this hour of the day, unless it is later already."""
        after_rollover = (hour - self.learner.rollover_hour) % 24 + self.random.normal(0, 1.2)
        start = (self.started + day * SECONDS_PER_DAY) * 1000 + int(np.clip(after_rollover, 0.1, 18) * 3_600_000)
        self.now_ms = max(self.now_ms + 1, start)

    def _study_session(self, day: int, cards: Ints, *, filtered: bool) -> None:
        """Answer the cards, and those that are still being learned again in further rounds."""
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
        """Answer the cards once, schedule them, and write the rows of the log."""
        duration, answered_ms = self._draw_times(len(cards))
        rating, recall = self._draw_ratings(day, cards, answered_ms)
        self._update_memory(cards, answered_ms, rating)
        rating, recall = self._press_hard(cards, rating, recall)
        self.deck.last_review[cards] = answered_ms // 1000
        old_kind = self.deck.kind[cards].copy()
        old_shown_interval = self.deck.shown_interval[cards].copy()
        elapsed_days = np.where(old_kind == DeckState.NEW, 0, day - self.deck.last_day[cards])
        fuzz = self.random.random(len(cards))
        days = self.scheduler.next_days(self.deck, cards, elapsed_days, rating, fuzz)
        self._schedule(day, cards, rating, days)
        kind_of_row = np.select(
            [old_kind <= DeckState.LEARNING, old_kind == DeckState.REVIEW], [LEARN, REVIEW], RELEARN
        )
        kind_of_row = np.where(filtered & (old_kind == DeckState.REVIEW), FILTERED, kind_of_row)
        self.trace.add(
            answered_ms,
            self.card_id[cards],
            rating,
            self.deck.shown_interval[cards],
            old_shown_interval,
            self.scheduler.factors(self.deck, cards),
            duration,
            kind_of_row,
            recall=recall,
        )

    def _press_hard(self, cards: Ints, rating: Ints, recall: Floats) -> tuple[Ints, Floats]:
        """Replace some lapses by Hard, if the learner has begun to do so.

        Returns:
            The ratings, and the probability that each is not Again.
        """
        hard_after = self.learner.hard_after
        share = self.habits.hard_for_lapse
        if hard_after is None or self.trace.rows < hard_after:
            return rating, recall
        in_review = self.deck.kind[cards] == DeckState.REVIEW
        presses_hard = in_review & (rating == AGAIN) & (self.rare.random(len(cards)) < share)
        return np.where(presses_hard, HARD, rating), np.where(in_review, recall + share * (1 - recall), recall)

    def _draw_times(self, count: int) -> tuple[Ints, Ints]:
        """Draw the duration of each answer, at most Anki's limit of a minute, and its time, both in ms."""
        seconds = self.random.lognormal(np.log(self.habits.seconds_per_answer), 0.6, count)
        duration = (seconds * 1000).astype(np.int64) + 300
        answered_ms = self.now_ms + np.cumsum(duration)
        self.now_ms = int(answered_ms[-1]) if count else self.now_ms
        return np.minimum(duration, 60_000), answered_ms

    def _draw_ratings(self, day: int, cards: Ints, answered_ms: Ints) -> tuple[Ints, Floats]:
        """Draw the rating of each card.

        Returns:
            The ratings, and the true probability that each is not Again, which is NaN for a first answer.
        """
        is_first = self.deck.last_ms[cards] == 0
        elapsed = np.maximum(answered_ms - self.deck.last_ms[cards], 0) / MS_PER_DAY
        probability = np.full(len(cards), 0.5)
        if not is_first.all():
            state = self._state_of(cards[~is_first])
            recall = recall_with_habits(self.memory, self.habits, state, elapsed[~is_first])
            change = float(self.recall_change[day])
            probability[~is_first] = memory.shift_logit(recall, change) if change else recall
        hard = np.clip(self.habits.hard * (0.5 + 5 * (1 - probability)), 0, max(0.6, self.habits.hard))
        easy = self.habits.easy * probability**2
        u = self.random.random(len(cards))
        rating_of_recalled = np.where(u < hard, HARD, np.where(u > 1 - easy, EASY, GOOD))
        pass_probability = probability * (1 - self.habits.slips)
        later_rating = np.where(self.random.random(len(cards)) < pass_probability, rating_of_recalled, AGAIN)
        first_rating = self.random.choice([AGAIN, HARD, GOOD, EASY], len(cards), p=self.habits.first_answers)
        return np.where(is_first, first_rating, later_rating), np.where(is_first, np.nan, pass_probability)

    def _update_memory(self, cards: Ints, answered_ms: Ints, rating: Ints) -> None:
        """Update the state of the true memory after answers."""
        deck = self.deck
        has_state = deck.last_ms[cards] != 0
        elapsed = (answered_ms - deck.last_ms[cards]) / MS_PER_DAY
        state = self.memory.first_state(rating, deck.memorability[cards])
        if not deck.memory:
            deck.memory = tuple(np.zeros((self.size, *column.shape[1:])) for column in state)
        if has_state.any():
            next_state = self.memory.next_state(self._state_of(cards[has_state]), elapsed[has_state], rating[has_state])
            for column, value in zip(state, next_state, strict=True):
                column[has_state] = value
        for column, value in zip(deck.memory, state, strict=True):
            column[cards] = value
        deck.last_ms[cards] = answered_ms

    def _state_of(self, cards: Ints) -> State:
        return tuple(column[cards] for column in self.deck.memory)

    # --- scheduling ---------------------------------------------------------------------------------------------------

    def _schedule(self, day: int, cards: Ints, rating: Ints, days: Ints) -> None:
        """Schedule cards after ``days``, or within the day if they still have to be learned."""
        deck = self.deck
        kind = deck.kind[cards]
        lapsed = (kind == DeckState.REVIEW) & (rating == AGAIN)
        has_finished = self._take_steps(cards, kind, rating)
        is_learned = has_finished | ((kind == DeckState.REVIEW) & ~(lapsed & bool(self.habits.relearning_steps)))
        deck.kind[cards] = np.select(
            [is_learned, lapsed | (kind == DeckState.RELEARNING)],
            [DeckState.REVIEW, DeckState.RELEARNING],
            DeckState.LEARNING,
        )
        seconds = np.where(
            deck.kind[cards] == DeckState.RELEARNING,
            RELEARNING_STEP,
            LEARNING_STEPS[np.minimum(deck.step[cards], len(LEARNING_STEPS) - 1)],
        )
        forgotten = lapsed | ((kind == DeckState.RELEARNING) & (rating == AGAIN))
        deck.interval[cards] = np.where(is_learned | forgotten, days, deck.interval[cards])
        deck.shown_interval[cards] = np.where(is_learned, days, -seconds)
        deck.due[cards] = np.where(is_learned, day + days, day)
        deck.last_day[cards] = day
        deck.repetitions[cards] += 1
        deck.lapses[cards] += lapsed

    def _take_steps(self, cards: Ints, kind: Ints, rating: Ints) -> Ints:
        """Advance the steps of cards in (re)learning, and return which cards have finished their last step."""
        deck = self.deck
        advance = np.select([rating == GOOD, rating == EASY], [1, 99], 0)
        step = np.where((rating == AGAIN) | (kind == DeckState.REVIEW), 0, deck.step[cards] + advance)
        step_count = np.where(kind == DeckState.RELEARNING, self.habits.relearning_steps, self.habits.learning_steps)
        has_finished = (kind != DeckState.REVIEW) & (step >= step_count)
        deck.step[cards] = np.where(has_finished, 0, step)
        return np.asarray(has_finished)

    # --- other changes of cards ---------------------------------------------------------------------------------------

    def _change_by_hand(self, day: int) -> None:
        """Reset some cards, set the due date of some, and reschedule some after a change of options."""
        learned = np.flatnonzero(self.deck.kind[: self.introduced] == DeckState.REVIEW)
        u = self.random.random(len(learned))
        reset = learned[u < self.habits.reset]
        moved = learned[u > 1 - self.habits.set_due_date]
        if len(reset):
            self._write_rows_without_answer(reset, 0, MANUAL, factor=0)
            self.deck.forget(reset)
        if len(moved):
            self._reschedule(day, moved, self.random.integers(1, 30, len(moved)), MANUAL)
        if len(learned) and self.random.random() < self.habits.rescheduled:
            subset = self._draw_cards(learned, 40)
            days = np.maximum(1, np.rint(self.deck.interval[subset] * self.random.uniform(0.8, 1.2, len(subset))))
            self._reschedule(day, subset, days.astype(np.int64), RESCHEDULED)

    def _reschedule(self, day: int, cards: Ints, days: Ints, kind: int) -> None:
        """Set the intervals of cards without answers."""
        self._write_rows_without_answer(cards, days, kind, factor=self.scheduler.factors(self.deck, cards))
        self.deck.interval[cards] = self.deck.shown_interval[cards] = days
        self.deck.due[cards] = np.maximum(self.deck.last_day[cards] + days, day)

    def _write_rows_without_answer(self, cards: Ints, days: Ints | int, kind: int, *, factor: Ints | int) -> None:
        """Write rows of changes by hand or by a change of options."""
        row_ids = self.now_ms + 1 + np.arange(len(cards))
        self.now_ms = int(row_ids[-1])
        self.trace.add(row_ids, self.card_id[cards], 0, days, self.deck.shown_interval[cards], factor, 0, kind)
        self.deck.shown_interval[cards] = days

    def _cram(self, day: int) -> None:
        """Preview cards in a filtered deck. This changes the true memory, but not the scheduler's state."""
        introduced = np.arange(self.introduced)
        in_review = self.deck.kind[introduced] == DeckState.REVIEW
        cards = self._draw_cards(introduced[in_review & (self.deck.last_day[introduced] < day)], 12)
        if not len(cards):
            return
        duration, answered_ms = self._draw_times(len(cards))
        rating, recall = self._draw_ratings(day, cards, answered_ms)
        self._update_memory(cards, answered_ms, rating)
        interval = self.deck.shown_interval[cards]
        self.trace.add(
            answered_ms, self.card_id[cards], rating, interval, interval, 0, duration, FILTERED, recall=recall
        )

    # --- result -------------------------------------------------------------------------------------------------------

    def _first_second(self) -> int:
        """Return the second since 1970 at which the first day begins."""
        first_day = self.learner.last_day - dt.timedelta(days=self.learner.days - 1)
        midnight = dt.datetime.combine(first_day, dt.time(), tzinfo=dt.UTC)
        return int(midnight.timestamp()) + self.learner.rollover_hour * 3600 - self.learner.utc_offset_minutes * 60

    def _create_result(self) -> Simulation:
        """Return the simulation, without the cards that are deleted in the end."""
        deck = self.deck
        existing = np.flatnonzero(self.random.random(self.size) >= self.habits.deleted)
        # Two of three cards are in the first deck.
        deck_ids = np.array(list(DECKS))[np.arange(self.size) % 3 // 2]
        is_new = deck.kind == DeckState.NEW
        states = CardStates(
            card_id=self.card_id[existing],
            deck_id=deck_ids[existing],
            kind=deck.kind[existing],
            due=np.where(is_new, np.arange(self.size), deck.due)[existing],
            interval=deck.interval[existing],
            factor=np.where(is_new, 0, deck.ease)[existing],
            repetitions=deck.repetitions[existing],
            lapses=deck.lapses[existing],
            last_review=np.where(is_new, 0, deck.last_review)[existing],
        )
        log, recall = self.trace.revlog()
        return Simulation(
            revlog=log,
            recall=recall,
            cards=states,
            decks=DECKS,
            clock=Clock(self.started, self.learner.utc_offset_minutes, self.learner.rollover_hour),
            started=self.started,
            memory=self.memory,
            state=tuple(column[existing] for column in deck.memory),
            parameters=self.learner.scheduler_memory if self.learner.scheduler == "fsrs" else (),
            desired_retention=self.learner.desired_retention,
        )

"""Anki's two schedulers, which keep a state of each card and set the intervals."""

from __future__ import annotations

import numpy as np

from evaluator.data.revlog import Sm2Settings
from evaluator.workload.anki_intervals import (
    fsrs_days,
    fsrs_interval,
    fsrs_learned_days,
    sm2_days,
    sm2_ease,
    sm2_learned_days,
    whole_days,
)
from tools.simulate import memory
from tools.simulate.deck import DeckState
from tools.simulate.memory import AGAIN, EASY, GOOD, HARD, Floats, Ints, Parameters

#: Maximum interval in days, which is Anki's default.
MAX_INTERVAL = 36_500
#: The four ratings, shape (4, 1).
RATINGS = np.array([[AGAIN], [HARD], [GOOD], [EASY]])


class SimulatedFsrs:
    """FSRS, whose interval ends when recall has fallen to the desired retention according to its parameters.

    The state of each card is in the columns of :class:`DeckState`.
    """

    def __init__(self, parameters: Parameters, desired_retention: float) -> None:
        self._w = parameters
        self._retention = desired_retention

    def next_days(self, deck: DeckState, cards: Ints, elapsed_days: Ints, rating: Ints, fuzz: Floats) -> Ints:
        """Update the state of the cards after answers, and return their intervals in days.

        A card in (re)learning gets the interval that it will have once it is learned.

        Args:
            deck: the state of the cards before the answers.
            cards: the positions of the answered cards in the deck.
            elapsed_days: the days since the last answer.
            rating: 1 Again, 2 Hard, 3 Good, 4 Easy.
            fuzz: uniform random numbers, from 0 to below 1.
        """
        stability, difficulty = self._next_states(deck, cards, elapsed_days)
        again, hard, good, easy = fsrs_interval(stability, self._w[20], self._retention)
        deck.believed_stability[cards] = np.choose(rating - 1, stability)
        deck.believed_difficulty[cards] = np.choose(rating - 1, difficulty)
        learned = fsrs_learned_days(good, easy, rating, MAX_INTERVAL, fuzz)
        in_review = deck.kind[cards] == DeckState.REVIEW
        # This is usual after the first round of a session.
        if not in_review.any():
            return learned
        reviewed = fsrs_days((again, hard, good, easy), deck.interval[cards], rating, MAX_INTERVAL, fuzz)
        return np.where(in_review, reviewed, learned)

    def _next_states(self, deck: DeckState, cards: Ints, elapsed_days: Ints) -> tuple[Floats, Floats]:
        """Return the assumed stability and difficulty after each of the four answers, each of shape (4, cards)."""
        state = deck.believed_stability[cards], deck.believed_difficulty[cards]
        first_states = memory.first_state(self._w, RATINGS)
        next_states = memory.next_state(self._w, *state, elapsed_days.astype(float), RATINGS)
        is_new = np.isnan(state[0])
        stability, difficulty = (np.where(is_new, *both) for both in zip(first_states, next_states, strict=True))
        return stability, difficulty

    def factors(self, deck: DeckState, cards: Ints) -> Ints:
        """Return the values for the log's column ``factor``, which are 0 for cards without a state."""
        factor = 100 + (deck.believed_difficulty[cards] - 1) / 9 * 1000
        return np.where(np.isnan(factor), 0, factor).astype(np.int64)


class SimulatedSm2:
    """SM-2, Anki's older scheduler, which keeps an ease for each card."""

    def __init__(self, settings: Sm2Settings) -> None:
        self._settings = settings

    def next_days(self, deck: DeckState, cards: Ints, elapsed_days: Ints, rating: Ints, fuzz: Floats) -> Ints:
        """Update the state of the cards after answers, and return their intervals in days, as for FSRS."""
        interval = deck.interval[cards]
        ease = deck.ease[cards]
        in_review = deck.kind[cards] == DeckState.REVIEW
        deck.ease[cards] = np.where(in_review, sm2_ease(ease, rating), ease)
        reviewed = sm2_days(self._settings, interval, ease, elapsed_days, rating, fuzz)
        # Cards are answered before their due date only in a filtered deck.
        is_early = (elapsed_days < interval) & (rating != AGAIN)
        if is_early.any():
            early_days = sm2_days_in_filtered_deck(self._settings, interval, ease, elapsed_days, rating)
            reviewed = np.where(is_early, early_days, reviewed)
        return np.where(
            in_review | ((rating == AGAIN) & (interval > 0)),
            reviewed,
            sm2_learned_days(self._settings, interval, rating, fuzz),
        )

    def factors(self, deck: DeckState, cards: Ints) -> Ints:
        """Return the values for the log's column ``factor``."""
        return deck.ease[cards]


def sm2_days_in_filtered_deck(
    settings: Sm2Settings, interval: Ints, ease: Ints, elapsed_days: Ints, rating: Ints
) -> Ints:
    """Return SM-2's next intervals in days after early passes, which count for less in a filtered deck.

    Args:
        settings: the settings of the preset.
        interval: the last interval, in days.
        ease: the ease before the answer, in permille.
        elapsed_days: the days since the last review, fewer than the interval.
        rating: 2 Hard, 3 Good, 4 Easy.
    """
    one = np.float32(1)
    half = np.float32(0.5)
    growth = ease.astype(np.float32) / np.float32(1000)
    last_interval = interval.astype(np.float32)
    elapsed = elapsed_days.astype(np.float32)
    hard_factor = np.float32(settings.hard_factor)
    bonus = np.float32(settings.easy_bonus)
    hard = np.maximum(elapsed * hard_factor, last_interval * (hard_factor * half))
    good = np.maximum(elapsed * growth, last_interval)
    easy = good * (bonus - (bonus - one) * half)
    exact = np.choose(rating - AGAIN, (last_interval, hard, good, easy))
    return whole_days(exact * np.float32(settings.interval_modifier), 1, settings.max_interval)

"""Anki's two schedulers: their state of each card, and the intervals they give."""

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
)
from tools.simulate import memory
from tools.simulate.deck import DeckState
from tools.simulate.memory import AGAIN, EASY, GOOD, HARD, Floats, Ints, Parameters

MAX_INTERVAL = 36_500
RATINGS = np.array([[AGAIN], [HARD], [GOOD], [EASY]])


class SimulatedFsrs:
    """FSRS: the interval at which recall falls to the desired retention, by its own parameters.

    Like SM-2's, the state of each card is in the deck's columns.
    """

    def __init__(self, parameters: Parameters, desired_retention: float) -> None:
        self._w = parameters
        self._retention = desired_retention

    def next_days(self, deck: DeckState, cards: Ints, elapsed_days: Ints, rating: Ints, fuzz: Floats) -> Ints:
        """Update the cards after answers, and return the days until they come back once they are learned.

        Args:
            deck: with the state of the cards before the answer.
            cards: their places in the deck.
            elapsed_days: 0 on the day of the last answer.
            rating: 1 Again, 2 Hard, 3 Good, 4 Easy.
            fuzz: uniform random numbers, from 0 to below 1.
        """
        stability, difficulty = self._after(deck, cards, elapsed_days)
        again, hard, good, easy = fsrs_interval(stability, self._w[20], self._retention)
        deck.believed_stability[cards] = np.choose(rating - 1, stability)
        deck.believed_difficulty[cards] = np.choose(rating - 1, difficulty)
        learned = fsrs_learned_days(good, easy, rating, MAX_INTERVAL, fuzz)
        in_review = deck.kind[cards] == DeckState.REVIEW
        if not in_review.any():  # usual after the first round of a session
            return learned
        reviewed = fsrs_days((again, hard, good, easy), deck.interval[cards], rating, MAX_INTERVAL, fuzz)
        return np.where(in_review, reviewed, learned)

    def _after(self, deck: DeckState, cards: Ints, elapsed_days: Ints) -> tuple[Floats, Floats]:
        """Return stability and difficulty as believed after each of the four answers, both (4, cards)."""
        before = deck.believed_stability[cards], deck.believed_difficulty[cards]
        later = memory.after(self._w, *before, elapsed_days.astype(float), RATINGS)
        new = np.isnan(before[0])
        stability, difficulty = (
            np.where(new, *both) for both in zip(memory.first(self._w, RATINGS), later, strict=True)
        )
        return stability, difficulty

    def factors(self, deck: DeckState, cards: Ints) -> Ints:
        """Return values for the log's column ``factor``."""
        factor = 100 + (deck.believed_difficulty[cards] - 1) / 9 * 1000
        return np.where(np.isnan(factor), 0, factor).astype(np.int64)  # no interval for cards without a state


class SimulatedSm2:
    """Anki's older scheduler: an ease for each card, changed by the answers."""

    def __init__(self, settings: Sm2Settings) -> None:
        self._settings = settings

    def next_days(self, deck: DeckState, cards: Ints, elapsed_days: Ints, rating: Ints, fuzz: Floats) -> Ints:
        """Update the cards after answers, and return the days until they come back once they are learned."""
        interval, ease, in_review = deck.interval[cards], deck.ease[cards], deck.kind[cards] == DeckState.REVIEW
        deck.ease[cards] = np.where(in_review, sm2_ease(ease, rating), ease)
        # Who is early is so in a filtered deck.
        reviewed = sm2_days(self._settings, interval, ease, elapsed_days, rating, fuzz, early=True)
        return np.where(
            in_review | ((rating == AGAIN) & (interval > 0)),
            reviewed,
            sm2_learned_days(self._settings, interval, rating, fuzz),
        )

    def factors(self, deck: DeckState, cards: Ints) -> Ints:
        """Return values for the log's column ``factor``."""
        return deck.ease[cards]

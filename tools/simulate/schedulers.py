"""Schedulers: intervals in whole days, nearly as FSRS or SM-2 in Anki would give them."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from tools.simulate import memory
from tools.simulate.deck import Deck
from tools.simulate.memory import AGAIN, EASY, GOOD, HARD, Floats, Ints, Parameters

MAX_INTERVAL = 36_500
MIN_EASE = 1300  #: permille


class Scheduler(Protocol):
    """Keeps its view of each card in the deck's columns."""

    def answered(self, deck: Deck, cards: Ints, elapsed_days: Ints, rating: Ints) -> None:
        """Learn of an answer; ``elapsed_days`` is 0 on the day of the last one."""

    def intervals(self, deck: Deck, cards: Ints, elapsed_days: Ints, rating: Ints) -> Floats:
        """Days until these cards come back, before fuzz; asked after :meth:`answered`."""

    def factors(self, deck: Deck, cards: Ints) -> Ints:
        """Values for the log's column ``factor``."""


class Fsrs:
    """Gives the interval at which recall falls to the desired retention, by its own parameters."""

    def __init__(self, parameters: Parameters, desired_retention: float) -> None:
        self._w = parameters
        self._retention = desired_retention

    def answered(self, deck: Deck, cards: Ints, elapsed_days: Ints, rating: Ints) -> None:
        new = np.isnan(deck.believed_stability[cards])
        stability, difficulty = memory.first(self._w, rating)
        old = ~new
        stability[old], difficulty[old] = memory.after(
            self._w,
            deck.believed_stability[cards[old]],
            deck.believed_difficulty[cards[old]],
            elapsed_days[old].astype(float),
            rating[old],
        )
        deck.believed_stability[cards], deck.believed_difficulty[cards] = stability, difficulty

    def intervals(self, deck: Deck, cards: Ints, elapsed_days: Ints, rating: Ints) -> Floats:  # noqa: ARG002 - SM-2 needs them
        return memory.interval(self._w, deck.believed_stability[cards], self._retention)

    def factors(self, deck: Deck, cards: Ints) -> Ints:
        return (100 + (deck.believed_difficulty[cards] - 1) / 9 * 1000).astype(np.int64)


class Sm2:
    """Anki's older scheduler: an ease for each card, changed by the answers."""

    def answered(self, deck: Deck, cards: Ints, elapsed_days: Ints, rating: Ints) -> None:  # noqa: ARG002 - FSRS needs it
        learned = deck.kind[cards] == deck.REVIEW
        change = np.where(learned, np.array([0, -200, -150, 0, 150])[rating], 0)
        deck.ease[cards] = np.maximum(deck.ease[cards] + change, MIN_EASE)

    def intervals(self, deck: Deck, cards: Ints, elapsed_days: Ints, rating: Ints) -> Floats:
        last = deck.interval[cards].astype(float)
        late = np.maximum(elapsed_days - last, 0)
        ease = deck.ease[cards] / 1000
        grown = np.select(
            [rating == HARD, rating == GOOD, rating == EASY],
            [last * 1.2, (last + late / 2) * ease, (last + late) * ease * 1.3],
            1.0,
        )
        learned = deck.kind[cards] == deck.REVIEW
        first = np.where(rating == EASY, 4.0, 1.0)
        return np.where(learned & (rating != AGAIN), np.maximum(grown, last + 1), first)

    def factors(self, deck: Deck, cards: Ints) -> Ints:
        return deck.ease[cards]


def with_fuzz(days: Floats, random: np.random.Generator) -> Ints:
    """Round to whole days, spread as in Anki: by up to 15 % of short intervals, 10 % of longer, 5 % of long ones."""
    spread = 1.0 + 0.15 * np.clip(days - 2.5, 0, 4.5) + 0.1 * np.clip(days - 7, 0, 13) + 0.05 * np.maximum(days - 20, 0)
    spread = np.where(days < 2.5, 0.0, spread)
    fuzzy = np.rint(days + random.uniform(-1, 1, len(days)) * spread)
    return np.clip(fuzzy, 1, MAX_INTERVAL).astype(np.int64)

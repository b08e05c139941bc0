"""State of all cards of a learner, in the true memory and as the scheduler assumes it."""

from __future__ import annotations

import numpy as np

from tools.simulate.memory import Floats, Ints


class DeckState:
    """State of all cards of a learner, as columns of length ``size``. All cards are new at first."""

    NEW, LEARNING, REVIEW, RELEARNING = range(4)

    def __init__(self, size: int, memorability: Floats) -> None:
        def zeros() -> Ints:
            return np.zeros(size, dtype=np.int64)

        #: Factor by which a card is remembered better than others, see :mod:`tools.simulate.memory_models`.
        self.memorability = memorability
        #: State of the true memory, as columns of that length. It has none before the first answer to any card.
        self.memory: tuple[Floats, ...] = ()
        #: Stability and difficulty that the scheduler assumes. NaN if it has no state.
        self.believed_stability = np.full(size, np.nan)
        self.believed_difficulty = np.full(size, np.nan)
        self.kind = np.full(size, self.NEW)
        self.ease = np.full(size, 2500)
        #: Interval in days, as in Anki's column ``ivl`` of a card.
        self.interval = zeros()
        #: Interval in the last row of the log. It is in seconds if it is negative, otherwise in days.
        self.shown_interval = zeros()
        #: Number of the day on which the card is due.
        self.due = zeros()
        #: Current step of (re)learning.
        self.step = zeros()
        #: Time of the last answer in milliseconds, 0 if there is none.
        self.last_ms = zeros()
        #: Time of the last answer that was not a preview, in seconds.
        self.last_review = zeros()
        #: Number of the day of that answer.
        self.last_day = zeros()
        self.repetitions = zeros()
        self.lapses = zeros()

    def forget(self, cards: Ints) -> None:
        """Make cards new again for the scheduler, as Anki's Reset does. The true memory does not change."""
        self.believed_stability[cards] = np.nan
        self.believed_difficulty[cards] = np.nan
        self.kind[cards] = self.NEW
        self.ease[cards] = 2500
        self.interval[cards] = 0
        self.step[cards] = 0

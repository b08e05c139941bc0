"""All cards of one learner, as columns: their true state, and what the scheduler knows."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from tools.simulate.memory import Floats, Ints


class DeckState:
    """The cards of a learner, as columns of length ``size``. All are new at first."""

    NEW: ClassVar[int] = 0
    LEARNING: ClassVar[int] = 1
    REVIEW: ClassVar[int] = 2
    RELEARNING: ClassVar[int] = 3

    def __init__(self, size: int, memorability: Floats) -> None:
        self.memorability = memorability  #: multiplies the first stability; its 0.3rd power, later gains
        #: The true memory's state of each card, as columns of that length; none before the first answer to any card.
        self.memory: tuple[Floats, ...] = ()
        self.believed_stability: Floats = np.full(size, np.nan)  #: the scheduler's
        self.believed_difficulty: Floats = np.full(size, np.nan)
        self.kind: Ints = np.full(size, self.NEW)
        self.ease: Ints = np.full(size, 2500)
        self.interval: Ints = np.zeros(size, dtype=np.int64)  #: days; what Anki calls the card's ``ivl``
        self.shown_interval: Ints = np.zeros(size, dtype=np.int64)  #: the last one in the log; negative: seconds
        self.due: Ints = np.zeros(size, dtype=np.int64)  #: day number
        self.step: Ints = np.zeros(size, dtype=np.int64)  #: current step of (re)learning
        self.last_ms: Ints = np.zeros(size, dtype=np.int64)  #: when it was last answered; 0: never
        self.last_review: Ints = np.zeros(size, dtype=np.int64)  #: the same without previews, in seconds
        self.last_day: Ints = np.zeros(size, dtype=np.int64)
        self.repetitions: Ints = np.zeros(size, dtype=np.int64)
        self.lapses: Ints = np.zeros(size, dtype=np.int64)

    def forget(self, cards: Ints) -> None:
        """Make cards new again for the scheduler, as Anki's Reset does. The true memory stays."""
        self.believed_stability[cards] = np.nan
        self.believed_difficulty[cards] = np.nan
        self.kind[cards] = self.NEW
        self.ease[cards] = 2500
        self.interval[cards] = 0
        self.step[cards] = 0

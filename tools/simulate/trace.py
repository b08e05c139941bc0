"""The output of a simulation: review log, cards, and Anki's data on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import nan

import numpy as np

from evaluator.data.revlog import Cards, Clock, Ints, Preset, Revlog, Sm2Settings, Snapshot
from tools.simulate.memory import Floats
from tools.simulate.memory_models import MemoryModel, State


@dataclass
class LogChunks:
    """Rows of the review log, collected in chunks: the columns of :class:`evaluator.data.revlog.Revlog`, in order."""

    chunks: list[Sequence[Ints]] = field(default_factory=list)
    recall: list[Floats] = field(default_factory=list)  #: see :attr:`Simulation.recall`
    rows: int = 0

    def add(self, *columns: Ints | int, recall: Floats | float = nan) -> None:
        """Add rows. A column may be one number for all of them."""
        self.chunks.append(np.broadcast_arrays(*(np.asarray(column, dtype=np.int64) for column in columns)))
        count = len(self.chunks[-1][0])
        self.recall.append(np.broadcast_to(recall, count))
        self.rows += count

    def revlog(self) -> tuple[Revlog, Floats]:
        """Return all rows in chronological order, and the true probability of recall at each."""
        if not self.chunks:
            return Revlog(*(np.empty(0, dtype=np.int64) for _ in range(8))), np.empty(0)
        log = Revlog(*(np.concatenate(column) for column in zip(*self.chunks, strict=True)))
        order = np.argsort(log.review_id, kind="stable")
        return log.take(order), np.concatenate(self.recall)[order]


@dataclass(frozen=True)
class CardStates:
    """Final states of cards, arrays of one length, as in the ``cards`` table of a collection."""

    card_id: Ints
    deck_id: Ints
    kind: Ints  #: ``type``: 0 new, 1 learning, 2 review, 3 relearning
    due: Ints  #: day number since the first day, or position among the new
    interval: Ints
    factor: Ints
    repetitions: Ints
    lapses: Ints
    last_review: Ints  #: seconds since 1970; 0 for new cards


@dataclass(frozen=True)
class Simulation:
    """One learner's whole log, also with the rows of deleted cards. ``cards`` are those that still exist."""

    revlog: Revlog
    recall: Floats  #: true probability of each row that its answer is not Again; NaN for a card's first, or without one
    cards: CardStates
    decks: dict[int, str]  #: name by deck id; each has a preset of its own
    clock: Clock
    started: int  #: seconds since 1970 at which the first day began
    memory: MemoryModel  #: the true one
    state: State  #: state of each of ``cards`` after its last answer; its columns
    #: FSRS-6 parameters of the scheduler, in all presets. None if SM-2 schedules.
    parameters: tuple[float, ...] = ()
    desired_retention: float = 0.9  #: desired retention of all presets

    @property
    def snapshot(self) -> Snapshot:
        """Return the snapshot for an evaluation. Presets are numbered like decks, with Anki's own settings of SM-2."""
        presets = tuple(
            Preset(deck_id, name, self.parameters, self.desired_retention, sm2=Sm2Settings())
            for deck_id, name in self.decks.items()
        )
        card_id, deck_id = self.cards.card_id, self.cards.deck_id
        cards = Cards(card_id, deck_id, preset_id=deck_id, set_aside=np.zeros(len(card_id), dtype=bool))
        return Snapshot(self.revlog, self.clock, cards, presets, fsrs=bool(self.parameters))

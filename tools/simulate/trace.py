"""Output of a simulation: the review log, the cards, and Anki's data on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import nan
from typing import TypeVar

import numpy as np

from evaluator.data.revlog import Cards, Clock, Columns, Ints, Preset, Revlog, Sm2Settings, Snapshot
from tools.simulate.memory import Floats
from tools.simulate.memory_models import MemoryModel, State

Table = TypeVar("Table", bound=Columns)


def concatenate(tables: Sequence[Table]) -> Table:
    """Return one table with the rows of all tables."""
    names = vars(tables[0])
    return type(tables[0])(**{name: np.concatenate([getattr(table, name) for table in tables]) for name in names})


@dataclass
class LogChunks:
    """Review log that grows by chunks of rows."""

    #: Chunks of the columns of :class:`evaluator.data.revlog.Revlog`, in its order.
    chunks: list[Sequence[Ints]] = field(default_factory=list)
    #: Chunks of :attr:`Simulation.recall`.
    recall: list[Floats] = field(default_factory=list)
    #: Number of rows.
    rows: int = 0

    def add(self, *columns: Ints | int, recall: Floats | float = nan) -> None:
        """Add a chunk of rows. A column may be one number for all rows."""
        self.chunks.append(np.broadcast_arrays(*(np.asarray(column, dtype=np.int64) for column in columns)))
        count = len(self.chunks[-1][0])
        self.recall.append(np.broadcast_to(recall, count))
        self.rows += count

    def revlog(self) -> tuple[Revlog, Floats]:
        """Return all rows in chronological order, and the true probability of recall at each row."""
        if not self.chunks:
            return Revlog(*(np.empty(0, dtype=np.int64) for _ in range(8))), np.empty(0)
        log = Revlog(*(np.concatenate(column) for column in zip(*self.chunks, strict=True)))
        order = np.argsort(log.review_id, kind="stable")
        return log.take(order), np.concatenate(self.recall)[order]


@dataclass(frozen=True)
class CardStates:
    """Final states of cards, as columns of a collection's table ``cards``."""

    card_id: Ints
    deck_id: Ints
    #: Column ``type``: 0 new, 1 learning, 2 review, 3 relearning.
    kind: Ints
    #: Number of the day since the first day, or position among the new cards.
    due: Ints
    interval: Ints
    factor: Ints
    repetitions: Ints
    lapses: Ints
    #: Seconds since 1970, 0 for new cards.
    last_review: Ints


@dataclass(frozen=True)
class Simulation:
    """Simulated study of a learner."""

    #: The log, also with the rows of deleted cards.
    revlog: Revlog
    #: True probability that the answer is not Again, for each row. NaN for a card's first answer, or without an answer.
    recall: Floats
    #: The cards that were not deleted.
    cards: CardStates
    #: Name of each deck by its id. Each deck has a preset of its own.
    decks: dict[int, str]
    clock: Clock
    #: Second since 1970 at which the first day began.
    started: int
    #: The true memory.
    memory: MemoryModel
    #: State of the true memory for each of ``cards`` after its last answer, as columns.
    state: State
    #: FSRS-6 parameters of the scheduler, in all presets. There are none if SM-2 schedules.
    parameters: tuple[float, ...]
    #: Desired retention of all presets.
    desired_retention: float

    @property
    def snapshot(self) -> Snapshot:
        """Snapshot for an evaluation. Each preset has the id of its deck, and Anki's default settings of SM-2."""
        presets = tuple(
            Preset(deck_id, name, self.parameters, self.desired_retention, sm2=Sm2Settings())
            for deck_id, name in self.decks.items()
        )
        card_id = self.cards.card_id
        deck_id = self.cards.deck_id
        cards = Cards(card_id, deck_id, preset_id=deck_id, set_aside=np.zeros(len(card_id), dtype=bool))
        return Snapshot(self.revlog, self.clock, cards, presets, fsrs=bool(self.parameters))

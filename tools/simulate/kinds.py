"""Kinds of people on whom something can be tried: their memory, what happens to it, and how much they study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluator.data.revlog import Cards, Preset, Revlog, Snapshot
from tools.simulate.learner import Learner
from tools.simulate.memory import Floats
from tools.simulate.people import learner
from tools.simulate.trace import Simulation

PLAIN, DRIFT, BREAK, HARD = "plain", "drift", "break", "hard"
#: FSRS schedules all cards; those of two presets, with different memories; SM-2 schedules all cards.
ONE, TWO, SM2 = "one preset", "two presets", "SM-2"
#: Standard deviation of the logit of recall over weeks, of those who drift.
DRIFT_SD = 0.4
#: Rows of a log: for each scored review, and besides these. They suffice for a third more reviews than are scored.
ROWS_PER_REVIEW, MORE_ROWS = 3, 700


@dataclass(frozen=True)
class Kind:
    """A kind of review logs."""

    memory: str  #: see :mod:`.memory_models`
    condition: str  #: PLAIN; DRIFT of the ability; a BREAK of 90 days; HARD, later on, for some lapses
    size: int  #: about this many scored reviews in the first three quarters
    use: str  #: ONE, TWO or SM2

    def draw(self, random: np.random.Generator) -> list[Learner]:
        """Return the learner of each preset. Two have the same habits."""
        rows = (ROWS_PER_REVIEW * self.size + MORE_ROWS) // (1 + (self.use == TWO))
        begins = round(rows * random.uniform(0.15, 0.6))
        drift = DRIFT_SD if self.condition == DRIFT else 0.0
        first, *others = (
            learner(number, seed=seed, rows=rows, spread=0.0, drift=drift, utc=True, memory_kind=self.memory)
            for number, seed in random.integers(1, 2**31, (1 + (self.use == TWO), 2)).tolist()
        )
        first = replace(
            first,
            days=first.days + 200,
            scheduler="sm2" if self.use == SM2 else "fsrs",
            habits=replace(first.habits, deleted=0.0),
            break_after=begins if self.condition == BREAK else None,
            hard_after=begins if self.condition == HARD else None,
        )
        return [first, *(replace(first, seed=other.seed, memory=other.memory) for other in others)]


def join(studies: Sequence[Simulation]) -> tuple[Snapshot, Floats]:
    """Return the collection, and the true probability of recall at each row of its log.

    Presets and decks are numbered from 1. The studies must begin on the same day; those of equal habits and lengths do.
    """
    columns = []
    for part, study in enumerate(studies):
        log = np.stack(list(vars(study.revlog).values()))
        log[1] += part  # ids of a study's cards are 7 apart, and no two cards of the collection share one
        columns.append(log)
    rows, recall = np.concatenate(columns, axis=1), np.concatenate([study.recall for study in studies])
    order, position = np.argsort(rows[0], kind="stable"), np.arange(len(recall))
    rows = rows[:, order]
    rows[0] = np.maximum.accumulate(rows[0] - position) + position  # no two rows share an id either
    card_id = np.concatenate([study.cards.card_id + part for part, study in enumerate(studies)])
    preset_id = np.repeat(np.arange(1, len(studies) + 1), [len(study.cards.card_id) for study in studies])
    presets = tuple(
        Preset(part, f"Preset {part}", study.parameters, study.desired_retention)
        for part, study in enumerate(studies, start=1)
    )
    cards = Cards(card_id, preset_id, preset_id, np.zeros(len(card_id), dtype=bool))
    fsrs = any(study.parameters for study in studies)
    return Snapshot(Revlog(*rows), studies[0].clock, cards, presets, fsrs=fsrs), recall[order]

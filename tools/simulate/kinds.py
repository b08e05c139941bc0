"""Kinds of learners for experiments, by their memory, how it changes, how much they study, and their scheduler."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluator.data.revlog import Cards, Preset, Revlog, Snapshot
from tools.simulate.learner import Learner
from tools.simulate.memory import Floats
from tools.simulate.people import learner
from tools.simulate.trace import Simulation

#: Conditions: none, a drift of the ability, a break of 90 days, or Hard pressed for some lapses later on.
PLAIN, DRIFT, BREAK, HARD = "plain", "drift", "break", "hard"
#: Uses of a scheduler: FSRS for all cards, FSRS for two presets with different memories, or SM-2 for all cards.
ONE, TWO, SM2 = "one preset", "two presets", "SM-2"
#: Standard deviation of the logit of recall over weeks, for the condition DRIFT.
DRIFT_SD = 0.4
#: A log has this many rows for each scored review, and this many more. They suffice for a third more reviews than are
#: scored.
ROWS_PER_REVIEW, EXTRA_ROWS = 3, 700


@dataclass(frozen=True)
class Kind:
    """A kind of learner."""

    #: Kind of memory, see :mod:`tools.simulate.memory_models`.
    memory: str
    #: PLAIN, DRIFT, BREAK or HARD.
    condition: str
    #: Approximate number of scored reviews in the first three quarters.
    size: int
    #: ONE, TWO or SM2.
    use: str

    def draw(self, random: np.random.Generator) -> list[Learner]:
        """Return a learner for each preset. If there are two, they differ only in seed and memory."""
        rows = (ROWS_PER_REVIEW * self.size + EXTRA_ROWS) // (1 + (self.use == TWO))
        change_row = round(rows * random.uniform(0.15, 0.6))
        drift = DRIFT_SD if self.condition == DRIFT else 0.0
        first_learner, *other_learners = (
            learner(number, seed=seed, rows=rows, spread=0.0, drift=drift, utc=True, memory_kind=self.memory)
            for number, seed in random.integers(1, 2**31, (1 + (self.use == TWO), 2)).tolist()
        )
        first_learner = replace(
            first_learner,
            days=first_learner.days + 200,
            scheduler="sm2" if self.use == SM2 else "fsrs",
            habits=replace(first_learner.habits, deleted=0.0),
            break_after=change_row if self.condition == BREAK else None,
            hard_after=change_row if self.condition == HARD else None,
        )
        return [first_learner, *(replace(first_learner, seed=item.seed, memory=item.memory) for item in other_learners)]


def join(studies: Sequence[Simulation]) -> tuple[Snapshot, Floats]:
    """Join the logs of simulations that begin on the same day, as those of learners of one :class:`Kind` do.

    Returns:
        The collection, in which each simulation has a preset and a deck, numbered from 1, and the true probability of
        recall at each row of its log.
    """
    columns = []
    for part, study in enumerate(studies):
        log = np.stack(list(vars(study.revlog).values()))
        # The ids of a simulation's cards are 7 apart, so shifting them by the number of the part keeps all ids unique.
        log[1] += part
        columns.append(log)
    rows, recall = np.concatenate(columns, axis=1), np.concatenate([study.recall for study in studies])
    order, position = np.argsort(rows[0], kind="stable"), np.arange(len(recall))
    rows = rows[:, order]
    # Move rows later, so that no two have the same id.
    rows[0] = np.maximum.accumulate(rows[0] - position) + position
    card_id = np.concatenate([study.cards.card_id + part for part, study in enumerate(studies)])
    preset_id = np.repeat(np.arange(1, len(studies) + 1), [len(study.cards.card_id) for study in studies])
    presets = tuple(
        Preset(part, f"Preset {part}", study.parameters, study.desired_retention)
        for part, study in enumerate(studies, start=1)
    )
    cards = Cards(card_id, preset_id, preset_id, np.zeros(len(card_id), dtype=bool))
    fsrs = any(study.parameters for study in studies)
    return Snapshot(Revlog(*rows), studies[0].clock, cards, presets, fsrs=fsrs), recall[order]

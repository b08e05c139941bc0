"""Kinds of learners for experiments, by their memory, how it changes, how much they study, and their scheduler."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluator.data.revlog import Cards, Preset, Snapshot
from tools.simulate.learner import Learner
from tools.simulate.memory import PUBLISHED, Floats
from tools.simulate.people import learner
from tools.simulate.trace import Simulation, concatenate
from tools.sources.stated import strictly_increasing

#: Condition in which nothing happens.
PLAIN = "plain"
#: The ability drifts over weeks.
DRIFT = "drift"
#: There is a break of 90 days.
BREAK = "break"
#: Hard is pressed for some lapses later on.
HARD = "hard"
#: With FSRS only: the cards that were forgotten most often are deleted.
LEECHES = "leeches deleted"
#: With FSRS only: the desired retention was changed.
RETENTION = "retention changed"
#: With FSRS only: the learner's own parameters schedule, so that FSRS chooses the reviews that test them.
CLOSED = "own parameters schedule"
#: Use of a scheduler: FSRS for all cards.
ONE = "one preset"
#: FSRS for two presets with different memories.
TWO = "two presets"
#: FSRS for two presets with opposite errors of the default parameters.
OPPOSITE = "opposite presets"
#: SM-2 for all cards.
SM2 = "SM-2"
_ALWAYS = (PLAIN, DRIFT, BREAK, HARD)
_WITH_FSRS = (*_ALWAYS, LEECHES, RETENTION, CLOSED)
#: Conditions of each use.
CONDITIONS = {ONE: _WITH_FSRS, TWO: _WITH_FSRS, OPPOSITE: (PLAIN, DRIFT, LEECHES), SM2: _ALWAYS}
#: Standard deviation of the logit of recall over weeks, for the condition DRIFT.
DRIFT_SD = 0.4
#: Numbers of rows of a log for each scored review, and in addition. They suffice for a third more reviews than are
#: scored.
ROWS_PER_REVIEW = 3
EXTRA_ROWS = 700
#: How much better the first of two opposite presets is remembered, and the second one worse, in logits.
OPPOSITE_ABILITY = 0.35
#: Difference between the desired retention and the earlier one, for the condition RETENTION.
RETENTION_CHANGE = 0.08
#: Share of the forgotten cards that are deleted, for the condition LEECHES.
LEECH_SHARE = 0.1


@dataclass(frozen=True)
class Kind:
    """A kind of learner."""

    #: Kind of memory, see :mod:`tools.simulate.memory_models`.
    memory: str
    #: One of :data:`CONDITIONS` of the use.
    condition: str
    #: Approximate number of scored reviews in the first three quarters.
    size: int
    #: ONE, TWO, OPPOSITE or SM2.
    use: str

    def draw(self, random: np.random.Generator) -> list[Learner]:
        """Return a learner for each preset. If there are two, they differ only in seed and memory."""
        presets = 2 if self.use in (TWO, OPPOSITE) else 1
        rows = (ROWS_PER_REVIEW * self.size + EXTRA_ROWS) // presets
        change_row = round(rows * random.uniform(0.15, 0.6))
        drift = DRIFT_SD if self.condition == DRIFT else 0.0
        first_learner, *other_learners = (
            learner(number, seed=seed, rows=rows, spread=0.0, drift=drift, utc=True, memory_kind=self.memory)
            for number, seed in random.integers(1, 2**31, (presets, 2)).tolist()
        )
        first_learner = replace(
            first_learner,
            days=first_learner.days + 200,
            scheduler="sm2" if self.use == SM2 else "fsrs",
            habits=replace(first_learner.habits, deleted=0.0),
            break_after=change_row if self.condition == BREAK else None,
            hard_after=change_row if self.condition == HARD else None,
        )
        if self.use == OPPOSITE:
            first_learner = replace(first_learner, scheduler_memory=PUBLISHED, ability=OPPOSITE_ABILITY)
        if self.condition == RETENTION:
            retention = first_learner.desired_retention
            earlier_retention = retention + (RETENTION_CHANGE if retention < 0.88 else -RETENTION_CHANGE)
            first_learner = replace(first_learner, earlier_retention=(change_row, earlier_retention))
        ability = -first_learner.ability
        others = (
            replace(first_learner, seed=item.seed, memory=item.memory, ability=ability) for item in other_learners
        )
        return [first_learner, *others]


def delete_leeches(snapshot: Snapshot, second: int) -> Snapshot:
    """Return the collection without the cards that were forgotten most often before a second. Their rows stay."""
    log = snapshot.revlog
    cards = snapshot.cards
    if cards is None:
        return snapshot
    is_lapse = (log.button == 1) & (log.kind == 1) & (log.review_id < 1000 * second)
    forgotten, lapses = np.unique(log.card_id[is_lapse], return_counts=True)
    leeches = forgotten[np.argsort(-lapses, kind="stable")][: round(LEECH_SHARE * len(forgotten))]
    stays = ~np.isin(cards.card_id, leeches)
    columns = {name: column[stays] for name, column in vars(cards).items() if column is not None}
    return replace(snapshot, cards=replace(cards, **columns))


def join(studies: Sequence[Simulation]) -> tuple[Snapshot, Floats]:
    """Join the logs of simulations that begin on the same day, as those of learners of one :class:`Kind` do.

    Returns:
        The collection, in which each simulation has a preset and a deck, numbered from 1, and the true probability of
        recall at each row of its log.
    """
    # The ids of a simulation's cards are 7 apart, so shifting them by the number of the part keeps all ids unique.
    logs = [replace(study.revlog, card_id=study.revlog.card_id + part) for part, study in enumerate(studies)]
    log = concatenate(logs)
    order = np.argsort(log.review_id, kind="stable")
    log = log.take(order)
    log = replace(log, review_id=strictly_increasing(log.review_id))
    recall = np.concatenate([study.recall for study in studies])
    card_id = np.concatenate([study.cards.card_id + part for part, study in enumerate(studies)])
    preset_id = np.repeat(np.arange(1, len(studies) + 1), [len(study.cards.card_id) for study in studies])
    presets = tuple(
        Preset(part, f"Preset {part}", study.parameters, study.desired_retention)
        for part, study in enumerate(studies, start=1)
    )
    cards = Cards(card_id, preset_id, preset_id, np.zeros(len(card_id), dtype=bool))
    fsrs = any(study.parameters for study in studies)
    return Snapshot(log, studies[0].clock, cards, presets, fsrs=fsrs), recall[order]

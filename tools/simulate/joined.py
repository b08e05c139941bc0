"""Join the studies of several people in one collection, each in a preset of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evaluator.data.revlog import Cards, Preset, Revlog, Snapshot
from tools.simulate.memory import Floats
from tools.simulate.trace import Simulation


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
    order, place = np.argsort(rows[0], kind="stable"), np.arange(len(recall))
    rows = rows[:, order]
    rows[0] = np.maximum.accumulate(rows[0] - place) + place  # no two rows share an id either
    card_id = np.concatenate([study.cards.card_id + part for part, study in enumerate(studies)])
    preset_id = np.repeat(np.arange(1, len(studies) + 1), [len(study.cards.card_id) for study in studies])
    presets = tuple(
        Preset(part, f"Preset {part}", study.parameters, study.desired_retention)
        for part, study in enumerate(studies, start=1)
    )
    cards = Cards(card_id, preset_id, preset_id, np.zeros(len(card_id), dtype=bool))
    fsrs = any(study.parameters for study in studies)
    return Snapshot(Revlog(*rows), studies[0].clock, cards, presets, fsrs=fsrs), recall[order]

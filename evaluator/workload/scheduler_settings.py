"""The scheduler and settings that the user really used in a period."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..data.revlog import Cards, Deck, Ints, Preset, Sm2Settings, Snapshot
from ..derivatives import Floats
from ..errors import OddParameters
from ..fitting.preset_parameters import parameters_of
from .memory_draws import Memory, replay
from .person import StudyLog, locate_cards
from .result import FSRS, SM_2
from .schedulers import FsrsScheduler, Scheduler, Sm2Scheduler

#: Used if a preset does not say.
DESIRED_RETENTION = 0.9
#: With FSRS the log's ``factor`` is the difficulty, from 100 to 1,100; with SM-2 the ease in permille, from 1,300.
FSRS_FACTORS, MIN_EASE = (100, 1100), 1300
#: If at least this share of the answers is by one scheduler, all count as its.
DOMINANT_SHARE = 0.9


@dataclass(frozen=True)
class SchedulerSettings:
    """The settings of each preset, once for each desired retention of its decks. Unknown ones are Anki's defaults."""

    fsrs: Optional[bool]  #: None: both schedulers, one after the other, or unknown
    switched: bool  #: both
    sm2: Sequence[Sm2Settings]  #: settings by preset
    w: Floats  #: (P, presets) of FSRS-6
    desired_retention: Floats  #: (presets,)
    order: Ints  #: (presets,) review order by Anki's number, for days on which not all are done
    fsrs_7: bool  #: some preset runs that version or a newer one
    preset: Ints  #: index of the preset of each card of the study
    share: Floats  #: (presets,) of the cards that are studied

    @property
    def most_used(self) -> int:
        """The preset with most cards."""
        return int(self.share.argmax())

    @property
    def dominant_retention(self) -> Tuple[float, float]:
        """The desired retention of most cards, and the share of the cards that have it."""
        values, value_of_preset = np.unique(self.desired_retention, return_inverse=True)
        share = np.bincount(value_of_preset, self.share)
        return float(values[share.argmax()]), float(share.max())

    @property
    def longest(self) -> int:
        """The longest interval that a preset allows."""
        return max(item.max_interval for item in self.sm2)

    @property
    def name(self) -> Optional[str]:
        """Name of the scheduler in the result."""
        return None if self.fsrs is None else FSRS if self.fsrs else SM_2

    def scheduler(self, study: StudyLog, card: Ints, row: Ints, size: Ints) -> Scheduler:
        """Return the scheduler with its state of these cards after the first ``size`` rows, the last one ``row``."""
        if not self.fsrs:
            return self.sm2_scheduler(study, card, row)
        preset = self.preset[card]
        believed = replay(Memory(FSRS_6, self.w), study.rows, study.start[card], size, preset)
        state = tuple(column[None] for column in believed)
        return FsrsScheduler(self.w, self.desired_retention, state, self.longest, preset=preset)

    def sm2_scheduler(self, study: StudyLog, card: Ints, row: Ints, new: int = 0) -> Sm2Scheduler:
        """Return SM-2 with the ease of these cards after their rows ``row``, and of ``new`` cards that come later.

        Where the log holds no ease, it is the starting ease. New cards are in the most used preset.
        """
        preset = np.concatenate([self.preset[card], np.full(new, self.most_used)])
        factor = np.concatenate([study.factor[row], np.zeros(new, dtype=np.int64)])
        starting = np.round(1000 * np.array([item.starting_ease for item in self.sm2])[preset])
        return Sm2Scheduler(self.sm2, preset, np.where(factor >= MIN_EASE, factor, starting).astype(np.int64))


def settings_in_use(study: StudyLog, snapshot: Snapshot, first: int, living: Ints) -> SchedulerSettings:
    """Return what was in use from the day ``first``.

    The log decides which of the two schedulers. If it holds neither ease nor difficulty, the collection's setting does.

    Args:
        study: the log.
        snapshot: cards, presets and decks.
        first: the day.
        living: the cards of the study that are still studied.
    """
    factor = study.factor[study.later & study.of_review & (study.rows.day >= first)]
    factor = factor[factor > 0]
    fsrs = snapshot.fsrs
    if len(factor):
        share = float(((factor >= FSRS_FACTORS[0]) & (factor <= FSRS_FACTORS[1])).mean())
        fsrs = None if 1 - DOMINANT_SHARE < share < DOMINANT_SHARE else share > 0.5
    presets, preset = _presets(study, snapshot.cards, snapshot.presets or (), snapshot.decks or ())
    return SchedulerSettings(
        fsrs,
        fsrs is None and len(factor) > 0,
        [item.sm2 or Sm2Settings() for item in presets],
        np.array([_parameters(item) for item in presets]).T,
        np.array([_desired(item) for item in presets]),
        np.array([item.review_order for item in presets]),
        any(item.fsrs_version == 7 or item.newer_fsrs is not None for item in presets),
        preset,
        np.bincount(preset[living], minlength=len(presets)) / max(len(living), 1),
    )


def _presets(
    study: StudyLog, cards: Optional[Cards], presets: Sequence[Preset], decks: Sequence[Deck]
) -> Tuple[List[Preset], Ints]:
    """Return the presets, once for each desired retention of their decks, and each card's index in them.

    Deleted cards have the most used one.
    """
    card_id = study.rows.card_id[study.start]
    if cards is None or cards.preset_id is None or not presets or not len(card_id) or not len(cards.card_id):
        return [Preset(0, "", ())], np.zeros(len(card_id), dtype=np.int64)
    position, exists = locate_cards(cards.card_id, card_id)
    by_id = {preset.preset_id: preset for preset in presets}
    existing = np.flatnonzero(exists & np.isin(cards.preset_id[position], list(by_id)))
    if not len(existing):
        return [presets[0]], np.zeros(len(card_id), dtype=np.int64)
    desired = np.full(len(position), -1.0)  # -1: that of the preset
    for deck in decks:
        if deck.desired_retention is not None:
            desired[cards.deck_id[position] == deck.deck_id] = deck.desired_retention
    pairs = np.stack([cards.preset_id[position], desired])[:, existing]
    kinds, kind = np.unique(pairs, axis=1, return_inverse=True)
    kind = kind.ravel()
    index = np.full(len(card_id), int(np.bincount(kind).argmax()))
    index[existing] = kind
    pairs_in_use = [(by_id[int(preset_id)], float(of_deck)) for preset_id, of_deck in kinds.T]
    return [item if of_deck < 0 else replace(item, desired_retention=of_deck) for item, of_deck in pairs_in_use], index


def _parameters(preset: Preset) -> Tuple[float, ...]:
    """Return the preset's FSRS-6 parameters, or the published ones if it runs another version."""
    try:
        return parameters_of(Preset(0, "", ()) if preset.fsrs_version == 7 else preset)
    except OddParameters:
        return parameters_of(Preset(0, "", ()))


def _desired(preset: Preset) -> float:
    desired = preset.desired_retention
    return DESIRED_RETENTION if desired is None or not 0 < desired < 1 else float(desired)

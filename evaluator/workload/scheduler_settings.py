"""The scheduler and settings that the user really used in a period."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..data.revlog import Cards, Deck, Ints, Preset, Sm2Settings
from ..derivatives import Floats
from ..errors import OddParameters
from ..fitting.preset_parameters import parameters_of
from .memories import Memory, replay
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
    """The settings of each preset, once for each desired retention of its decks; unknown ones are Anki's defaults."""

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
        values, of_preset = np.unique(self.desired_retention, return_inverse=True)
        share = np.bincount(of_preset, self.share)
        return float(values[share.argmax()]), float(share.max())

    @property
    def longest(self) -> int:
        """The longest interval that a preset allows."""
        return max(item.longest_interval for item in self.sm2)

    @property
    def name(self) -> Optional[str]:
        """Name of the scheduler in the result."""
        return None if self.fsrs is None else FSRS if self.fsrs else SM_2

    def scheduler(self, study: StudyLog, card: Ints, row: Ints, size: Ints) -> Scheduler:
        """Return the scheduler, its cards' states taken after the first ``size`` rows of each, the last one ``row``."""
        preset = self.preset[card]
        if not self.fsrs:
            starting = np.array([item.starting_ease for item in self.sm2])[preset]
            return Sm2Scheduler(self.sm2, preset, eases(study, row, starting))
        believed = replay(Memory(FSRS_6, self.w), study.rows, study.start[card], size, preset)
        state = tuple(column[None] for column in believed)
        return FsrsScheduler(self.w, self.desired_retention, state, self.longest, preset=preset)


def in_use(
    study: StudyLog,
    cards: Optional[Cards],
    presets: Sequence[Preset],
    decks: Sequence[Deck],
    fsrs: Optional[bool],
    first: int,
    living: Ints,
) -> SchedulerSettings:
    """Return what was in use from the day ``first``; ``living`` are the cards of the study that are still studied.

    The log decides which of the two schedulers; if it holds neither ease nor difficulty, the collection's setting.
    """
    rows = study.rows
    factor = study.factor[study.later & study.of_review & (rows.day >= first)]
    factor = factor[factor > 0]
    of_fsrs = (factor >= FSRS_FACTORS[0]) & (factor <= FSRS_FACTORS[1])
    if len(factor):
        share = float(of_fsrs.mean())
        fsrs = None if 1 - DOMINANT_SHARE < share < DOMINANT_SHARE else share > 0.5
    switched = fsrs is None and len(factor) > 0
    used, preset = _presets(study, cards, presets, decks)
    existing = [item.sm2 for item in used]
    counts = np.bincount(preset[living], minlength=len(used))
    return SchedulerSettings(
        fsrs,
        switched,
        [Sm2Settings() if item is None else item for item in existing],
        np.array([_parameters(item) for item in used]).T,
        np.array([_desired(item) for item in used]),
        np.array([item.review_order for item in used]),
        any(item.fsrs_version == 7 or item.newer_fsrs is not None for item in used),
        preset,
        counts / max(len(living), 1),
    )


def eases(study: StudyLog, row: Ints, starting: Floats) -> Ints:
    """Return the ease (rows,) of cards in permille after these rows; the starting ease if the log holds none."""
    factor = study.factor[row]
    return np.where(factor >= MIN_EASE, factor, np.round(1000 * starting)).astype(np.int64)


def _presets(
    study: StudyLog, cards: Optional[Cards], presets: Sequence[Preset], decks: Sequence[Deck]
) -> Tuple[List[Preset], Ints]:
    """Return the presets, one for each desired retention, and each card's index in them; the most used for deleted
    cards.
    """
    card_id = study.rows.card_id[study.start]
    if cards is None or cards.preset_id is None or not presets or not len(card_id) or not len(cards.card_id):
        return [Preset(0, "", ())], np.zeros(len(card_id), dtype=np.int64)
    position, exists = locate_cards(cards.card_id, card_id)
    preset_id = {preset.preset_id: preset for preset in presets}
    existing = np.flatnonzero(exists & np.isin(cards.preset_id[position], list(preset_id)))
    if not len(existing):
        return [presets[0]], np.zeros(len(card_id), dtype=np.int64)
    desired = np.full(len(position), -1.0)
    for deck in decks:
        if deck.desired_retention is not None:
            desired[cards.deck_id[position] == deck.deck_id] = deck.desired_retention
    pairs = np.stack([cards.preset_id[position], desired])[:, existing]
    kinds, of_known = np.unique(pairs, axis=1, return_inverse=True)
    of_known = of_known.ravel()
    number = np.full(len(card_id), int(np.bincount(of_known).argmax()))
    number[existing] = of_known
    result = [preset_id[int(preset)] for preset in kinds[0]]
    of_deck = [
        preset if own < 0 else replace(preset, desired_retention=float(own)) for preset, own in zip(result, kinds[1])
    ]
    return of_deck, number


def _parameters(preset: Preset) -> Tuple[float, ...]:
    """Return the preset's FSRS-6 parameters; the published ones if it runs FSRS-7 or has another number of them."""
    published = parameters_of(Preset(0, "", ()))
    try:
        return published if preset.fsrs_version == 7 else parameters_of(preset)
    except OddParameters:
        return published


def _desired(preset: Preset) -> float:
    desired = preset.desired_retention
    return DESIRED_RETENTION if desired is None or not 0 < desired < 1 else float(desired)

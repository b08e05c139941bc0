"""The scheduler and the settings that the user had in a period, according to the log."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Optional, Sequence, Tuple

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..algorithms.your_parameters import parameters_of
from ..data.reviews import locate_cards
from ..data.revlog import Ints, Preset, Sm2Settings, Snapshot
from ..derivatives import Floats
from ..errors import OddParameters
from ..report import DEFAULT_RETENTION
from .memory_draws import Memory, replay
from .person import StudyLog
from .result import FSRS, SM_2
from .schedulers import FsrsScheduler, Scheduler, Sm2Scheduler

#: Range of the log's ``factor`` with FSRS, which is the difficulty.
FSRS_FACTORS = (100, 1100)
#: Minimum of the log's ``factor`` with SM-2, which is the ease in permille.
MIN_EASE = 1300
#: If one scheduler gave at least this share of the intervals, it counts as the only one.
DOMINANT_SHARE = 0.9
#: Settings of cards without a known preset.
DEFAULT_PRESET = Preset(0, "", ())


@dataclass(frozen=True)
class SchedulerSettings:
    """Scheduler in use, with the settings of each preset.

    A preset counts several times if its decks have different desired retentions. Unknown settings are Anki's defaults.
    """

    fsrs: Optional[bool]  #: None if both schedulers were used one after the other, or if it is not known
    switched: bool  #: whether both schedulers were used
    sm2: Sequence[Sm2Settings]  #: settings by preset
    w: Floats  #: (P, presets) parameters of FSRS-6
    desired_retention: Floats  #: (presets,)
    review_order: Ints  #: (presets,) Anki's number of the review order, for days on which not all reviews are done
    fsrs_7: bool  #: whether a preset runs FSRS-7 or a newer version
    preset: Ints  #: (cards,) index of the preset of each card of the log
    share: Floats  #: (presets,) share of the active cards

    @property
    def most_used(self) -> int:
        """The index of the preset with most active cards."""
        return int(self.share.argmax())

    @property
    def dominant_retention(self) -> Tuple[float, float]:
        """The desired retention of most active cards, and the share of the active cards that have it."""
        values, value_of_preset = np.unique(self.desired_retention, return_inverse=True)
        share = np.bincount(value_of_preset, self.share)
        return float(values[share.argmax()]), float(share.max())

    @property
    def max_interval(self) -> int:
        """The longest interval that a preset allows, in days."""
        return max(settings.max_interval for settings in self.sm2)

    @property
    def name(self) -> Optional[str]:
        """The name of the scheduler in the result, or None if it is not known."""
        return {None: None, True: FSRS, False: SM_2}[self.fsrs]

    def scheduler(self, study: StudyLog, card: Ints, row: Ints, groups: int) -> Scheduler:
        """Return the scheduler in use with its state of these cards after their rows ``row``, once for each group."""
        if not self.fsrs:
            return self.sm2_scheduler(study, card, row, groups)
        preset = self.preset[card]
        start = study.start[card]
        memory = Memory(FSRS_6, self.w)
        state = replay(memory, study.rows, start, row + 1 - start, preset)
        columns = tuple(np.tile(column, groups) for column in state)
        return FsrsScheduler(memory, self.desired_retention, np.tile(preset, groups), columns, self.max_interval)

    def sm2_scheduler(self, study: StudyLog, card: Ints, row: Ints, groups: int, n_new: int = 0) -> Sm2Scheduler:
        """Return SM-2 with its ease of these cards after their rows ``row`` and of new cards, once for each group.

        Cards without an ease in the log have the starting ease. New cards are in the most used preset.
        """
        preset = np.pad(self.preset[card], (0, n_new), constant_values=self.most_used)
        factor = np.pad(study.factor[row], (0, n_new))
        starting_ease = np.round(1000 * np.array([settings.starting_ease for settings in self.sm2])[preset])
        ease = np.where(factor >= MIN_EASE, factor, starting_ease).astype(np.int64)
        return Sm2Scheduler(self.sm2, np.tile(preset, groups), np.tile(ease, groups))


def settings_in_use(study: StudyLog, snapshot: Snapshot, first_day: int, active: Ints) -> SchedulerSettings:
    """Return the scheduler and the settings in use since the day ``first_day``.

    The log shows which scheduler it was. If it holds neither ease nor difficulty, or if a script of the user may have
    written them, the collection's setting decides.

    Args:
        study: the log.
        snapshot: the cards, presets and decks.
        first_day: the first day of the period.
        active: the numbers of the cards that are still studied.
    """
    factor = study.factor[study.is_later_day & study.in_review & (study.rows.day >= first_day)]
    factor = factor[(factor > 0) & (not snapshot.scripted)]
    fsrs = snapshot.fsrs
    if len(factor):
        fsrs_share = float(((factor >= FSRS_FACTORS[0]) & (factor <= FSRS_FACTORS[1])).mean())
        fsrs = None if 1 - DOMINANT_SHARE < fsrs_share < DOMINANT_SHARE else fsrs_share > 0.5
    presets, preset = _presets_by_retention(study, snapshot)
    return SchedulerSettings(
        fsrs,
        fsrs is None and len(factor) > 0,
        [item.sm2 or Sm2Settings() for item in presets],
        np.array([_fsrs6_parameters(item) for item in presets]).T,
        np.array([_valid_retention(item) for item in presets]),
        np.array([item.review_order for item in presets]),
        any(item.fsrs_version != 6 for item in presets),
        preset,
        np.bincount(preset[active], minlength=len(presets)) / max(len(active), 1),
    )


def _presets_by_retention(study: StudyLog, snapshot: Snapshot) -> Tuple[Sequence[Preset], Ints]:
    """Return each preset once for each desired retention of its decks, and the index of each card's entry among these.

    Deleted cards get the entry with the most cards, or the first preset if no card exists. If the presets or those of
    the cards are unknown, all cards get :data:`DEFAULT_PRESET`.
    """
    card_id = study.rows.card_id[study.start]
    cards = snapshot.cards
    by_id = {preset.preset_id: preset for preset in snapshot.presets or ()}
    preset_index = np.zeros(len(card_id), dtype=np.int64)
    if cards is None or cards.preset_id is None or not by_id or not len(cards.card_id):
        return [DEFAULT_PRESET], preset_index
    position, exists = locate_cards(cards.card_id, card_id)
    known_indices = np.flatnonzero(exists & np.isin(cards.preset_id[position], list(by_id)))
    if not len(known_indices):
        return list(by_id.values())[:1], preset_index
    # A deck without a desired retention has that of its preset, which -1 stands for.
    deck_retention = np.full(len(position), -1.0)
    for deck in snapshot.decks or ():
        if deck.desired_retention is not None:
            deck_retention[cards.deck_id[position] == deck.deck_id] = deck.desired_retention
    pairs, pair_index = np.unique(
        np.stack([cards.preset_id[position], deck_retention])[:, known_indices], axis=1, return_inverse=True
    )
    preset_index[:] = np.bincount(pair_index.ravel()).argmax()
    preset_index[known_indices] = pair_index.ravel()
    presets = []
    for preset_id, retention in pairs.T.tolist():
        preset = by_id[int(preset_id)]
        presets.append(preset if retention < 0 else replace(preset, desired_retention=retention))
    return presets, preset_index


def _fsrs6_parameters(preset: Preset) -> Tuple[float, ...]:
    """Return the preset's FSRS-6 parameters, or the published ones if it runs FSRS-7 or its own cannot be used."""
    try:
        return parameters_of(DEFAULT_PRESET if preset.fsrs_version == 7 else preset)
    except OddParameters:
        return parameters_of(DEFAULT_PRESET)


def _valid_retention(preset: Preset) -> float:
    """Return the preset's desired retention, or Anki's default if it has no valid one."""
    retention = preset.desired_retention
    return DEFAULT_RETENTION if retention is None or not 0 < retention < 1 else float(retention)

"""The cards, habits and settings of one user, from which the back-test and the year ahead start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from ..data.dataset import Dataset
from ..data.revlog import Ints
from ..scoring.evidence import Evidence
from .person import StudyLog, active_cards, measure_lateness
from .scheduler_settings import DEFAULT_PRESET, SchedulerSettings, settings_in_use

#: Share of the days of study that the back-test tests.
TESTED_SHARE = 0.2


@dataclass(frozen=True)
class Period:
    """The days of the back-test."""

    first: int  #: the first day
    stop: int  #: the day after the last one
    study_days: Ints  #: days of study, counted from ``first``
    total_study_days: int  #: number of days of study in the log

    @classmethod
    def of(cls, study: StudyLog) -> Period:
        """Return the last fifth of the days of study."""
        days = np.unique(study.rows.day)
        tested_days = days[len(days) - int(TESTED_SHARE * len(days)) :]
        first_day = int(tested_days[0]) if len(tested_days) else 0
        return cls(first_day, int(days[-1]) + 1 if len(days) else 0, tested_days - first_day, len(days))

    def first_reviews(self, study: StudyLog) -> Tuple[Ints, Ints]:
        """Return the cards with later-day reviews in the period, and the row of each card's first such review."""
        rows = np.flatnonzero(study.is_later_day & (study.rows.day >= self.first))
        card, index = np.unique(study.rows.card[rows], return_index=True)
        return card, rows[index]


@dataclass(frozen=True)
class WorkloadInputs:
    """Everything that the back-test and the year ahead start from."""

    data: Dataset
    study: StudyLog
    period: Period  #: period of the back-test
    active: Ints  #: numbers of the cards that are still studied
    settings: SchedulerSettings
    on_time: float  #: share of the recent reviews that were on time
    today: int  #: the last day of the log

    @classmethod
    def of(cls, evidence: Evidence) -> WorkloadInputs:
        """Read the user's cards, scheduler and habits from the log.

        Raises:
            ValueError: if the evidence has no snapshot.
        """
        snapshot = evidence.snapshot
        if snapshot is None:
            raise ValueError("the reviews themselves are needed")
        max_seconds = max(preset.max_seconds for preset in snapshot.presets or (DEFAULT_PRESET,))
        study = StudyLog.of(evidence.data.rows, snapshot.revlog, max_seconds)
        today = int(study.rows.day.max())
        period = Period.of(study)
        active = active_cards(study, snapshot.cards, today)
        settings = settings_in_use(study, snapshot, period.first, active)
        _, on_time = measure_lateness(study, today + 1)
        return cls(evidence.data, study, period, active, settings, on_time, today)

"""The year ahead with each scheduler: how much work it brings, and how much is remembered.

The memory, FSRS-6 with slips, is fitted twice: to what came before the last fifth of the days of study, for the
back-test, and to all reviews, for the year ahead. Each step is a file of :mod:`evaluator.workload`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

import numpy as np

from ..data.dataset import Dataset
from ..data.revlog import Ints
from ..progress import Progress
from ..report import Report
from ..scoring.evidence import Evidence
from ..workload.back_test import Period, back_test
from ..workload.estimate import SEED, YearSetup, forecast_year
from ..workload.fitted import fit
from ..workload.person import MIN_ON_TIME_SHARE, RECENT, StudyLog, active_cards, lateness
from ..workload.result import KNOWLEDGE, PASSED, WORK, BackTest, Workload
from ..workload.scheduler_settings import SchedulerSettings, settings_in_use
from ..workload.slips import SLIPPING_FSRS_6
from .section import Section

#: Most seconds counted for an answer if no preset says it: Anki's default.
MAX_SECONDS = 60


@dataclass(frozen=True)
class WorkloadInputs:
    """Everything the simulation starts from."""

    data: Dataset
    study: StudyLog
    period: Period  #: period of the back-test
    living: Ints  #: the cards that are studied
    used: SchedulerSettings
    on_time: float  #: share of the recent reviews
    ahead: YearSetup

    @classmethod
    def of(cls, evidence: Evidence) -> WorkloadInputs:
        """Read the user from the log. Raises ValueError if the evidence has no snapshot."""
        snapshot = evidence.snapshot
        if snapshot is None:
            raise ValueError("the reviews themselves are needed")
        max_seconds = max((preset.max_seconds for preset in snapshot.presets or ()), default=MAX_SECONDS)
        study = StudyLog.of(evidence.data.rows, snapshot.revlog, max_seconds)
        today, period = int(study.rows.day.max()), Period.of(study)
        living = active_cards(study, snapshot.cards, today)
        used = settings_in_use(study, snapshot, period.first, living)
        _, on_time = lateness(study, today - RECENT + 1, today + 1)
        ahead = YearSetup.of(study, used, living, today, keeps_up=on_time >= MIN_ON_TIME_SHARE)
        return cls(evidence.data, study, period, living, used, on_time, ahead)


def compute(_report: Report, evidence: Evidence, _names: Sequence[str], progress: Progress) -> Workload:
    """Forecast the user's year ahead. Raises ValueError if the evidence has no snapshot."""
    return forecast_workload(evidence, progress)


def forecast_workload(evidence: Evidence, progress: Progress) -> Workload:
    """Forecast the user's year ahead, if the back-test is passed."""
    inputs = WorkloadInputs.of(evidence)
    test = run_back_test(inputs, progress.part(0.0, 0.4))
    question = WORK if inputs.on_time >= MIN_ON_TIME_SHARE else KNOWLEDGE
    forecast = Workload(question, inputs.on_time, *inputs.used.dominant_retention, test)
    if test.code != PASSED:
        return forecast
    return forecast_year(forecast, inputs.ahead, inputs.data, progress.part(0.4, 1.0))


def run_back_test(inputs: WorkloadInputs, progress: Progress) -> BackTest:
    """Return whether the simulation would have predicted the last fifth of the days of study."""
    planned = inputs.period.plan(inputs.study, inputs.used, inputs.living)
    if planned.code != PASSED:
        return planned
    stop = int(np.searchsorted(inputs.data.reviews.day, inputs.period.first))
    past = fit(SLIPPING_FSRS_6, inputs.data, stop, progress.part(0.0, 0.7))
    gone = np.ones(len(inputs.study.start), dtype=bool)
    gone[inputs.living] = False
    random = np.random.default_rng(SEED)
    return back_test(planned, past, inputs.study, inputs.period, inputs.used, gone, random, progress.part(0.7, 1.0))


SECTION = Section("workload", Workload, compute, slow=True, needs_snapshot=True, whole_day_only=True)

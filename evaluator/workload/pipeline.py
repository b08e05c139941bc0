"""The whole section: from the evidence of an evaluation to the work and knowledge that each scheduler brings.

The memory is fitted twice: to what came before the last fifth of the days of study, for the back-test, and to all
reviews, for the year ahead. It is FSRS-6 with slips.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Optional, Tuple

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..data.dataset import Dataset
from ..data.revlog import Ints
from ..interval import ConfidenceInterval
from ..progress import Progress
from ..scoring.evidence import Evidence
from .back_test import Period, back_test
from .estimate import (
    DESIRED,
    DRAWS,
    HORIZON,
    REPEATS,
    YearSetup,
    interpolate_curve,
    loads,
    log_review_ratio,
    ratio_of,
    with_interval,
)
from .fitted import fit
from .memories import Memory
from .person import MIN_ON_TIME_SHARE, RECENT, StudyLog, active_cards, habits, lateness, studied_days
from .result import KNOWLEDGE, WORK, BackTest, Load, Workload
from .scheduler_settings import SchedulerSettings, in_use
from .slips import SLIPPING_FSRS_6

#: Maximum number of simulated cards.
MAX_CARDS = 500
#: Most seconds counted for an answer if no preset says it: Anki's default.
MAX_SECONDS = 60
SEED = 2026


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
        presets = snapshot.presets or ()
        study = StudyLog.of(
            evidence.data.rows, snapshot.revlog, max((preset.most_seconds for preset in presets), default=MAX_SECONDS)
        )
        today = int(study.rows.day.max())
        period = Period.of(study)
        living = active_cards(study, snapshot.cards, today)
        used = in_use(study, snapshot.cards, presets, snapshot.decks or (), snapshot.fsrs, period.first, living)
        _, on_time = lateness(study, today - RECENT + 1, today + 1)
        ahead = _ahead(study, living, used, today, keeps_up=on_time >= MIN_ON_TIME_SHARE)
        return cls(evidence.data, study, period, living, used, on_time, ahead)


def workload(evidence: Evidence, progress: Progress) -> Workload:
    """Forecast the user's year ahead. Raises ValueError if the evidence has no snapshot."""
    inputs = WorkloadInputs.of(evidence)
    test = run_back_test(inputs, progress.part(0.0, 0.4))
    passed = test.code == "passed"
    loads, ratio, equal = _year(inputs, test, progress.part(0.4, 1.0)) if passed else ((), None, None)
    question = WORK if inputs.on_time >= MIN_ON_TIME_SHARE else KNOWLEDGE
    return Workload(question, inputs.on_time, *inputs.used.dominant_retention, test, loads, ratio, equal)


def run_back_test(inputs: WorkloadInputs, progress: Progress) -> BackTest:
    """Return whether the simulation would have predicted the last fifth of the days of study."""
    refused = inputs.period.refusal(inputs.study, inputs.used, inputs.living)
    if refused is not None:
        return refused
    stop = int(np.searchsorted(inputs.data.reviews.day, inputs.period.first))
    past = fit(SLIPPING_FSRS_6, inputs.data, stop, progress.part(0.0, 0.7))
    gone = np.ones(len(inputs.study.start), dtype=bool)
    gone[inputs.living] = False
    random = np.random.default_rng(SEED)
    return back_test(past, inputs.study, inputs.period, inputs.used, gone, random, progress.part(0.7, 1.0))


def _year(
    inputs: WorkloadInputs, test: BackTest, progress: Progress
) -> Tuple[Tuple[Load, ...], Optional[ConfidenceInterval], Optional[float]]:
    """Return the loads, the ratio and the equal retention of the :class:`Workload`."""
    data, ahead, everything = inputs.data, inputs.ahead, len(inputs.data.reviews)
    scheduled_by = fit(FSRS_6, data, everything, progress.part(0.0, 0.2)).w
    own = fit(SLIPPING_FSRS_6, data, everything, progress.part(0.2, 0.4))
    random = np.random.default_rng(SEED)
    groups = DRAWS + REPEATS
    at_fit = np.repeat(own.w[:, None], REPEATS, axis=1)
    memory = Memory(own.algorithm, np.concatenate([own.draws(DRAWS, random), at_fit], axis=1))
    start = ahead.start(memory, groups)
    own_desired, _ = inputs.used.dominant_retention
    desired = sorted({*DESIRED, own_desired})
    sm2 = ahead.run(memory, start, ahead.sm2(), groups, 1, progress.part(0.5, 0.6))
    scheduler = ahead.fsrs(scheduled_by[:, None], np.array(desired), groups)
    fsrs = ahead.run(memory, start, scheduler, groups, len(desired), progress.part(0.6, 1.0))
    if inputs.on_time >= MIN_ON_TIME_SHARE:
        ratio = ratio_of(log_review_ratio(sm2, fsrs))
        of_draws = np.repeat(np.array(desired)[:, None], groups, axis=1)
        equal = with_interval(interpolate_curve(fsrs.known, of_draws, sm2.known[0])).estimate
    else:
        equal = None
        ratio = ratio_of(np.log(fsrs.known[desired.index(own_desired)] / sm2.known[0]))
    missed_by = 1.0 if not test.ratio else max(test.ratio, 1 / test.ratio)
    least = min(own_desired, DESIRED[1])
    has_times = inputs.study.has_times
    years = loads(ahead.share, fsrs, desired, missed_by, has_times=has_times)
    shown = [year for year in years if year.desired_retention is not None and year.desired_retention >= least]
    return (*loads(ahead.share, sm2, (), missed_by, has_times=has_times), *shown), ratio, equal


def _ahead(study: StudyLog, living: Ints, used: SchedulerSettings, today: int, *, keeps_up: bool) -> YearSetup:
    first = today - RECENT + 1
    recent = studied_days(study, first, today + 1)
    studied = np.concatenate([recent + RECENT * turn for turn in range(ceil(HORIZON / RECENT))])
    studied = studied[studied < HORIZON]
    begun = int((study.rows.day[study.start] >= first).sum())
    new = round(begun / RECENT * HORIZON)
    share = min(1.0, MAX_CARDS / max(len(living) + new, 1))
    random = np.random.default_rng(SEED)
    drawn = min(len(living), max(1, round(share * len(living))))
    card = np.sort(random.choice(living, drawn, replace=False))
    own = habits(study, first, today + 1, studied)
    most = None
    if not keeps_up:
        own = replace(own, delays=np.zeros(1, dtype=np.int64), order=int(used.order[used.most_used]))
        days = study.rows.day[study.later & (study.rows.day >= first)] - first
        a_day = np.bincount(days, minlength=RECENT)[recent] * share
        most = np.tile(a_day, ceil(HORIZON / RECENT))[: len(studied)]
        most = np.diff(np.round(np.cumsum(most)), prepend=0).astype(np.int64)
    return YearSetup(study, used, card, round(share * new), share, own, most, today, used.longest, SEED)

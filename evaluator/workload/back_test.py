"""Test whether the simulation would have predicted the user's own past: the last fifth of the days of study."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Tuple

import numpy as np

from ..data.revlog import Ints
from ..derivatives import Floats
from ..progress import Progress
from .anki_intervals import AGAIN
from .estimate import DRAWS, prediction_interval
from .fitted import Fit
from .memory_draws import Memory, replay
from .person import RECENT, Bools, StudyLog, habits
from .result import PASSED, BackTest, Foreseen
from .scheduler_settings import SchedulerSettings
from .year import InitialState, StudySimulation

#: Minimum days of study, and minimum reviews on later days, in the whole log for a test.
MIN_STUDY_DAYS, MIN_REVIEWS = 30, 300
#: Share of the days of study that is tested on, and the minimum number of reviews to predict there.
SHARE, MIN_PREDICTED = 0.2, 20
#: How far the simulation may be off: simulated / observed reviews, and the share remembered.
BOUNDS, POINTS = (0.75, 1.33), 0.05
#: Maximum number of simulated cards.
MAX_CARDS = 1000


@dataclass(frozen=True)
class Period:
    """The days that are tested on."""

    first: int
    stop: int
    studied: Ints  #: days of study, from ``first``
    days: int  #: days of study in the whole log

    @classmethod
    def of(cls, study: StudyLog) -> Period:
        days = np.unique(study.rows.day)
        tested = days[len(days) - int(SHARE * len(days)) :]
        first = int(tested[0]) if len(tested) else 0
        return cls(first, int(days[-1]) + 1 if len(days) else 0, tested - first, len(days))

    def first_reviews(self, study: StudyLog) -> Tuple[Ints, Ints]:
        """Return the cards reviewed on a later day in the period, and the row of each one's first such review."""
        rows = np.flatnonzero(study.later & (study.rows.day >= self.first))
        card, index = np.unique(study.rows.card[rows], return_index=True)
        return card, rows[index]

    def plan(self, study: StudyLog, used: SchedulerSettings, living: Ints) -> BackTest:
        """Return the test before it is run. Its code says why it cannot be run, otherwise it is "passed"."""
        cards = len(self.first_reviews(study)[0])
        further = int((study.later & (study.rows.day >= self.first)).sum()) - cards
        later = int(study.later.sum())
        intervals = study.interval[study.later & (study.rows.rating > AGAIN)]
        reasons = {
            "none_alive": not len(living),
            "no_intervals": len(intervals) > 0 and (intervals != 0).mean() < 0.5,
            "too_few_days": self.days < MIN_STUDY_DAYS,
            "too_few_reviews": later < MIN_REVIEWS,
            "too_few_to_predict": further < MIN_PREDICTED,
            "switched": used.switched,
            "unknown_scheduler": used.fsrs is None,
            "fsrs_7": bool(used.fsrs) and used.fsrs_7,
        }
        code = next((code for code, holds in reasons.items() if holds), PASSED)
        return BackTest(code, used.name, self.days, len(self.studied), later, cards, further)


def back_test(
    planned: BackTest,
    past: Fit,
    study: StudyLog,
    period: Period,
    used: SchedulerSettings,
    gone: Bools,
    random: np.random.Generator,
    progress: Progress,
) -> BackTest:
    """Simulate a period from the reviews before it.

    Args:
        planned: the test before it is run.
        past: the memory fitted to the reviews before the period.
        study: the log.
        period: the days to simulate.
        used: the scheduler in use.
        gone: the cards (cards,) that are no longer studied. They count until their last review.
        random: draws cards and parameters.
        progress: of the simulation.
    """
    rows = study.rows
    card, row = period.first_reviews(study)
    if len(card) > MAX_CARDS:
        drawn = np.sort(random.choice(len(card), MAX_CARDS, replace=False))
        card, row = card[drawn], row[drawn]
    ends = study.last_of_day(row)
    begins = np.full(len(study.start), len(rows))
    begins[card] = ends + 1
    is_predicted = np.arange(len(rows)) >= begins[rows.card]
    later = is_predicted & study.later
    size, interval = ends + 1 - study.start[card], study.given(row)
    memory = Memory(past.algorithm, past.draws(DRAWS, random))
    draw = np.repeat(np.arange(DRAWS), len(card))
    start = InitialState(
        begins=rows.day[row] - period.first + interval,
        new=np.zeros(len(card), dtype=bool),
        last=rows.day[row] - period.first,
        interval=interval,
        memory=replay(memory, rows, np.tile(study.start[card], DRAWS), np.tile(size, DRAWS), draw),
        until=np.where(gone[card], rows.day[study.last_row(card)], period.stop - 1) - period.first,
    )
    scheduler = used.scheduler(study, card, ends, size)
    own_habits = habits(study, period.first - RECENT, period.first, period.studied)
    days, seed = period.stop - period.first, int(random.integers(2**31))
    totals = StudySimulation(memory, scheduler, start, own_habits, days, (1, DRAWS), seed).run(progress)
    further = int(later.sum())
    reviews = _foresee(totals.reviews[0], float(further))
    share = float((rows.rating[later] > AGAIN).mean()) if later.any() else 0.0
    remembered = _foresee(totals.remembered[0] / np.maximum(totals.reviews[0], 1), share)
    minutes = _foresee(totals.seconds[0] / 60, float(study.seconds[is_predicted].sum()) / 60)
    ratio, code = reviews.foreseen.value / max(reviews.observed, 1.0), PASSED
    if not BOUNDS[0] <= ratio <= BOUNDS[1]:
        code = "reviews"
    elif abs(remembered.foreseen.value - share) > POINTS and remembered.foreseen.compare_with(share) != 0:
        code = "remembered"
    return replace(
        planned,
        code=code,
        cards=len(card),
        further_reviews=further,
        reviews=reviews,
        remembered=remembered,
        minutes=minutes if study.has_times else None,
        ratio=ratio,
    )


def _foresee(drawn: Floats, observed: float) -> Foreseen:
    interval = prediction_interval(drawn, float(drawn.std(ddof=1)))
    return Foreseen(replace(interval, standard_error=None), observed)

"""Would the simulation have predicted the user's own past? The last fifth of the days of study, card by card."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Optional, Tuple

import numpy as np

from ..data.revlog import Ints
from ..derivatives import Floats
from ..interval import ConfidenceInterval
from ..progress import Progress
from .anki_intervals import AGAIN
from .estimate import DRAWS, T
from .fitted import Fit
from .memories import Memory, replay
from .person import RECENT, Bools, StudyLog, habits
from .result import BackTest, Foreseen
from .scheduler_settings import SchedulerSettings
from .year import Horizon, InitialState, simulate

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
        tested = days[len(days) - int(SHARE * len(days)) :] if len(days) else days
        first = int(tested[0]) if len(tested) else 0
        return cls(first, int(days[-1]) + 1 if len(days) else 0, tested - first, len(days))

    def tested(self, study: StudyLog) -> Tuple[Ints, Ints]:
        """Return the cards reviewed on a later day in the period, and the row of each one's first such review."""
        begin = np.flatnonzero(study.later & (study.rows.day >= self.first))
        card, which = np.unique(study.rows.card[begin], return_index=True)
        return card, begin[which]

    def refusal(self, study: StudyLog, used: SchedulerSettings, living: Ints) -> Optional[BackTest]:
        """Return why nothing can be tested; None if it can."""
        card, _ = self.tested(study)
        further = int((study.later & (study.rows.day >= self.first)).sum()) - len(card)
        later = int(study.later.sum())
        given = study.interval[study.later & (study.rows.rating > AGAIN)]
        reasons = {
            "none_alive": not len(living),
            "no_intervals": len(given) > 0 and (given != 0).mean() < 0.5,
            "too_few_days": self.days < MIN_STUDY_DAYS,
            "too_few_reviews": later < MIN_REVIEWS,
            "too_few_to_predict": further < MIN_PREDICTED,
            "switched": used.switched,
            "unknown_scheduler": used.fsrs is None,
            "fsrs_7": bool(used.fsrs) and used.fsrs_7,
        }
        code = next((code for code, holds in reasons.items() if holds), None)
        if code is None:
            return None
        tested = len(self.studied)
        return BackTest(code, used.name, self.days, tested, later, len(card), further, None, None, None, None)


def back_test(
    past: Fit,
    study: StudyLog,
    period: Period,
    used: SchedulerSettings,
    gone: Bools,
    random: np.random.Generator,
    progress: Progress,
) -> BackTest:
    """Simulate a period from the reviews before it.

    ``past`` is the memory fitted to them; cards ``gone`` since then count until their last review.
    """
    rows = study.rows
    card, row = period.tested(study)
    if len(card) > MAX_CARDS:
        some = np.sort(random.choice(len(card), MAX_CARDS, replace=False))
        card, row = card[some], row[some]
    ends = study.last_of_day(row)
    begins = np.full(len(study.start), len(rows))
    begins[card] = ends + 1
    ours = np.arange(len(rows)) >= begins[rows.card]
    later = ours & study.later
    size = ends + 1 - study.start[card]
    last_row = study.start[card] + study.size[card] - 1
    interval = study.given(row)
    memory = Memory(past.algorithm, past.draws(DRAWS, random))
    draw = np.repeat(np.arange(DRAWS), len(card))
    start = InitialState(
        begins=rows.day[row] - period.first + interval,
        new=np.zeros(len(card), dtype=bool),
        last=rows.day[row] - period.first,
        interval=interval,
        memory=replay(memory, rows, np.tile(study.start[card], DRAWS), np.tile(size, DRAWS), draw),
        until=np.where(gone[card], rows.day[last_row], period.stop - 1) - period.first,
    )
    totals = simulate(
        memory,
        used.scheduler(study, card, ends, size),
        start,
        habits(study, period.first - RECENT, period.first, period.studied),
        Horizon(period.stop - period.first),
        (1, DRAWS),
        int(random.integers(2**31)),
        progress,
    )
    further = int(later.sum())
    reviews = _foreseen(totals.reviews[0], float(further))
    share = float((rows.rating[later] > AGAIN).mean()) if later.any() else 0.0
    remembered = _foreseen(totals.remembered[0] / np.maximum(totals.reviews[0], 1), share)
    observed = float(study.seconds[ours].sum()) / 60
    minutes = _foreseen(totals.seconds[0] / 60, observed) if study.has_times else None
    ratio = reviews.foreseen.value / max(reviews.observed, 1.0)
    code = "passed"
    if not BOUNDS[0] <= ratio <= BOUNDS[1]:
        code = "reviews"
    elif abs(remembered.foreseen.value - share) > POINTS and remembered.foreseen.compare_with(share) != 0:
        code = "remembered"
    days, tested, all_later = period.days, len(period.studied), int(study.later.sum())
    return BackTest(code, used.name, days, tested, all_later, len(card), further, reviews, remembered, minutes, ratio)


def _foreseen(values: Floats, observed: float) -> Foreseen:
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    reach = T * sd * sqrt(1 + 1 / DRAWS)
    return Foreseen(ConfidenceInterval(mean, mean - reach, mean + reach), observed)

"""Would the simulation have foreseen the person's own past? The last fifth of the days of study, card by card."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Optional, Tuple

import numpy as np

from ..derivatives import Floats
from ..interval import Interval
from ..progress import Progress
from ..revlog import Ints
from .estimate import DRAWS, T
from .fitted import Fit, Paces
from .in_use import InUse
from .intervals import AGAIN
from .memories import memory_of, replay
from .person import RECENT, Alive, Bools, Study, habits
from .result import BackTest, Foreseen
from .year import Start, simulate

#: The share of the days of study that is tested on, and the least number of them.
SHARE, LEAST_DAYS = 0.2, 30
#: Fewer later-day reviews to foresee say nothing.
LEAST_REVIEWS = 50
#: How far the simulation may be off: simulated / observed reviews.
BOUNDS = (0.8, 1.25)
#: Cards that are simulated at most.
MOST_CARDS = 1000


@dataclass(frozen=True)
class Period:
    """The days that are tested on."""

    first: int
    stop: int
    studied: Ints  #: days of study, from ``first`` on

    @classmethod
    def of(cls, study: Study) -> Period:
        days = np.unique(study.rows.day)
        tested = days[len(days) - int(SHARE * len(days)) :] if len(days) else days
        first = int(tested[0]) if len(tested) else 0
        return cls(first, int(days[-1]) + 1 if len(days) else 0, tested - first)

    def tested(self, study: Study) -> Tuple[Ints, Ints]:
        """The cards that were reviewed on a later day in the period, and the row of each one's first such review."""
        begin = np.flatnonzero(study.later & (study.rows.day >= self.first))
        card, which = np.unique(study.rows.card[begin], return_index=True)
        return card, begin[which]

    def refusal(self, study: Study, used: InUse, living: Alive) -> Optional[BackTest]:
        """Why nothing can be tested; None where it can."""
        card, _ = self.tested(study)
        further = study.later & (study.rows.day >= self.first)
        shown = study.interval[study.later & study.of_review & (study.rows.rating > AGAIN)]
        reasons = {
            "none_alive": not len(living.card),
            "no_intervals": not len(shown) or (shown > 0).mean() < 0.5,
            "too_few_days": len(self.studied) < LEAST_DAYS,
            "too_few_reviews": further.sum() - len(card) < LEAST_REVIEWS,
            "switched": used.switched,
            "unknown_scheduler": used.fsrs is None,
            "fsrs_7": bool(used.fsrs) and used.fsrs_7,
        }
        code = next((code for code, holds in reasons.items() if holds), None)
        return None if code is None else BackTest(code, used.name, len(self.studied), len(card), None, None, None, None)


def back_test(
    past: Fit,
    paces: Paces,
    study: Study,
    period: Period,
    used: InUse,
    gone: Bools,
    random: np.random.Generator,
    progress: Progress,
) -> BackTest:
    """Simulate a period by what was known before it.

    Args:
        past: a memory, fitted to what came before the period.
        paces: of its cards.
        study: the whole log.
        period: tested on.
        used: the scheduler.
        gone: of each card, whether it was deleted, suspended or buried since: then it is looked at to its last review.
        random: where chance comes from.
        progress: is told how far it is.
    """
    rows = study.rows
    card, row = period.tested(study)
    if len(card) > MOST_CARDS:
        some = np.sort(random.choice(len(card), MOST_CARDS, replace=False))
        card, row = card[some], row[some]
    ends = study.last_of_day(row)
    begins = np.full(len(study.start), len(rows))
    begins[card] = ends + 1
    ours = np.arange(len(rows)) >= begins[rows.card]
    later = ours & study.later
    size = ends + 1 - study.start[card]
    last_row = study.start[card] + study.size[card] - 1
    interval = study.given(row)
    memory = memory_of(past.algorithm, past.draws(DRAWS, random))
    units, draw = np.tile(np.arange(len(card)), DRAWS), np.repeat(np.arange(DRAWS), len(card))
    start = Start(
        begins=rows.day[row] - period.first + interval,
        new=np.zeros(len(card), dtype=bool),
        last=rows.day[row] - period.first,
        interval=interval,
        memory=replay(memory, study.first_rows(card, size), units, draw),
        pace=paces.drawn(card, DRAWS, random),
        until=np.where(gone[card], rows.day[last_row], period.stop - 1) - period.first,
    )
    totals = simulate(
        memory,
        used.scheduler(study, card, ends, size),
        start,
        habits(study, period.first - RECENT, period.first, period.studied),
        period.stop - period.first,
        draws=DRAWS,
        seed=int(random.integers(2**31)),
        counted_from=0,
        look=False,
        progress=progress,
    )
    reviews = _foreseen(totals.reviews[0], float(later.sum()))
    share = float((rows.rating[later] > AGAIN).mean()) if later.any() else 0.0
    remembered = _foreseen(totals.remembered[0] / np.maximum(totals.reviews[0], 1), share)
    minutes = _foreseen(totals.seconds[0] / 60, float(study.seconds[ours].sum()) / 60)
    ratio = reviews.foreseen.known / max(reviews.observed, 1.0)
    low, high = reviews.foreseen.ends or (-np.inf, np.inf)
    reasons = {
        "reviews": not (BOUNDS[0] <= ratio <= BOUNDS[1] and _holds(reviews)),
        "remembered": not _holds(remembered),
        "too_wide": low < BOUNDS[0] * reviews.observed or high > BOUNDS[1] * reviews.observed,
    }
    code = next((code for code, holds in reasons.items() if holds), "passed")
    return BackTest(code, used.name, len(period.studied), len(card), reviews, remembered, minutes, ratio)


def _foreseen(values: Floats, observed: float) -> Foreseen:
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    reach = T * sd * sqrt(1 + 1 / DRAWS)
    return Foreseen(Interval(mean, mean - reach, mean + reach), observed)


def _holds(one: Foreseen) -> bool:
    low, high = one.foreseen.ends or (-np.inf, np.inf)
    return low <= one.observed <= high

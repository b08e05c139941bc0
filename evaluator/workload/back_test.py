"""Would the simulation have foreseen the person's own past? The last fifth of the days of study, card by card."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Optional, Sequence

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..derivatives import Floats
from ..interval import Interval
from ..progress import SILENT, Progress
from ..revlog import Ints, Preset, Sm2Settings
from ..sections.workload import BackTest, Foreseen
from ..statistics.student_t import student_t_quantile
from .memories import Memory, RecurrentMemory, Rows, replay
from .person import RECENT, Bools, Study, habits, studied_days
from .schedulers import Fsrs, Scheduler, Sm2
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
class InUse:
    """The scheduler that was really in use, with the settings of each preset."""

    fsrs: bool
    sm2: Sequence[Sm2Settings]
    w: Floats  #: (P, presets) of FSRS-6
    desired_retention: Floats  #: (presets,)
    preset: Ints  #: of each card of the study, an index

    def scheduler(self, study: Study, card: Ints, row: Ints, size: Ints) -> Scheduler:
        """The scheduler with its view of these cards, of each after the first ``size`` of its rows, ``row`` the last."""
        preset = self.preset[card]
        if not self.fsrs:
            return Sm2(self.sm2, preset, eases(study, row, np.array([one.starting_ease for one in self.sm2])[preset]))
        units = np.arange(len(card))
        state = replay(RecurrentMemory(FSRS_6, self.w), rows_of(study, card, size), units, preset)
        longest = max(one.longest_interval for one in self.sm2)
        return Fsrs(self.w, self.desired_retention, state, longest=longest, preset=preset)


def eases(study: Study, row: Ints, starting: Floats) -> Ints:
    """The ease of cards in permille after these rows; where the log does not hold one, the starting ease."""
    factor = study.factor[row]
    return np.where(factor >= 1300, factor, np.round(1000 * starting)).astype(np.int64)


def rows_of(study: Study, card: Ints, size: Ints) -> Rows:
    """The first ``size`` rows of each of these cards."""
    rows = study.rows
    return Rows(study.start[card], size, rows.rating, rows.elapsed_days, rows.elapsed_seconds / 86_400)


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


def back_test(
    memory: Memory,
    pace: Floats,
    draws: int,
    study: Study,
    period: Period,
    in_use: InUse,
    gone: Bools,
    *,
    seed: int,
    progress: Progress = SILENT,
) -> BackTest:
    """Simulate a period by what was known before it.

    Args:
        memory: with ``draws`` draws, fitted to what came before the period.
        pace: (draws, paces) to draw the pace of each card from.
        study: the whole log.
        period: tested on.
        in_use: the scheduler.
        gone: of each card, whether it was deleted, suspended or buried since: then it is looked at to its last review.
        seed: of chance.
    """
    rows, name = study.rows, "FSRS-6" if in_use.fsrs else "SM-2"
    tested = study.later & (rows.day >= period.first)
    card_of = rows.card
    begin = np.flatnonzero(tested)
    card, which = np.unique(card_of[begin], return_index=True)
    row = begin[which]

    def fails(code: str) -> BackTest:
        return BackTest(code, name, len(period.studied), len(card), None, None, None, None)

    if len(period.studied) < LEAST_DAYS:
        return fails("too_few_days")
    random = np.random.default_rng(seed)
    if len(card) > MOST_CARDS:
        some = np.sort(random.choice(len(card), MOST_CARDS, replace=False))
        card, row = card[some], row[some]
    ends = study.last_of_day(row)
    further = np.zeros(len(study.start), dtype=np.int64)
    further[card] = ends + 1
    is_ours = (further[card_of] > 0) & (np.arange(len(rows)) >= further[card_of])
    later = is_ours & study.later
    if later.sum() < LEAST_REVIEWS:
        return fails("too_few_reviews")
    size = ends + 1 - study.start[card]
    units_card, draw = np.tile(np.arange(len(card)), draws), np.repeat(np.arange(draws), len(card))
    last_row = study.start[card] + study.size[card] - 1
    until = np.where(gone[card], rows.day[last_row], period.stop - 1) - period.first
    interval = study.given(row)
    start = Start(
        begins=rows.day[row] - period.first + interval,
        new=np.zeros(len(card), dtype=bool),
        last=rows.day[row] - period.first,
        interval=interval,
        memory=replay(memory, rows_of(study, card, size), units_card, draw),
        pace=pace,
        until=until,
    )
    totals = simulate(
        memory,
        in_use.scheduler(study, card, ends, size),
        start,
        habits(study, period.first - RECENT, period.first, period.studied),
        period.stop - period.first,
        draws=draws,
        seed=seed,
        counted_from=0,
        look=False,
        progress=progress,
    )
    reviews = _foreseen(totals.reviews[0], float(later.sum()))
    remembered = _foreseen(totals.remembered[0] / np.maximum(totals.reviews[0], 1), float((rows.rating[later] > 1).mean()))
    minutes = _foreseen(totals.seconds[0] / 60, float(study.seconds[is_ours].sum()) / 60)
    ratio = reviews.foreseen.known / reviews.observed
    code = "passed"
    ends_of = reviews.foreseen.ends or (0.0, np.inf)
    if not BOUNDS[0] <= ratio <= BOUNDS[1] or not _holds(reviews):
        code = "reviews"
    elif not _holds(remembered):
        code = "remembered"
    elif ends_of[0] < BOUNDS[0] * reviews.observed or ends_of[1] > BOUNDS[1] * reviews.observed:
        code = "too_wide"
    return BackTest(code, name, len(period.studied), len(card), reviews, remembered, minutes, ratio)


def _foreseen(values: Floats, observed: float) -> Foreseen:
    mean, sd, count = float(values.mean()), float(values.std(ddof=1)), len(values)
    reach = student_t_quantile(0.975, count - 1) * sd * sqrt(1 + 1 / count)
    return Foreseen(Interval(mean, mean - reach, mean + reach), observed)


def _holds(one: Foreseen) -> bool:
    low, high = one.foreseen.ends or (-np.inf, np.inf)
    return low <= one.observed <= high

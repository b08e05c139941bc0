"""The year ahead under each scheduler: the reviews, the cards remembered, and how schedulers compare."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, exp, sqrt
from typing import Iterator, Sequence, Tuple

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..data.dataset import Dataset
from ..data.revlog import Ints
from ..derivatives import Floats
from ..interval import OUT_OF_REACH, ConfidenceInterval
from ..progress import Progress
from ..statistics.student_t import student_t_quantile
from .fitted import fit
from .memory_draws import Memory, State, replay
from .person import RECENT, StudyLog, habits
from .result import FSRS, SM_2, WORK, Load, Workload
from .scheduler_settings import SchedulerSettings
from .schedulers import FsrsScheduler, Scheduler
from .slips import SLIPPING_FSRS_6
from .year import InitialState, StudyHabits, StudySimulation, Totals

#: Desired retentions of the curve, besides the user's own. The first is not shown: with SM-2 some know as little.
DESIRED = (0.60, 0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 0.97)
HORIZON = 365
#: Earlier days are not counted: until then, the old scheduler's intervals still show.
COUNTED_FROM = 30
#: Maximum number of simulated cards.
MAX_CARDS = 500
SEED = 2026
#: Number of draws of the memory's parameters; further runs at the fitted ones measure chance.
DRAWS, REPEATS = 30, 6
T = student_t_quantile(0.975, DRAWS - 1)
#: Minimum number of draws that reach the other scheduler's knowledge for a comparison.
MIN_DRAWS = 24
#: Added error of the logarithm of a ratio, because memory and scheduler were fitted to the same reviews and are
#: never exactly right: without it, the intervals contained the truth for 89% of simulated people.
MODEL_ERROR = 0.01


@dataclass(frozen=True)
class YearSetup:
    """The cards and habits with which the year begins, the same for all memories and schedulers."""

    study: StudyLog
    in_use: SchedulerSettings
    card: Ints  #: the cards of the log that are simulated, as numbers of the study
    new: int  #: number of additional new cards, spread over the year
    share: float  #: share of all active or new cards that are simulated
    habits: StudyHabits
    today: int

    @classmethod
    def of(cls, study: StudyLog, in_use: SchedulerSettings, living: Ints, today: int, *, keeps_up: bool) -> YearSetup:
        """Return the year after ``today``, with the cards that are studied and the habits of the recent days.

        Users who do not keep up answer as many reviews a day as in these days, in their preset's order.
        """
        day, first = study.rows.day, today - RECENT + 1
        recent = np.unique(day[(day >= first) & (day <= today)]) - first
        studied = np.concatenate([recent + RECENT * turn for turn in range(ceil(HORIZON / RECENT))])
        studied = studied[studied < HORIZON]
        new = round(int((day[study.start] >= first).sum()) / RECENT * HORIZON)
        share = min(1.0, MAX_CARDS / max(len(living) + new, 1))
        drawn = min(len(living), max(1, round(share * len(living))))
        card = np.sort(np.random.default_rng(SEED).choice(living, drawn, replace=False))
        own_habits = habits(study, first, today + 1, studied)
        if not keeps_up:
            reviews = np.bincount(day[study.later & (day >= first)] - first, minlength=RECENT)[recent] * share
            reviews = np.tile(reviews, ceil(HORIZON / RECENT))[: len(studied)]
            own_habits = replace(
                own_habits,
                delays=np.zeros(1, dtype=np.int64),
                most_a_day=np.diff(np.round(np.cumsum(reviews)), prepend=0).astype(np.int64),
                order=int(in_use.order[in_use.most_used]),
            )
        return cls(study, in_use, card, round(share * new), share, own_habits, today)

    def start(self, memory: Memory, draws: int) -> InitialState:
        """Return the state of all cards at the start of the year, with their memory by each draw."""
        row, cards = self.study.last_row(self.card), len(self.card) + self.new
        none = np.zeros(self.new, dtype=np.int64)
        interval = np.concatenate([self.study.given(row), none])
        last = np.concatenate([self.study.rows.day[row] - self.today - 1, none])
        due = last + interval
        due[len(self.card) :] = (np.arange(self.new) + 0.5) / max(self.new, 1) * HORIZON
        return InitialState(due, np.arange(cards) >= len(self.card), last, interval, self._states(memory, draws))

    def _states(self, memory: Memory, draws: int) -> State:
        """Return each draw's memory state of the cards, (draws * cards, ...). New ones get a placeholder."""
        start, size, many = self.study.start[self.card], self.study.size[self.card], len(self.card)
        draw = np.repeat(np.arange(draws), many)
        result = []
        for column in replay(memory, self.study.rows, np.tile(start, draws), np.tile(size, draws), draw):
            by_draw, shape = column.reshape(draws, many, *column.shape[1:]), column.shape[1:]
            blank = np.ones((draws, self.new, *shape), dtype=column.dtype)
            result.append(np.concatenate([by_draw, blank], axis=1).reshape(-1, *shape))
        return tuple(result)

    def sm2(self) -> Scheduler:
        """Return SM-2 with the presets' settings."""
        return self.in_use.sm2_scheduler(self.study, self.card, self.study.last_row(self.card), self.new)

    def fsrs(self, w: Floats, desired_retention: Floats, draws: int) -> Scheduler:
        """Return FSRS-6 at these desired retentions (variants,), with parameters w (P, 1)."""
        groups = len(desired_retention) * draws
        state = tuple(np.tile(column, (groups, 1)) for column in self._states(Memory(FSRS_6, w), 1))
        return FsrsScheduler(w, np.repeat(desired_retention, draws), state, self.in_use.longest)

    def run(
        self, memory: Memory, start: InitialState, scheduler: Scheduler, shape: Tuple[int, int], progress: Progress
    ) -> Totals:
        """Return the year under one scheduler with this number of variants, by this number of draws."""
        simulation = StudySimulation(memory, scheduler, start, self.habits, HORIZON, shape, SEED, COUNTED_FROM)
        return simulation.run(progress)


def forecast_year(forecast: Workload, ahead: YearSetup, data: Dataset, progress: Progress) -> Workload:
    """Add the loads, the ratio and the equal retention to a forecast whose back-test was passed."""
    reviews = len(data.reviews)
    w = fit(FSRS_6, data, reviews, progress.part(0.0, 0.2)).w
    fitted = fit(SLIPPING_FSRS_6, data, reviews, progress.part(0.2, 0.4))
    drawn = fitted.draws(DRAWS, np.random.default_rng(SEED)), np.repeat(fitted.w[:, None], REPEATS, axis=1)
    memory, draws = Memory(fitted.algorithm, np.concatenate(drawn, axis=1)), DRAWS + REPEATS
    own_desired, missed = forecast.desired_retention, forecast.back_test.ratio
    desired = sorted({*DESIRED, own_desired})
    start, scheduler = ahead.start(memory, draws), ahead.fsrs(w[:, None], np.array(desired), draws)
    sm2 = ahead.run(memory, start, ahead.sm2(), (1, draws), progress.part(0.5, 0.6))
    fsrs = ahead.run(memory, start, scheduler, (len(desired), draws), progress.part(0.6, 1.0))
    if forecast.question == WORK:
        ratio = ratio_of(log_review_ratio(sm2, fsrs))
        retention = np.repeat(np.array(desired)[:, None], draws, axis=1)
        equal_retention = with_interval(interpolate_curve(fsrs.known, retention, sm2.known[0])).estimate
    else:
        ratio = ratio_of(np.log(fsrs.known[desired.index(own_desired)] / sm2.known[0]))
        equal_retention = None
    missed_by = max(missed, 1 / missed) if missed else 1.0
    has_times, least = ahead.study.has_times, min(own_desired, DESIRED[1])
    years = yearly_loads(ahead.share, fsrs, desired, missed_by, has_times=has_times)
    shown = (year for year in years if year.desired_retention is not None and year.desired_retention >= least)
    all_loads = (*yearly_loads(ahead.share, sm2, (), missed_by, has_times=has_times), *shown)
    return replace(forecast, loads=all_loads, ratio=ratio, equal_retention=equal_retention)


def log_review_ratio(sm2: Totals, fsrs: Totals) -> Floats:
    """Return ln(FSRS / SM-2 reviews) at equal knowledge, (draws,), or NaN outside FSRS's curve.

    Shapes of the totals: SM-2 (1, draws), FSRS (desired retentions, draws).
    """
    logarithm: Floats = interpolate_curve(fsrs.known, np.log(fsrs.reviews), sm2.known[0]) - np.log(sm2.reviews[0])
    return logarithm


def interpolate_curve(x: Floats, y: Floats, at: Floats) -> Floats:
    """Return y where x = ``at`` (draws,), on the part of each draw's curve that rises from its lowest x.

    Both x and y are (variants, draws).
    """
    result = np.full(len(at), np.nan)
    for draw in range(len(at)):
        lowest = int(np.argmin(x[:, draw]))
        rising = np.maximum.accumulate(x[lowest:, draw])
        keep = lowest + np.flatnonzero(np.diff(rising, prepend=-np.inf) > 0)
        if x[keep[0], draw] <= at[draw] <= x[keep[-1], draw]:
            result[draw] = np.interp(at[draw], x[keep, draw], y[keep, draw])
    return result


def with_interval(values: Floats) -> ConfidenceInterval:
    """Return the mean of the draws with its 95% interval, from values (DRAWS + REPEATS,) with the repeats last.

    mean +- t(29) sd sqrt(1 + 1 / 30). The variance of the repeats, which is due to chance alone, is subtracted from
    that of the draws, but the result is at least that of the repeats.
    """
    drawn, repeated = (part[np.isfinite(part)] for part in (values[:DRAWS], values[DRAWS:]))
    if len(drawn) < MIN_DRAWS or len(repeated) < 2:
        return ConfidenceInterval(None, reason=OUT_OF_REACH)
    chance = float(np.var(repeated, ddof=1))
    return prediction_interval(drawn, sqrt(max(float(np.var(drawn, ddof=1)) - chance, chance)))


def prediction_interval(drawn: Floats, sd: float) -> ConfidenceInterval:
    """Return the mean of the draws with the 95% interval of a further value."""
    mean, reach = float(drawn.mean()), T * sd * sqrt(1 + 1 / len(drawn))
    return ConfidenceInterval(mean, mean - reach, mean + reach, sd)


def ratio_of(logarithms: Floats) -> ConfidenceInterval:
    """Return the ratio with its 95% interval, from its logarithm in each draw, widened by :data:`MODEL_ERROR`."""
    interval = with_interval(logarithms)
    if interval.low_high is None:
        return interval
    low, high = interval.low_high
    return ConfidenceInterval(exp(interval.value), exp(low - MODEL_ERROR), exp(high + MODEL_ERROR))


def yearly_loads(
    share: float, totals: Totals, desired_retention: Sequence[float], missed_by: float, *, has_times: bool = True
) -> Iterator[Load]:
    """Yield the load of a year at each desired retention, or under SM-2 if there is none.

    Args:
        share: of the cards that are simulated.
        totals: of these.
        desired_retention: of each variant.
        missed_by: the factor by which intervals are widened.
        has_times: False: there are no minutes, as answer times are not known.
    """
    days = HORIZON - COUNTED_FROM
    for variant, known in enumerate(totals.known):
        reviews, minutes = (
            _widen(with_interval(total[variant] / days / share), missed_by)
            for total in (totals.reviews, totals.seconds / 60)
        )
        remembered = with_interval(totals.remembered[variant] / np.maximum(totals.reviews[variant], 1))
        scheduler, desired = (FSRS, desired_retention[variant]) if desired_retention else (SM_2, None)
        minutes_if_known = minutes if has_times else None
        yield Load(scheduler, desired, reviews, minutes_if_known, with_interval(known / share), remembered)


def _widen(interval: ConfidenceInterval, factor: float) -> ConfidenceInterval:
    if interval.low_high is None:
        return interval
    low, high = interval.low_high
    return ConfidenceInterval(interval.value, max(low, 0.0) / factor, high * factor)

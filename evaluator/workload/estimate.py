"""The year ahead under each scheduler: the reviews, the cards remembered, and how schedulers compare."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, sqrt
from typing import List, Optional, Sequence

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..data.revlog import Ints
from ..derivatives import Floats
from ..interval import OUT_OF_REACH, ConfidenceInterval
from ..progress import SILENT, Progress
from ..statistics.student_t import student_t_quantile
from .memories import Memory, State, replay
from .person import StudyLog
from .result import FSRS, SM_2, Load
from .scheduler_settings import SchedulerSettings, eases
from .schedulers import FsrsScheduler, Scheduler, Sm2Scheduler
from .year import COUNTED_FROM, Horizon, InitialState, StudyHabits, Totals, simulate

#: Desired retentions of the curve, besides the user's own. The first is not shown: with SM-2 some know as little.
DESIRED = (0.60, 0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 0.97)
HORIZON = 365
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
    most_a_day: Optional[Ints]  #: later-day reviews on each studied day; None: all that are due
    today: int
    longest: int  #: interval that FSRS gives
    seed: int

    @property
    def cards(self) -> int:
        """Number of simulated cards, new ones included."""
        return len(self.card) + self.new

    def start(self, memory: Memory, draws: int) -> InitialState:
        """Return the state of all cards at the start of the year, with their memory by each draw."""
        study, size = self.study, self.study.size[self.card]
        row = study.start[self.card] + size - 1
        interval = np.concatenate([study.given(row), np.zeros(self.new, dtype=np.int64)])
        last = np.concatenate([study.rows.day[row] - self.today - 1, np.zeros(self.new, dtype=np.int64)])
        due = last + interval
        due[len(self.card) :] = (np.arange(self.new) + 0.5) / max(self.new, 1) * HORIZON
        return InitialState(due, np.arange(self.cards) >= len(self.card), last, interval, self._states(memory, draws))

    def _states(self, memory: Memory, draws: int) -> State:
        """Return each draw's memory state of the cards, (draws * cards, ...); new ones get a placeholder."""
        start, size, many = self.study.start[self.card], self.study.size[self.card], len(self.card)
        draw = np.repeat(np.arange(draws), many)
        result = []
        for column in replay(memory, self.study.rows, np.tile(start, draws), np.tile(size, draws), draw):
            of_draw = column.reshape(draws, many, *column.shape[1:])
            blank = np.ones((draws, self.new, *column.shape[1:]), dtype=column.dtype)
            result.append(np.concatenate([of_draw, blank], axis=1).reshape(draws * self.cards, *column.shape[1:]))
        return tuple(result)

    def sm2(self) -> Scheduler:
        """Return SM-2 with the presets' settings; a card of unknown ease has the starting ease."""
        study, settings = self.study, self.in_use.sm2
        starting = np.array([setting.starting_ease for setting in settings])
        preset = np.concatenate([self.in_use.preset[self.card], np.full(self.new, self.in_use.most_used)])
        row = study.start[self.card] + study.size[self.card] - 1
        ease = np.concatenate([eases(study, row, starting[preset[: len(row)]]), 1000 * starting[preset[len(row) :]]])
        return Sm2Scheduler(settings, preset, ease.astype(np.int64))

    def fsrs(self, w: Floats, desired_retention: Floats, draws: int) -> Scheduler:
        """Return FSRS-6 at these desired retentions (variants,), with parameters w (P, 1)."""
        groups = len(desired_retention) * draws
        state = tuple(np.tile(column, (groups, 1)) for column in self._states(Memory(FSRS_6, w), 1))
        return FsrsScheduler(w, np.repeat(desired_retention, draws), state, self.longest)

    def run(
        self,
        memory: Memory,
        start: InitialState,
        scheduler: Scheduler,
        draws: int,
        variants: int,
        progress: Progress = SILENT,
    ) -> Totals:
        """Return the year under one scheduler."""
        year = Horizon(HORIZON, COUNTED_FROM, self.most_a_day)
        return simulate(memory, scheduler, start, self.habits, year, (variants, draws), self.seed, progress)


def log_review_ratio(sm2: Totals, fsrs: Totals) -> Floats:
    """Return ln(FSRS / SM-2 reviews) at equal knowledge, (draws,); NaN outside FSRS's curve.

    Shapes of the totals: SM-2 (1, draws), FSRS (desired retentions, draws).
    """
    logarithm: Floats = interpolate_curve(fsrs.known, np.log(fsrs.reviews), sm2.known[0]) - np.log(sm2.reviews[0])
    return logarithm


def interpolate_curve(x: Floats, y: Floats, at: Floats) -> Floats:
    """Return y at x = ``at`` for each draw, on the curve's part from the lowest x on; x, y (variants, draws)."""
    result = np.full(len(at), np.nan)
    for draw in range(len(at)):
        lowest = int(np.argmin(x[:, draw]))
        rising = np.maximum.accumulate(x[lowest:, draw])
        keep = lowest + np.flatnonzero(np.diff(rising, prepend=-np.inf) > 0)
        if x[keep[0], draw] <= at[draw] <= x[keep[-1], draw]:
            result[draw] = np.interp(at[draw], x[keep, draw], y[keep, draw])
    return result


def with_interval(values: Floats) -> ConfidenceInterval:
    """Return the mean of the draws with its 95% interval; values (DRAWS + REPEATS,), the repeats last.

    mean +- t(29) sd sqrt(1 + 1 / 30). The variance of the repeats, which is due to chance alone, is subtracted from
    that of the draws; the result is at least that of the repeats.
    """
    of_draws, of_chance = values[:DRAWS], values[DRAWS:]
    of_draws, of_chance = of_draws[np.isfinite(of_draws)], of_chance[np.isfinite(of_chance)]
    if len(of_draws) < MIN_DRAWS or len(of_chance) < 2:
        return ConfidenceInterval(None, reason=OUT_OF_REACH)
    chance = float(np.var(of_chance, ddof=1))
    sd = sqrt(max(float(np.var(of_draws, ddof=1)) - chance, chance))
    mean, reach = float(of_draws.mean()), T * sd * sqrt(1 + 1 / len(of_draws))
    return ConfidenceInterval(mean, mean - reach, mean + reach, sd)


def ratio_of(logarithms: Floats) -> ConfidenceInterval:
    """Return the ratio with its 95% interval, from its logarithm in each draw, widened by :data:`MODEL_ERROR`."""
    of = with_interval(logarithms)
    return (
        of
        if of.low_high is None
        else ConfidenceInterval(exp(of.value), exp(of.low_high[0] - MODEL_ERROR), exp(of.low_high[1] + MODEL_ERROR))
    )


def loads(
    share: float, totals: Totals, desired_retention: Sequence[float], missed_by: float, *, has_times: bool = True
) -> List[Load]:
    """Return the load of a year at each desired retention, or under SM-2; no minutes without answer times.

    ``totals`` are of a share of the cards, ``share``; intervals are widened by the factor ``missed_by``.
    """
    result, days = [], HORIZON - COUNTED_FROM
    for number in range(len(totals.known)):
        reviews, minutes = (
            _wider(with_interval(of[number] / days / share), missed_by) for of in (totals.reviews, totals.seconds / 60)
        )
        known = with_interval(totals.known[number] / share)
        remembered = with_interval(totals.remembered[number] / np.maximum(totals.reviews[number], 1))
        desired = desired_retention[number] if desired_retention else None
        scheduler = SM_2 if desired is None else FSRS
        result.append(Load(scheduler, desired, reviews, minutes if has_times else None, known, remembered))
    return result


def _wider(of: ConfidenceInterval, factor: float) -> ConfidenceInterval:
    return (
        of
        if of.low_high is None
        else ConfidenceInterval(of.value, max(of.low_high[0], 0.0) / factor, of.low_high[1] * factor)
    )

"""The year ahead under each scheduler: reviews, remembered cards, and how the schedulers compare."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, exp, sqrt
from typing import Iterator, Sequence, Tuple

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..data.revlog import Ints
from ..derivatives import Floats
from ..interval import OUT_OF_REACH, ConfidenceInterval
from ..progress import Progress
from ..statistics.student_t import student_t_quantile
from .fitted import SLIPPING_FSRS_6, fit
from .inputs import WorkloadInputs
from .memory_draws import Memory, State, replay
from .person import MIN_ON_TIME_SHARE, RECENT, study_habits
from .result import FSRS, SM_2, WORK, Load, Workload
from .schedulers import FsrsScheduler, Scheduler
from .year import InitialState, StudyHabits, StudySimulation, Totals

#: Desired retentions of the curve, besides the user's own. The first is not shown, but the curve must reach it, because
#: with SM-2 some users know as few cards.
DESIRED_RETENTIONS = (0.60, 0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 0.97)
#: Number of simulated days.
HORIZON = 365
#: The first day that counts. Before it, the intervals of the old scheduler still show.
COUNTED_FROM = 30
#: Maximum number of simulated cards.
MAX_CARDS = 500
#: Seed of the sample of cards, of the draws and of the simulation.
SEED = 2026
#: Number of draws of the memory's parameters.
DRAWS = 30
#: Number of additional runs at the fitted parameters, which differ by chance alone.
REPEATS = 6
#: Quantile of Student's t for a 95% interval of the draws.
T_QUANTILE = student_t_quantile(DRAWS - 1)
#: Minimum number of draws in which FSRS can lead to as many known cards as SM-2, for a comparison.
MIN_DRAWS = 24
#: Added error of the logarithm of a ratio. Memory and scheduler are fitted to the same reviews and are never exactly
#: right. Without this error, the intervals contained the truth for only 89% of simulated users.
MODEL_ERROR = 0.01


@dataclass(frozen=True)
class YearSetup:
    """The cards and habits with which the year begins, the same for all memories and schedulers."""

    inputs: WorkloadInputs
    card: Ints  #: the numbers of the simulated cards of the log
    n_new: int  #: number of simulated new cards, spread over the year
    share: float  #: share of all active and new cards that are simulated
    habits: StudyHabits

    @classmethod
    def of(cls, inputs: WorkloadInputs) -> YearSetup:
        """Return the year after today with a sample of the active cards and the habits of the recent days.

        Users who do not keep up answer as many reviews a day as in these days, in their preset's order.
        """
        study = inputs.study
        active = inputs.active
        today = inputs.today
        day = study.rows.day
        start = today - RECENT + 1
        recent_days = np.unique(day[day >= start]) - start
        periods = ceil(HORIZON / RECENT)
        study_days = np.concatenate([recent_days + RECENT * period for period in range(periods)])
        study_days = study_days[study_days < HORIZON]
        n_new = round(int((day[study.start] >= start).sum()) / RECENT * HORIZON)
        share = min(1.0, MAX_CARDS / max(len(active) + n_new, 1))
        sample_size = min(len(active), max(1, round(share * len(active))))
        card = np.sort(np.random.default_rng(SEED).choice(active, sample_size, replace=False))
        habits = study_habits(study, today + 1, study_days)
        if inputs.on_time < MIN_ON_TIME_SHARE:
            review_days = day[study.is_later_day & (day >= start)] - start
            daily_reviews = np.bincount(review_days, minlength=RECENT)[recent_days] * share
            daily_reviews = np.tile(daily_reviews, periods)[: len(study_days)]
            habits = replace(
                habits,
                delays=np.zeros(1, dtype=np.int64),
                max_reviews=np.diff(np.round(np.cumsum(daily_reviews)), prepend=0).astype(np.int64),
                review_order=int(inputs.settings.review_order[inputs.settings.most_used]),
            )
        return cls(inputs, card, round(share * n_new), share, habits)

    def initial_state(self, memory: Memory) -> InitialState:
        """Return the state of all cards at the start of the year, with their memory by each draw."""
        study = self.inputs.study
        n_cards = len(self.card) + self.n_new
        row = study.last_row(self.card)
        interval = np.pad(study.given_interval(row), (0, self.n_new))
        last_day = np.pad(study.rows.day[row] - self.inputs.today - 1, (0, self.n_new))
        due = last_day + interval
        due[len(self.card) :] = (np.arange(self.n_new) + 0.5) / max(self.n_new, 1) * HORIZON
        is_new = np.arange(n_cards) >= len(self.card)
        until = np.full(n_cards, HORIZON)
        return InitialState(due, is_new, last_day, interval, self._states(memory), until)

    def _states(self, memory: Memory) -> State:
        """Return the memory state of the cards by each draw, (draws * cards, ...).

        That of new cards, which their first answer overwrites, is the state after the first row of the log.
        """
        study = self.inputs.study
        start = np.pad(study.start[self.card], (0, self.n_new))
        size = np.pad(study.size[self.card], (0, self.n_new), constant_values=1)
        return replay(memory, study.rows, start, size, np.repeat(np.arange(memory.n_draws), len(start)))

    def sm2_scheduler(self, draws: int) -> Scheduler:
        """Return SM-2 with the presets' settings, for all cards by each of the ``draws`` of the memory."""
        study = self.inputs.study
        return self.inputs.settings.sm2_scheduler(study, self.card, study.last_row(self.card), draws, self.n_new)

    def fsrs_scheduler(self, w: Floats, desired_retention: Floats, draws: int) -> Scheduler:
        """Return FSRS-6 with parameters ``w`` (P, 1), as one variant for each desired retention (variants,).

        Each variant is repeated for the ``draws`` of the memory.
        """
        groups = len(desired_retention) * draws
        memory = Memory(FSRS_6, w)
        card_state = self._states(memory)
        row = np.repeat(np.arange(groups), len(card_state[0]))
        state = tuple(np.tile(column, groups) for column in card_state)
        return FsrsScheduler(memory, np.repeat(desired_retention, draws), row, state, self.inputs.settings.max_interval)

    def run(
        self, memory: Memory, start: InitialState, scheduler: Scheduler, shape: Tuple[int, int], progress: Progress
    ) -> Totals:
        """Simulate the year under one scheduler, given the numbers of its variants and of the memory's draws."""
        simulation = StudySimulation(memory, scheduler, start, self.habits, HORIZON, shape, SEED, COUNTED_FROM)
        return simulation.run(progress)


def forecast_year(forecast: Workload, inputs: WorkloadInputs, progress: Progress) -> Workload:
    """Add the loads, the ratio and the equal retention to a forecast whose back-test was passed."""
    year = YearSetup.of(inputs)
    data = inputs.data
    n_reviews = len(data.reviews)
    w = fit(FSRS_6, data, n_reviews, progress.part(0.0, 0.2)).w
    fitted = fit(SLIPPING_FSRS_6, data, n_reviews, progress.part(0.2, 0.4))
    parameters = fitted.draw(DRAWS, np.random.default_rng(SEED)), np.repeat(fitted.w[:, None], REPEATS, axis=1)
    memory = Memory(fitted.algorithm, np.concatenate(parameters, axis=1))
    draws = DRAWS + REPEATS
    own_retention = forecast.desired_retention
    back_test_ratio = forecast.back_test.ratio
    retentions = sorted({*DESIRED_RETENTIONS, own_retention})
    start = year.initial_state(memory)
    fsrs_scheduler = year.fsrs_scheduler(w[:, None], np.array(retentions), draws)
    sm2 = year.run(memory, start, year.sm2_scheduler(draws), (1, draws), progress.part(0.5, 0.6))
    fsrs = year.run(memory, start, fsrs_scheduler, (len(retentions), draws), progress.part(0.6, 1.0))
    equal_retention = None
    if forecast.question == WORK:
        ratio = ratio_of_draws(log_review_ratio(sm2, fsrs))
        curve = np.repeat(np.array(retentions)[:, None], draws, axis=1)
        equal_retention = mean_of_draws(interpolate_curve(fsrs.known, curve, sm2.known[0])).estimate
    else:
        ratio = ratio_of_draws(np.log(fsrs.known[retentions.index(own_retention)] / sm2.known[0]))
    error_factor = max(back_test_ratio, 1 / back_test_ratio) if back_test_ratio else 1.0
    sm2_loads, fsrs_loads = (
        yearly_loads(year.share, totals, variants, error_factor, has_times=inputs.study.has_times)
        for totals, variants in ((sm2, ()), (fsrs, retentions))
    )
    min_shown = min(own_retention, DESIRED_RETENTIONS[1])
    shown_loads = (load for load, retention in zip(fsrs_loads, retentions) if retention >= min_shown)
    return replace(forecast, loads=(*sm2_loads, *shown_loads), ratio=ratio, equal_retention=equal_retention)


def log_review_ratio(sm2: Totals, fsrs: Totals) -> Floats:
    """Return ln(FSRS / SM-2 reviews) at equally many known cards, (draws,), or NaN outside FSRS's curve.

    The totals of SM-2 have shape (1, draws), those of FSRS (desired retentions, draws).
    """
    log_ratio: Floats = interpolate_curve(fsrs.known, np.log(fsrs.reviews), sm2.known[0]) - np.log(sm2.reviews[0])
    return log_ratio


def interpolate_curve(x: Floats, y: Floats, target: Floats) -> Floats:
    """Return y where each draw's curve reaches x = ``target`` (draws,), or NaN if it does not.

    Only the part of the curve that rises from its lowest x is used. The curve's points x and y are (variants, draws).
    """
    result = np.full(len(target), np.nan)
    for draw in range(len(target)):
        lowest_point = int(np.argmin(x[:, draw]))
        highest_so_far = np.maximum.accumulate(x[lowest_point:, draw])
        rising_points = lowest_point + np.flatnonzero(np.diff(highest_so_far, prepend=-np.inf) > 0)
        if x[rising_points[0], draw] <= target[draw] <= x[rising_points[-1], draw]:
            result[draw] = np.interp(target[draw], x[rising_points, draw], y[rising_points, draw])
    return result


def mean_of_draws(values: Floats) -> ConfidenceInterval:
    """Return the mean of the draws with its 95% interval, mean +- t(29) sd sqrt(1 + 1 / 30).

    The variance of the repeats, which is due to chance alone, is subtracted from that of the draws. The result is at
    least that of the repeats.

    Args:
        values: one for each draw, then one for each repeat, (DRAWS + REPEATS,). NaNs are ignored.
    """
    draw_values, repeat_values = (column[np.isfinite(column)] for column in (values[:DRAWS], values[DRAWS:]))
    if len(draw_values) < MIN_DRAWS or len(repeat_values) < 2:
        return ConfidenceInterval(None, reason=OUT_OF_REACH)
    chance_variance = float(np.var(repeat_values, ddof=1))
    variance = max(float(np.var(draw_values, ddof=1)) - chance_variance, chance_variance)
    return prediction_interval(draw_values, sqrt(variance))


def prediction_interval(values: Floats, sd: float) -> ConfidenceInterval:
    """Return the mean of the draws with the 95% interval of a further value, given the standard deviation."""
    mean = float(values.mean())
    reach = T_QUANTILE * sd * sqrt(1 + 1 / len(values))
    return ConfidenceInterval(mean, mean - reach, mean + reach, sd)


def ratio_of_draws(logarithms: Floats) -> ConfidenceInterval:
    """Return the ratio with its 95% interval, from its logarithm in each draw, widened by :data:`MODEL_ERROR`."""
    interval = mean_of_draws(logarithms)
    if interval.low_high is None:
        return interval
    low, high = interval.low_high
    return ConfidenceInterval(exp(interval.value), exp(low - MODEL_ERROR), exp(high + MODEL_ERROR))


def yearly_loads(
    share: float, totals: Totals, desired_retentions: Sequence[float], error_factor: float, *, has_times: bool
) -> Iterator[Load]:
    """Yield the load of a year for each variant of a scheduler.

    Args:
        share: the share of the cards that are simulated.
        totals: the totals of these cards.
        desired_retentions: that of each variant of FSRS, or nothing for SM-2.
        error_factor: the factor by which the intervals of reviews and minutes are widened on either side.
        has_times: whether answer times are known. Otherwise there are no minutes.
    """
    days = HORIZON - COUNTED_FROM
    for variant, known in enumerate(totals.known):
        reviews, minutes = (
            _widen(mean_of_draws(total[variant] / days / share), error_factor)
            for total in (totals.reviews, totals.seconds / 60)
        )
        yield Load(
            FSRS if desired_retentions else SM_2,
            desired_retentions[variant] if desired_retentions else None,
            reviews,
            minutes if has_times else None,
            mean_of_draws(known / share),
            mean_of_draws(totals.remembered[variant] / np.maximum(totals.reviews[variant], 1)),
        )


def _widen(interval: ConfidenceInterval, factor: float) -> ConfidenceInterval:
    """Return the interval with its upper end multiplied and its lower end, at least 0, divided by the factor."""
    if interval.low_high is None:
        return interval
    low, high = interval.low_high
    return ConfidenceInterval(interval.value, max(low, 0.0) / factor, high * factor)

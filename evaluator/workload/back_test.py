"""Test of the simulation on the user's own past: the last fifth of the days of study."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

import numpy as np

from ..algorithms.fsrs6 import FSRS_6
from ..data.revlog import AGAIN, Ints
from ..derivatives import Floats
from ..progress import Progress
from .estimate import DRAWS, SEED, prediction_interval
from .fitted import SLIPPING_FSRS_6, Fit, fit
from .inputs import WorkloadInputs
from .memory_draws import Memory, replay
from .person import study_habits
from .result import PASSED, BackTest, Foreseen
from .year import InitialState, StudySimulation

#: Minimum days of study in the log for a test.
MIN_STUDY_DAYS = 30
#: Minimum number of its later-day reviews for a test.
MIN_REVIEWS = 300
#: Minimum share of the later-day passes that have an interval.
MIN_WITH_INTERVAL = 0.5
#: Minimum number of reviews to predict in the tested days.
MIN_PREDICTED = 20
#: Limits of simulated / observed reviews.
RATIO_LIMITS = (0.75, 1.33)
#: Maximum difference of the simulated and observed shares remembered.
MAX_SHARE_DIFFERENCE = 0.05
#: Maximum number of simulated cards.
MAX_CARDS = 1000
#: Number of simulations in a quick test.
QUICK_DRAWS = 4


def run_back_test(inputs: WorkloadInputs, progress: Progress, w: Optional[Floats] = None) -> BackTest:
    """Simulate the tested days from the reviews before them, and compare the result with what happened.

    If the test cannot be run, its code says why.

    Args:
        inputs: the user's cards, scheduler and habits.
        progress: called with the share of the work that is done.
        w: parameters of FSRS-6 for a quick test, which ignores their uncertainty. Without them, they are fitted.
    """
    plan = plan_back_test(inputs)
    if plan.code != PASSED:
        return plan
    study = inputs.study
    period = inputs.period
    rows = study.rows
    random = np.random.default_rng(SEED)
    card, row = period.first_reviews(study)
    if len(card) > MAX_CARDS:
        indices = np.sort(random.choice(len(card), MAX_CARDS, replace=False))
        card = card[indices]
        row = row[indices]
    # The simulation begins for each card after the day of its first review in the period.
    last_row = study.last_of_day(row)
    first_predicted = np.full(len(study.start), len(rows))
    first_predicted[card] = last_row + 1
    is_predicted = np.arange(len(rows)) >= first_predicted[rows.card]
    is_tested = is_predicted & study.is_later_day
    memory = _draw_memory(inputs, w, random, progress.part(0.0, 0.7))
    draws = memory.n_draws
    start = _initial_state(inputs, memory, card, last_row)
    habits = study_habits(study, period.first, period.study_days)
    days = period.stop - period.first
    seed = int(random.integers(2**31))
    scheduler = inputs.settings.scheduler(study, card, last_row, draws)
    totals = StudySimulation(memory, scheduler, start, habits, days, (1, draws), seed).run(progress.part(0.7, 1.0))
    further_reviews = int(is_tested.sum())
    reviews = _foresee(totals.reviews[0], float(further_reviews))
    share_remembered = float((rows.rating[is_tested] > AGAIN).mean()) if is_tested.any() else 0.0
    remembered = _foresee(totals.remembered[0] / np.maximum(totals.reviews[0], 1), share_remembered)
    minutes = _foresee(totals.seconds[0] / 60, float(study.seconds[is_predicted].sum()) / 60)
    ratio = reviews.foreseen.value / max(reviews.observed, 1.0)
    difference = abs(remembered.foreseen.value - share_remembered)
    code = PASSED
    if not RATIO_LIMITS[0] <= ratio <= RATIO_LIMITS[1]:
        code = "reviews"
    elif difference > MAX_SHARE_DIFFERENCE and remembered.foreseen.compare_with(share_remembered):
        code = "remembered"
    return replace(
        plan,
        code=code,
        cards=len(card),
        further_reviews=further_reviews,
        reviews=reviews,
        remembered=remembered,
        minutes=minutes if study.has_times else None,
        ratio=ratio,
    )


def plan_back_test(inputs: WorkloadInputs) -> BackTest:
    """Return the test before it is run. Its code is "passed", or the reason why it cannot be run."""
    study = inputs.study
    period = inputs.period
    settings = inputs.settings
    n_cards = len(period.first_reviews(study)[0])
    n_further = int((study.is_later_day & (study.rows.day >= period.first)).sum()) - n_cards
    n_later = int(study.is_later_day.sum())
    intervals = study.interval[study.is_later_day & (study.rows.rating > AGAIN)]
    reasons = {
        "none_alive": not len(inputs.active),
        "no_intervals": len(intervals) > 0 and (intervals != 0).mean() < MIN_WITH_INTERVAL,
        "too_few_days": period.total_study_days < MIN_STUDY_DAYS,
        "too_few_reviews": n_later < MIN_REVIEWS,
        "too_few_to_predict": n_further < MIN_PREDICTED,
        "switched": settings.switched,
        "unknown_scheduler": settings.fsrs is None,
        "fsrs_7": bool(settings.fsrs) and settings.fsrs_7,
    }
    code = next((code for code, holds in reasons.items() if holds), PASSED)
    return BackTest(code, settings.name, period.total_study_days, len(period.study_days), n_later, n_cards, n_further)


def _draw_memory(
    inputs: WorkloadInputs, w: Optional[Floats], random: np.random.Generator, progress: Progress
) -> Memory:
    """Draw memories with the parameters ``w``, or with those fitted to the reviews before the tested days."""
    if w is not None:
        return Memory(FSRS_6, Fit(FSRS_6, w, np.zeros((len(w), len(w)))).draw(QUICK_DRAWS, random))
    stop = int(np.searchsorted(inputs.data.reviews.day, inputs.period.first))
    past_fit = fit(SLIPPING_FSRS_6, inputs.data, stop, progress)
    return Memory(past_fit.algorithm, past_fit.draw(DRAWS, random))


def _initial_state(inputs: WorkloadInputs, memory: Memory, card: Ints, last_row: Ints) -> InitialState:
    """Return the state of the cards after these rows, the last ones of their first day in the period."""
    study = inputs.study
    period = inputs.period
    start = study.start[card]
    last_day = study.rows.day[last_row] - period.first
    interval = study.given_interval(last_row)
    draw = np.repeat(np.arange(memory.n_draws), len(card))
    end_day = np.where(np.isin(card, inputs.active), period.stop - 1, study.rows.day[study.last_row(card)])
    return InitialState(
        due=last_day + interval,
        is_new=np.zeros(len(card), dtype=bool),
        last_day=last_day,
        interval=interval,
        memory=replay(memory, study.rows, start, last_row + 1 - start, draw),
        until=end_day - period.first,
    )


def _foresee(simulated: Floats, observed: float) -> Foreseen:
    """Return the prediction interval of the simulated values (draws,), with the observed value."""
    interval = prediction_interval(simulated, float(simulated.std(ddof=1)))
    return Foreseen(replace(interval, standard_error=None), observed)

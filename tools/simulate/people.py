"""Simulated learners as different as real ones, each determined only by the seed and a number.

They forget at different rates, and use the buttons, the options and the calendar differently. Both schedulers are used,
with and without parameters that fit the memory. The logs contain previews, resets, due dates set by hand, reschedules,
and rows of deleted cards. Their sizes vary by two powers of ten.

Limits: unless another kind is requested, every memory follows FSRS-6, with cards that differ more than their answers
show. So only FSRS-6 has the right formula, and which algorithm is better for these learners says nothing about real
people. No learner studies related cards, changes the scheduler, or gets better at learning for good. Unless drift is
requested, memory and habits do not change, and days are independent of each other except in holidays.
"""

from __future__ import annotations

import numpy as np

from evaluator.algorithms import fsrs6
from tools.simulate.learner import Habits, Learner
from tools.simulate.memory import PUBLISHED, Parameters
from tools.simulate.memory_models import FSRS

#: Standard deviation of the logarithm of the sizes of logs.
SPREAD = 1.2
#: Maximum number of days of study.
MAX_DAYS = 3650
#: Minimum number of rows. With 200, half of the learners would have no scored review, because the filter removes rare
#: first intervals.
MIN_ROWS = 700
#: Rough number of rows of a card, which is used only to plan the number of days.
_ROWS_PER_CARD = 6


def learner(
    number: int,
    *,
    seed: int,
    rows: int,
    spread: float = SPREAD,
    drift: float = 0.0,
    utc: bool = False,
    memory_kind: str = FSRS,
) -> Learner:
    """Draw the learner with that number. Which other learners are drawn makes no difference.

    Args:
        number: the number of the learner, from 1.
        seed: the seed of all learners.
        rows: the median number of rows of the logs. At least :data:`MIN_ROWS` are planned.
        spread: the standard deviation of the logarithm of the number of rows. With 0, all logs have about as many.
        drift: how far memory and load change over weeks, see :class:`Learner`. Nothing else depends on it.
        memory_kind: one of the kinds of :mod:`tools.simulate.memory_models`.
        utc: whether the day begins at 04:00 UTC, for a format that does not say when it begins.
    """
    random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    planned_rows = max(MIN_ROWS, round(rows * float(np.exp(random.normal(0, spread)))))
    new_per_day = float(np.clip(2.5 * (planned_rows / 2000) ** 0.45 * np.exp(random.normal(0, 0.7)), 0.2, 60))
    memory = scattered_parameters(random, scale=random.uniform(0.3, 1.2))
    scheduler_memory = memory if random.random() < 0.4 else PUBLISHED
    return Learner(
        seed=int(random.integers(2**31)),
        days=int(np.clip(30 + 2 * planned_rows / (_ROWS_PER_CARD * new_per_day), 40, MAX_DAYS)),
        memory=memory,
        memory_kind=memory_kind,
        spread=random.uniform(0.1, 0.8),
        scheduler=str(random.choice(["fsrs", "sm2"])),
        scheduler_memory=scheduler_memory,
        desired_retention=round(random.uniform(0.8, 0.95), 2),
        utc_offset_minutes=0 if utc else 60 * int(random.integers(-10, 13)),
        rollover_hour=4 if utc else int(random.choice([4, 4, 4, 0, 2])),
        habits=_draw_habits(random, new_per_day),
        drift=drift,
        max_rows=planned_rows,
    )


def scattered_parameters(random: np.random.Generator, scale: float) -> Parameters:
    """Draw FSRS-6 parameters around the published ones, within their bounds.

    The logarithms of the initial stabilities have the standard deviation ``scale``. Other parameters have ``scale``
    times the width of their prior.
    """
    parameters = []
    for p in fsrs6.PARAMETERS:
        deviation = random.normal(0, scale) * (1.0 if p.log else p.width)
        value = p.default * np.exp(deviation) if p.log else p.default + deviation
        parameters.append(float(np.clip(value, p.lower, p.upper)))
    parameters[:4] = sorted(parameters[:4])
    return tuple(parameters)


def draw_or_zero(random: np.random.Generator, maximum: float) -> float:
    """Draw a number up to a maximum for about half of the learners, and 0 for the others."""
    return float(random.choice([0.0, random.uniform(0, maximum)]))


def _draw_habits(random: np.random.Generator, new_per_day: float) -> Habits:
    """Draw the habits of a learner. About a third of them use only Again and Good."""
    two_buttons = random.random() < 0.35
    again, hard, good, easy = random.dirichlet([1.0, 0.1, 2.0, 0.1] if two_buttons else [1.0, 0.6, 2.0, 0.5]).tolist()
    return Habits(
        new_per_day=new_per_day,
        reviews_per_day=int(np.clip(new_per_day * random.uniform(12, 60), 30, 2000)),
        day_off=random.beta(1, 6),
        holiday=draw_or_zero(random, 0.02),
        evening_session=random.beta(1, 3),
        hour=random.uniform(6, 22),
        postponed=draw_or_zero(random, 0.3),
        early=draw_or_zero(random, 0.1),
        cram=draw_or_zero(random, 0.05),
        hard=0.0 if two_buttons else random.uniform(0, 0.3),
        easy=0.0 if two_buttons else random.uniform(0, 0.3),
        slips=draw_or_zero(random, 0.05),
        first_answers=(again, 0.0, 1 - again, 0.0) if two_buttons else (again, hard, good, easy),
        reset=draw_or_zero(random, 0.0005),
        set_due_date=draw_or_zero(random, 0.001),
        rescheduled=draw_or_zero(random, 0.01),
        deleted=random.beta(1, 12),
        seconds_per_answer=float(np.exp(random.normal(2, 0.4))),
    )

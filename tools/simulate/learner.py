"""The simulated learner, with memory, habits and scheduler."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from tools.simulate.memory import PUBLISHED, Parameters

#: Parameters that differ from the published ones as those of real people do. New cards are forgotten sooner, old ones
#: later, and the forgetting curve has a thinner tail.
FORGETFUL: Parameters = (
    0.14, 0.55, 1.35, 5.6, 6.9, 0.72, 2.5, 0.012, 1.62, 0.11, 0.93, 1.75, 0.05, 0.31, 1.25, 0.5, 2.3, 0.42, 0.12, 0.09,
    0.32,
)  # fmt: skip


@dataclass(frozen=True)
class Habits:
    """Study habits of a learner."""

    #: Mean number of new cards per day.
    new_per_day: float = 7.0
    #: Maximum number of reviews per day. Further due cards wait.
    reviews_per_day: int = 400
    #: Share of days without study.
    day_off: float = 0.06
    #: Probability per day that a holiday of 4 to 14 days begins.
    holiday: float = 0.004
    #: Share of days with a second session.
    evening_session: float = 0.3
    #: Mean local hour of the first session.
    hour: float = 8.5
    #: Share of the due cards that are left for another day.
    postponed: float = 0.03
    #: Share of days with a filtered deck of cards that are due within a week.
    early: float = 0.02
    #: Share of days on which a few cards are previewed without rescheduling.
    cram: float = 0.006
    #: Share of recalled cards that are answered with Hard. It rises with the difficulty of recall.
    hard: float = 0.10
    #: Share of recalled cards that are answered with Easy. It falls with the difficulty of recall.
    easy: float = 0.08
    #: Share of recalled cards that are answered with Again.
    slips: float = 0.0
    #: Share of forgotten cards that pass.
    guesses: float = 0.0
    #: Share of the weakest cards that are forgotten within the day.
    forgets: float = 0.0
    #: Seconds by which half of these are forgotten.
    forgets_after: float = 60.0
    #: Probabilities of Again, Hard, Good and Easy on new cards.
    first_answers: tuple[float, float, float, float] = (0.34, 0.10, 0.46, 0.10)
    #: Share of learned cards that are reset, per day.
    reset: float = 0.00006
    #: Share of learned cards whose due date is set by hand, per day.
    set_due_date: float = 0.0001
    #: Share of days on which a change of options reschedules some cards.
    rescheduled: float = 0.002
    #: Share of all cards that are deleted in the end.
    deleted: float = 0.03
    #: Median of the seconds per answer.
    seconds_per_answer: float = 7.0
    #: Minimum and maximum of the seconds until cards come back on the same day.
    pause: tuple[int, int] = (20, 400)
    #: Share of these pauses that last hours longer.
    interrupted: float = 0.0
    #: Share of lapses that are answered with Hard by a learner with ``hard_after``.
    hard_for_lapse: float = 0.4
    #: Share of answered cards that are seen again on the same day without being due.
    again_today: float = 0.0
    #: Number of steps.
    learning_steps: int = 2
    relearning_steps: int = 1


@dataclass(frozen=True)
class Learner:
    """A simulated learner. Equal learners have equal review logs."""

    seed: int = 1
    days: int = 365
    last_day: dt.date = dt.date(2024, 6, 30)
    memory: Parameters = FORGETFUL
    #: One of the kinds of :mod:`tools.simulate.memory_models`.
    memory_kind: str = "fsrs"
    #: Standard deviation of the logarithm of the cards' memorability.
    spread: float = 0.35
    #: Share of the cards that were known before the first answer, and stay known for years.
    known: float = 0.0
    #: "fsrs" or "sm2".
    scheduler: str = "fsrs"
    #: Parameters of the scheduler if it is FSRS.
    scheduler_memory: Parameters = PUBLISHED
    desired_retention: float = 0.9
    utc_offset_minutes: int = 60
    rollover_hour: int = 4
    habits: Habits = field(default_factory=Habits)
    #: Standard deviation of the changes over weeks, both of the logit of recall, and of the logarithm of the numbers of
    #: new cards and reviews per day.
    drift: float = 0.0
    #: Number of rows at which the study ends, after the day that reaches it.
    max_rows: int | None = None
    #: Number of rows after which a break of 90 days begins.
    break_after: int | None = None
    #: Number of rows after which Hard is pressed for some lapses.
    hard_after: int | None = None
    #: Added to the logit of recall.
    ability: float = 0.0
    #: Number of rows until which FSRS had another desired retention, and that.
    earlier_retention: tuple[int, float] | None = None

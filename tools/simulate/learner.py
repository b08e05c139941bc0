"""A simulated learner: memory, habits, scheduler."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from tools.simulate.memory import PUBLISHED, Parameters

#: A memory that differs from the published parameters as real people's do: it forgets new cards sooner, keeps old ones
#: longer, and its forgetting curve has a thinner tail.
FORGETFUL: Parameters = (
    0.14, 0.55, 1.35, 5.6, 6.9, 0.72, 2.5, 0.012, 1.62, 0.11, 0.93, 1.75, 0.05, 0.31, 1.25, 0.5, 2.3, 0.42, 0.12, 0.09,
    0.32,
)  # fmt: skip


@dataclass(frozen=True)
class Habits:
    """A person's study habits. Shares are probabilities per card and day unless noted otherwise."""

    new_per_day: float = 7.0  #: mean
    reviews_per_day: int = 400  #: maximum reviews per day; the rest waits
    day_off: float = 0.06
    holiday: float = 0.004  #: probability per day that one begins; 4 to 14 days
    evening_session: float = 0.3  #: share of days with a second session
    hour: float = 8.5  #: local hour of the first session, mean
    postponed: float = 0.03  #: due cards left for another day
    early: float = 0.02  #: days with a filtered deck of cards due within a week
    cram: float = 0.006  #: days on which a few cards are previewed without rescheduling
    hard: float = 0.10  #: share of the recalled, if recall was easy; rises with difficulty
    easy: float = 0.08  #: the same for Easy, falling
    slips: float = 0.0  #: share of recalled cards answered with Again
    guesses: float = 0.0  #: share of forgotten cards that pass
    forgets: float = 0.0  #: share of the weakest cards that is forgotten within the day
    forgets_after: float = 60.0  #: seconds by which half of that has happened
    first_answers: tuple[float, float, float, float] = (0.34, 0.10, 0.46, 0.10)  #: Again to Easy on new cards
    reset: float = 0.00006  #: share of learned cards
    set_due_date: float = 0.0001  #: share of learned cards
    rescheduled: float = 0.002  #: days on which a change of options reschedules some cards
    deleted: float = 0.03  #: share of all cards, in the end
    seconds_per_answer: float = 7.0  #: median
    pause: tuple[int, int] = (20, 400)  #: seconds until cards come back on the same day, from and to
    interrupted: float = 0.0  #: share of these pauses that last hours longer
    hard_for_lapse: float = 0.4  #: share of lapses answered with Hard, by a learner who begins to do so
    again_today: float = 0.0  #: share of answered cards seen again on the same day without being due
    learning_steps: int = 2
    relearning_steps: int = 1


@dataclass(frozen=True)
class Learner:
    """A simulated person. Equal learners study equally."""

    seed: int = 1
    days: int = 365
    last_day: dt.date = dt.date(2024, 6, 30)
    memory: Parameters = FORGETFUL
    memory_kind: str = "fsrs"  #: see :mod:`tools.simulate.memory_models`
    spread: float = 0.35  #: standard deviation of the logarithm of the cards' memorability around the user's
    known: float = 0.0  #: share of the cards that were known before the first answer, and stay known for years
    scheduler: str = "fsrs"  #: or "sm2"
    scheduler_memory: Parameters = PUBLISHED  #: parameters of an FSRS scheduler
    desired_retention: float = 0.9
    utc_offset_minutes: int = 60
    rollover_hour: int = 4
    habits: Habits = field(default_factory=Habits)
    #: How much memory and load change over weeks, as a standard deviation: of recall in the logit, and of the logarithm
    #: of the new cards and reviews per day.
    drift: float = 0.0
    most_rows: int | None = None  #: maximum number of rows: studying ends on the day that reaches it
    break_after: int | None = None  #: a break of 90 days begins after this many rows
    hard_after: int | None = None  #: from this row on, Hard is pressed for some lapses

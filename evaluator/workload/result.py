"""What each scheduler would ask of this person in a year, and give: reviews, minutes, cards remembered.

A simulation, day by day, of the cards as they stand, by memories that were fitted to the person. What it says is told
only where it would have foreseen the person's own past: see :class:`BackTest`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from ..interval import Interval

#: The questions: who keeps up is told of work, who does not of knowledge.
WORK, KNOWLEDGE = "work", "knowledge"
#: The schedulers: SM-2 as in the presets, FSRS-6 with parameters fitted to the person, and with the published ones.
SM_2, FITTED, PUBLISHED = "SM-2", "FSRS-6", "FSRS-6 default"


@dataclass(frozen=True)
class Person:
    """How this person studies, from the last days of the log."""

    days: int  #: these were looked at
    studied_days: int  #: on so many of them at least one card was answered
    on_time: float  #: share of later-day reviews: late by at most one day or a tenth of the interval, whichever is more
    new_per_day: float  #: new cards, mean over all of these days
    first_answers: Tuple[float, ...]  #: shares of Again, Hard, Good and Easy among the first answers to new cards
    passed_answers: Tuple[float, ...]  #: shares of Hard, Good and Easy among later-day reviews that were remembered
    same_day_after_first: float  #: further answers on the day of a card's first one where that was not Easy, mean
    same_day_after_lapse: float  #: further answers on the day of a lapse, mean
    seconds_first: Tuple[float, ...]  #: mean seconds of a first answer: Again, Hard, Good, Easy
    seconds_same_day: Tuple[float, ...]  #: of a further answer on the same day
    seconds_later: Tuple[float, ...]  #: of the first answer on a later day
    cards: int  #: that are alive, and of which the year is simulated
    simulated: int  #: so many cards were drawn of them and of the new ones of the year
    #: Why other cards are not alive, and how many: "gone" (deleted), "set_aside" (suspended or buried), "not_seen" (for
    #: 180 days), "left" (in a deck that was not studied for 90 days).
    left_out: Tuple[Tuple[str, int], ...]


@dataclass(frozen=True)
class Foreseen:
    """What the simulation says of the person's last days of study, and what there was."""

    foreseen: Interval  #: with its 95 % prediction interval
    observed: float  #: what there was


@dataclass(frozen=True)
class BackTest:
    """The last fifth of the person's days of study, simulated card by card from what came before.

    Codes: "passed"; "none_alive" (no card is studied any more), "no_intervals" (the log does not say which intervals
    were given), "too_few_days" (fewer than 30 days of study to test on), "too_few_reviews" (fewer than 50 to foresee),
    "switched" (from one scheduler to the other meanwhile), "unknown_scheduler" (neither the log nor the collection says
    which it was), "fsrs_7" (presets run it, which is not simulated);
    "too_wide" (the prediction interval of the number of reviews goes beyond 0.8 to 1.25 of what there was: too few to
    test); "reviews" or "remembered" (what there was lies outside its prediction interval, or the reviews beyond 0.8 to
    1.25).
    """

    code: str
    scheduler: Optional[str]  #: that was in use: "SM-2", "FSRS-6"; None where nothing was simulated
    days: int  #: days of study that were tested on
    cards: int  #: that were reviewed in them
    reviews: Optional[Foreseen]  #: later-day reviews of these cards after the first one of each
    remembered: Optional[Foreseen]  #: share of them
    minutes: Optional[Foreseen]
    ratio: Optional[float]  #: reviews foreseen / observed


@dataclass(frozen=True)
class Load:
    """A year under one scheduler, from its 31st day on."""

    scheduler: str  #: "SM-2", "FSRS-6", "FSRS-6 default"
    desired_retention: Optional[float]  #: None of SM-2
    reviews: Interval  #: a day
    minutes: Interval  #: a day
    known: Interval  #: cards remembered, mean over the days
    remembered: Interval  #: share of the later-day reviews
    tried: float  #: share of its reviews like which the log has 20 or more


@dataclass(frozen=True)
class Versus:
    """One of FSRS's two schedulers against SM-2: ratios, below 1 where it has less."""

    scheduler: str  #: "FSRS-6", "FSRS-6 default"
    reviews: Interval  #: at equal knowledge; without estimate where no desired retention gives it
    minutes: Interval  #: likewise
    known: Interval  #: at equal minutes; of who does not keep up, at no more minutes, with as many reviews a day
    desired_retention: Optional[float]  #: that gives equal knowledge
    desired_retention_at_equal_work: Optional[float]  #: that gives as much work
    known_at_the_end: Optional[float]  #: at equal knowledge over the year, the ratio on its last day
    minutes_a_day: Optional[float]  #: by FSRS, at equal knowledge


@dataclass(frozen=True)
class MemoryYear:
    """What one model of the person's memory says of the year."""

    algorithm: str
    log_loss: float  #: on the days of the back-test, fitted to those before
    worse_by: Optional[Interval]  #: than the best of them; None of the best
    kept: bool  #: False: it is clearly worse than the best, and says nothing of the year
    #: What was taken off the logarithm of the ratio of reviews by FSRS-6: below 0 where FSRS seemed to ask for fewer
    #: than it does. None of memories of which it is not measured.
    optimism: Optional[float]
    loads: Tuple[Load, ...]  #: SM-2, then each FSRS by its desired retention
    versus: Tuple[Versus, ...]


@dataclass(frozen=True)
class Workload:
    """The year ahead; no memories where the back-test failed.

    In ``versus`` an interval reaches from the lowest lower end of all memories kept to the highest upper end, and the
    estimate is that of the memory that predicted best, ``memories[0]``.
    """

    question: str  #: "work" of who keeps up, else "knowledge"
    person: Person
    back_test: BackTest
    memories: Tuple[MemoryYear, ...]  #: the best first
    versus: Tuple[Versus, ...]
    only_fsrs: bool  #: all memories kept are FSRS's
    horizon: int  #: days
    draws: int  #: of the parameters of each memory
    seed: int  #: of all that is drawn

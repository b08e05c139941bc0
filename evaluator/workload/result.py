"""Simulated year with FSRS-6 and Anki's SM-2 for one user: reviews, minutes, cards remembered.

The current cards are simulated day by day with a memory fitted to the user. Results are shown only if the same method
would have predicted the user's own past: see :class:`BackTest`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from ..interval import ConfidenceInterval

#: The question of users who keep up, for whom the schedulers are compared by the work.
WORK = "work"
#: The question of others, for whom the schedulers are compared by the cards known.
KNOWLEDGE = "knowledge"
#: SM-2 with the presets' settings.
SM_2 = "Anki-SM-2"
#: FSRS-6 with parameters fitted to the user.
FSRS = "FSRS-6"
#: The code of a back-test that allows a forecast.
PASSED = "passed"


@dataclass(frozen=True)
class Foreseen:
    """Simulated and observed value for the user's last days of study."""

    foreseen: ConfidenceInterval  #: simulated value with its 95% prediction interval
    observed: float  #: observed value


@dataclass(frozen=True)
class BackTest:
    """The last fifth of the user's days of study, simulated card by card from the reviews before it.

    Codes of a test that could not be run: "none_alive" (no card is studied any more), "no_intervals" (the log does not
    have the intervals), "too_few_days" (fewer than 30 days of study), "too_few_reviews" (fewer than 300 on later days
    in the log), "too_few_to_predict" (fewer than 20 in the days of the back-test), "switched" (from one scheduler to
    the other in these days), "unknown_scheduler" (neither the log nor the collection shows which it was), "fsrs_7"
    (presets run it or a newer version, which is not simulated). Codes of a test that was run: "passed", "reviews"
    (predicted / observed is outside 0.75 to 1.33), "remembered" (the share is off by more than 5 points, and the
    observed share is outside its interval).
    """

    code: str
    scheduler: Optional[str]  #: scheduler in use, "Anki-SM-2" or "FSRS-6", or None if it is not known
    days: int  #: days of study in the log
    tested: int  #: number of the last of these days, used for the back-test
    later_reviews: int  #: reviews in the log on a later day than the review before
    cards: int  #: number of cards reviewed in the days of the back-test, or of a sample if there are many
    further_reviews: int  #: number of later-day reviews of these cards after the first one of each
    reviews: Optional[Foreseen] = None  #: number of further reviews
    remembered: Optional[Foreseen] = None  #: share of the further reviews that were remembered
    minutes: Optional[Foreseen] = None  #: study time, or None if the log has no answer times
    ratio: Optional[float] = None  #: predicted / observed number of further reviews


@dataclass(frozen=True)
class Load:
    """A year under one scheduler, from its 31st day.

    The intervals of reviews and minutes are widened both ways by the factor by which the back-test missed the reviews.
    """

    scheduler: str  #: "Anki-SM-2", "FSRS-6"
    desired_retention: Optional[float]  #: None for SM-2
    reviews: ConfidenceInterval  #: later-day reviews per day
    minutes: Optional[ConfidenceInterval]  #: minutes per day, or None if the log has no answer times
    known: ConfidenceInterval  #: number of remembered cards, mean over the days
    remembered: ConfidenceInterval  #: share of the later-day reviews that are remembered


@dataclass(frozen=True)
class Workload:
    """Forecast of the year ahead. If the back-test failed, there are no loads and no ratio."""

    question: str  #: "work" for users who keep up, otherwise "knowledge"
    #: Share of the later-day reviews of the last 90 days that were late by at most a day or a tenth of the interval.
    on_time: float
    desired_retention: float  #: desired retention of most active cards, with which all are simulated
    desired_share: float  #: share of the active cards that have this desired retention
    back_test: BackTest
    loads: Tuple[Load, ...] = ()  #: SM-2, then FSRS-6 by its desired retention
    #: FSRS-6 / SM-2. For the work it is the ratio of reviews for as many remembered cards, without an estimate if no
    #: desired retention leads to as many. For the knowledge it is the ratio of remembered cards at the desired
    #: retention, with at most as many reviews a day as now.
    ratio: Optional[ConfidenceInterval] = None
    #: For the work, the desired retention of FSRS-6 that leads to as many remembered cards as SM-2. None if none does.
    equal_retention: Optional[float] = None

    @property
    def known_ratio(self) -> Optional[ConfidenceInterval]:
        """The ratio, or None if it has no interval."""
        return self.ratio if self.ratio and self.ratio.low_high else None

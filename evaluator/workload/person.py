"""The user's habits, read from the log: answers, seconds, days of study, and the cards that are still studied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Tuple

import numpy as np

from ..data.reviews import CardRows, locate_cards, runs
from ..data.revlog import AGAIN, EASY, GOOD, SECONDS_PER_DAY, Bools, Cards, Ints, Revlog
from ..derivatives import Floats
from .year import StudyHabits

#: Number of recent days from which study habits are read.
RECENT = 90
#: A card is still studied if it was reviewed within this number of days, and its deck within the recent ones.
ACTIVE_DAYS = 180
#: Minimum share of reviews on time to count as keeping up.
MIN_ON_TIME_SHARE = 0.8
#: Seconds assumed for a kind of answer that the log does not have.
DEFAULT_SECONDS = 8.0
#: Weight of the overall shares, in answers, when those of the recent days are estimated.
PRIOR_ANSWERS = 20


@dataclass(frozen=True)
class StudyLog:
    """The rows of the log that are replayed, with further columns."""

    rows: CardRows
    interval: Ints  #: (n,) the interval after the answer, in days, or minus the seconds of a step within a day
    last_interval: Ints  #: (n,) the interval before the answer, in the same units
    factor: Ints  #: (n,) Anki's ``factor``: the ease in permille with SM-2, or the difficulty with FSRS
    seconds: Floats  #: (n,) answer times
    in_review: Bools  #: (n,) whether the card was in review, or in a filtered deck
    start: Ints  #: (cards,) each card's first row
    size: Ints  #: (cards,) the number of its rows

    @classmethod
    def of(cls, rows: CardRows, log: Revlog, max_seconds: int) -> StudyLog:
        """Read the columns of these rows from the log, with answer times of at most ``max_seconds``."""
        log_row = rows.log_row
        # Learning steps may take days, which the log counts in seconds.
        interval, last_interval = (
            np.where(column <= -SECONDS_PER_DAY, -column // SECONDS_PER_DAY, column)
            for column in (log.interval[log_row], log.last_interval[log_row])
        )
        return cls(
            rows,
            interval,
            last_interval,
            log.factor[log_row],
            np.clip(log.duration_ms[log_row] / 1000, 0.0, max_seconds),
            np.isin(log.kind[log_row], (1, 3)),  # review, filtered
            *runs(rows.position == 0),
        )

    @property
    def has_times(self) -> bool:
        """Whether answer times are known. Logs without them hold zeros."""
        return bool(self.seconds.any())

    @property
    def is_later_day(self) -> Bools:
        """Whether each row (n,) is its card's first answer on a day that is not the card's first."""
        return self.rows.elapsed_days > 0

    def given_interval(self, row: Ints) -> Ints:
        """Return the interval with which the card of each row ended that day, at least one day."""
        return np.maximum(self.interval[self.last_of_day(row)], 1)

    def last_of_day(self, row: Ints) -> Ints:
        """Return the last row of the same card and day for each row."""
        is_repeat = (self.rows.elapsed_days == 0) & (self.rows.position > 0)
        day_ends = np.flatnonzero(~np.append(is_repeat[1:], False))
        return day_ends[np.searchsorted(day_ends, row)]

    def last_row(self, card: Ints) -> Ints:
        """Return the last row of each card."""
        return self.start[card] + self.size[card] - 1


def measure_lateness(study: StudyLog, stop: int) -> Tuple[Ints, float]:
    """Measure how late the reviews of the recent days before ``stop`` were.

    Returns:
        The delay of each review in days of study, below 0 for early ones, and the share of reviews on time. A review is
        on time if it is late by at most one day or a tenth of its interval.
    """
    rows = study.rows
    is_recent = (rows.day >= stop - RECENT) & (rows.day < stop)
    row = np.flatnonzero(is_recent & study.is_later_day & study.in_review & (study.last_interval > 0))
    if not len(row):
        return np.zeros(1, dtype=np.int64), 1.0
    study_days = np.unique(rows.day)
    interval = study.last_interval[row]
    due = rows.day[row] - rows.elapsed_days[row] + interval
    delays = np.searchsorted(study_days, rows.day[row]) - np.searchsorted(study_days, due)
    is_on_time = rows.elapsed_days[row] - interval <= np.maximum(1, 0.1 * interval)
    return delays, float(is_on_time.mean())


def study_habits(study: StudyLog, stop: int, study_days: Ints) -> StudyHabits:
    """Return the habits of the recent days before ``stop``, for a simulation of study on ``study_days``.

    Earlier days count too, with a small weight, and more if the recent days have few answers of a kind.
    """
    rows = study.rows
    is_past = study.rows.day < stop
    is_recent = is_past & (rows.day >= stop - RECENT)
    is_first = rows.position == 0
    is_later_day = study.is_later_day
    is_repeat = ~is_first & ~is_later_day
    kinds = is_first, is_repeat, is_later_day
    first_of_day = np.maximum.accumulate(np.where(is_repeat, 0, np.arange(len(rows))))
    is_learning = is_first & (rows.rating != EASY)
    is_lapse = is_later_day & (rows.rating == AGAIN)
    return StudyHabits(
        first_shares=_button_shares(rows.rating[is_first & is_recent], rows.rating[is_first & is_past], (1, 2, 3, 4)),
        pass_shares=_button_shares(
            rows.rating[is_later_day & is_recent], rows.rating[is_later_day & is_past], (2, 3, 4)
        ),
        after_first=_mean_repeats(is_repeat & is_learning[first_of_day], is_learning, is_recent, is_past),
        after_lapse=_mean_repeats(is_repeat & is_lapse[first_of_day], is_lapse, is_recent, is_past),
        seconds=np.array([_seconds_by_button(study, is_kind & is_past, is_recent) for is_kind in kinds]),
        delays=measure_lateness(study, stop)[0],
        study_days=study_days,
    )


def _button_shares(recent: Ints, past: Ints, buttons: Tuple[int, ...]) -> Floats:
    """Return the share of each button among the recent ratings, shrunk to that among all past ones."""
    counts, past_counts = (np.bincount(rating, minlength=5)[list(buttons)].astype(float) for rating in (recent, past))
    if past_counts.sum() == 0:
        past_counts = np.array([button == GOOD for button in buttons], dtype=float)
    shrunk_counts = counts + PRIOR_ANSWERS * past_counts / past_counts.sum()
    shares: Floats = shrunk_counts / shrunk_counts.sum()
    return shares


def _mean_repeats(is_repeat: Bools, is_first: Bools, is_recent: Bools, is_past: Bools) -> float:
    """Return how many repeats follow the first answer of a day on average, shrunk to the mean of all past days."""
    past_mean = (is_repeat & is_past).sum() / max(int((is_first & is_past).sum()), 1)
    n_repeats = (is_repeat & is_recent).sum() + PRIOR_ANSWERS * past_mean
    return float(n_repeats / ((is_first & is_recent).sum() + PRIOR_ANSWERS))


def _seconds_by_button(study: StudyLog, is_kind: Bools, is_recent: Bools) -> List[float]:
    """Return the mean answer time for each button.

    It is that of the recent answers if there are enough of them, otherwise that of all answers with the button, or of
    all of this kind.
    """
    default = float(study.seconds[is_kind].mean()) if is_kind.any() else DEFAULT_SECONDS
    result = []
    for button in (1, 2, 3, 4):
        mask = is_kind & (study.rows.rating == button)
        if (mask & is_recent).sum() >= PRIOR_ANSWERS:
            mask = mask & is_recent
        result.append(float(study.seconds[mask].mean()) if mask.sum() >= PRIOR_ANSWERS else default)
    return result


def active_cards(study: StudyLog, cards: Optional[Cards], today: int) -> Ints:
    """Return the numbers of the cards that are still studied on the day ``today``."""
    last_day = study.rows.day[study.last_row(np.arange(len(study.start)))]
    is_active = last_day >= today - ACTIVE_DAYS
    if cards is None:
        return np.flatnonzero(is_active)
    if not len(cards.card_id):
        return np.arange(0)
    position, exists = locate_cards(cards.card_id, study.rows.card_id[study.start])
    deck = cards.deck_id[position]
    is_active &= exists & np.isin(deck, deck[exists & (last_day > today - RECENT)])
    return np.flatnonzero(is_active if cards.set_aside is None else is_active & ~cards.set_aside[position])

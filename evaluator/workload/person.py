"""How one person studies, read from the log: answers, seconds, days, and the cards that are alive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ..data.reviews import CardRows
from ..data.revlog import SECONDS_PER_DAY, Cards, Ints, Revlog
from ..derivatives import Floats
from .anki_intervals import AGAIN, EASY
from .year import StudyHabits

Bools = npt.NDArray[np.bool_]

#: Number of last days from which study habits are read.
RECENT = 90
#: A card not reviewed for longer does not count as studied, nor does one in a deck not studied in the recent days.
ALIVE = 180
#: Minimum share of reviews on time for a user who keeps up.
MIN_ON_TIME_SHARE = 0.8
#: Seconds of an answer that was never given.
USUAL_SECONDS = 8.0
#: Weight of the overall shares when a rarer class of answers is estimated, in answers.
FEW = 20


@dataclass(frozen=True)
class StudyLog:
    """The rows of the log that are replayed, with further facts about them."""

    rows: CardRows
    interval: Ints  #: (n,) given by the scheduler; days, or seconds if negative, which are less than a day
    last_interval: Ints  #: (n,) before the review
    factor: Ints  #: (n,)
    seconds: Floats  #: (n,)
    of_review: Bools  #: (n,) answers to cards in review, or in a filtered deck
    start: Ints  #: (cards,) each card's first row
    size: Ints  #: (cards,)

    @classmethod
    def of(cls, rows: CardRows, log: Revlog, max_seconds: int) -> StudyLog:
        log_row, start = rows.log_row, np.flatnonzero(rows.position == 0)
        interval, last_interval = (
            np.where(column <= -SECONDS_PER_DAY, -column // SECONDS_PER_DAY, column)  # A learning step may take days.
            for column in (log.interval[log_row], log.last_interval[log_row])
        )
        return cls(
            rows,
            interval,
            last_interval,
            log.factor[log_row],
            np.clip(log.duration_ms[log_row] / 1000, 0.0, max_seconds),
            np.isin(log.kind[log_row], (1, 3)),
            start,
            np.diff(start, append=len(rows)),
        )

    @property
    def has_times(self) -> bool:
        """Return whether answer times are known. Logs without them hold 0 for each."""
        return bool(self.seconds.any())

    @property
    def later(self) -> Bools:
        """The answers that were a card's first one on a later day."""
        return self.rows.elapsed_days > 0

    def given(self, row: Ints) -> Ints:
        """Return the interval with which the day ended for the card of each row, at least one day."""
        return np.maximum(self.interval[self.last_of_day(row)], 1)

    def last_of_day(self, row: Ints) -> Ints:
        """Return the last row of the same card and day for each row."""
        is_same = np.concatenate([(self.rows.elapsed_days == 0) & (self.rows.position > 0), [False]])
        ends = np.flatnonzero(~is_same[1:])  # rows after which another day or card begins
        return ends[np.searchsorted(ends, row)]

    def last_row(self, card: Ints) -> Ints:
        """Return the last row of each card."""
        return self.start[card] + self.size[card] - 1


def lateness(study: StudyLog, first: int, stop: int) -> Tuple[Ints, float]:
    """Return by how many days of study the reviews of some days came late, and the share that came on time.

    Early reviews count below 0. A review is on time if it is late by at most one day or a tenth of its interval.
    """
    rows = study.rows
    within = (rows.day >= first) & (rows.day < stop)
    row = np.flatnonzero(within & study.later & study.of_review & (study.last_interval > 0))
    if not len(row):
        return np.zeros(1, dtype=np.int64), 1.0
    days = np.unique(rows.day)
    due = rows.day[row] - rows.elapsed_days[row] + study.last_interval[row]
    late = np.searchsorted(days, rows.day[row]) - np.searchsorted(days, due)
    over = rows.elapsed_days[row] - study.last_interval[row]
    on_time = float((over <= np.maximum(1, 0.1 * study.last_interval[row])).mean())
    return late, on_time


def habits(study: StudyLog, first: int, stop: int, studied: Ints) -> StudyHabits:
    """Return the habits of the days from ``first`` to ``stop`` (exclusive).

    If the recent days have few answers of a kind, earlier ones count too.

    Args:
        study: the log.
        first: first of the recent days.
        stop: the day after the last one.
        studied: the days to simulate.
    """
    rows, past = study.rows, study.rows.day < stop
    recent = past & (rows.day >= first)
    is_first, later = rows.position == 0, study.later
    again = ~is_first & ~later
    leading = np.maximum.accumulate(np.where(is_first | later, np.arange(len(rows)), 0))  # the day's first answer
    to_learn, lapse = is_first & (rows.rating != EASY), later & (rows.rating == AGAIN)
    return StudyHabits(
        first=_shares(rows.rating[is_first & recent], rows.rating[is_first & past], (1, 2, 3, 4)),
        passed=_shares(rows.rating[later & recent], rows.rating[later & past], (2, 3, 4)),
        after_first=_mean_further(again & to_learn[leading], to_learn, recent, past),
        after_lapse=_mean_further(again & lapse[leading], lapse, recent, past),
        seconds=np.array([_seconds(study, kind & past, recent) for kind in (is_first, again, later)]),
        delays=lateness(study, first, stop)[0],
        studied=studied,
    )


def _shares(recent: Ints, past: Ints, buttons: Tuple[int, ...]) -> Floats:
    counts, overall = (np.bincount(rating, minlength=5)[list(buttons)].astype(float) for rating in (recent, past))
    if overall.sum() == 0:
        overall = np.array([button == 3 for button in buttons], dtype=float)
    mixed = counts + FEW * overall / overall.sum()
    shares: Floats = mixed / mixed.sum()
    return shares


def _mean_further(further: Bools, leading: Bools, recent: Bools, past: Bools) -> float:
    overall = (further & past).sum() / max(int((leading & past).sum()), 1)
    return float(((further & recent).sum() + FEW * overall) / ((leading & recent).sum() + FEW))


def _seconds(study: StudyLog, kind: Bools, recent: Bools) -> List[float]:
    usual = float(study.seconds[kind].mean()) if kind.any() else USUAL_SECONDS
    result = []
    for button in (1, 2, 3, 4):
        mask = kind & (study.rows.rating == button)
        if (mask & recent).sum() >= FEW:
            mask = mask & recent
        result.append(float(study.seconds[mask].mean()) if mask.sum() >= FEW else usual)
    return result


def active_cards(study: StudyLog, cards: Optional[Cards], today: int) -> Ints:
    """Return the numbers of the cards that are still studied on the day ``today``."""
    last_day = study.rows.day[study.start + study.size - 1]
    keep = last_day >= today - ALIVE
    if cards is None or not len(cards.card_id):
        return np.flatnonzero(keep & (cards is None))
    position, exists = locate_cards(cards.card_id, study.rows.card_id[study.start])
    deck = cards.deck_id[position]
    keep &= exists & np.isin(deck, deck[exists & (last_day > today - RECENT)])
    return np.flatnonzero(keep if cards.set_aside is None else keep & ~cards.set_aside[position])


def locate_cards(card_id: Ints, requested: Ints) -> Tuple[Ints, Bools]:
    """Return the index of each requested card in ``card_id``, which is not empty, and whether it is there."""
    order = np.argsort(card_id)
    position = order[np.minimum(np.searchsorted(card_id, requested, sorter=order), len(order) - 1)]
    return position, card_id[position] == requested

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
    def of(cls, rows: CardRows, log: Revlog, most_seconds: int) -> StudyLog:
        log_row = rows.log_row
        start = np.flatnonzero(rows.position == 0)
        given, last = (
            np.where(interval <= -SECONDS_PER_DAY, -interval // SECONDS_PER_DAY, interval)  # long learning steps
            for interval in (log.interval[log_row], log.last_interval[log_row])
        )
        return cls(
            rows,
            given,
            last,
            log.factor[log_row],
            np.clip(log.duration_ms[log_row] / 1000, 0.0, most_seconds),
            np.isin(log.kind[log_row], (1, 3)),
            start,
            np.diff(start, append=len(rows)),
        )

    @property
    def has_times(self) -> bool:
        """Return whether answer times are known; logs without them hold 0 for each."""
        return bool(self.seconds.any())

    @property
    def later(self) -> Bools:
        """The answers that were a card's first one on a later day."""
        return self.rows.elapsed_days > 0

    def given(self, row: Ints) -> Ints:
        """Return the interval in days with which the day ended for the card of each row; 1 if that was none."""
        last = self.last_of_day(row)
        return np.maximum(self.interval[last], 1)

    def last_of_day(self, row: Ints) -> Ints:
        same = np.concatenate([(self.rows.elapsed_days == 0) & (self.rows.position > 0), [False]])
        ends = np.flatnonzero(~same[1:])  # rows after which another day or card begins
        return ends[np.searchsorted(ends, row)]


def studied_days(study: StudyLog, first: int, stop: int) -> Ints:
    """Return the days from ``first`` to ``stop`` (exclusive) on which anything was answered, counted from ``first``."""
    days = np.unique(study.rows.day)
    return days[(days >= first) & (days < stop)] - first


def lateness(study: StudyLog, first: int, stop: int) -> Tuple[Ints, float]:
    """Return by how many studied days the reviews of some days came late, or early (below 0), and the share on time.

    A review is on time if it is late by at most one day or a tenth of its interval, whichever is more.
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
    """Return the habits of the days from ``first`` to ``stop`` (exclusive); ``studied`` are the days to simulate."""
    rows = study.rows
    recent = (rows.day >= first) & (rows.day < stop)
    past = rows.day < stop
    is_first, later = rows.position == 0, study.later
    again = ~is_first & ~later
    led_by = np.maximum.accumulate(np.where(is_first | later, np.arange(len(rows)), 0))
    to_learn, lapse = is_first & (rows.rating != EASY), later & (rows.rating == AGAIN)
    after_first, after_lapse = (
        _mean_further(again & kind[led_by] & recent, kind & recent, again & kind[led_by] & past, kind & past)
        for kind in (to_learn, lapse)
    )
    shares = _shares(rows.rating, is_first, recent, past, (1, 2, 3, 4))
    passed = _shares(rows.rating, later & (rows.rating > AGAIN), recent, past, (2, 3, 4))
    seconds = np.array([_seconds(study, kind & past, recent) for kind in (is_first, again, later)])
    late, _ = lateness(study, first, stop)
    return StudyHabits(shares, passed, after_first, after_lapse, seconds, late, studied)


def _shares(rating: Ints, which: Bools, recent: Bools, past: Bools, buttons: Tuple[int, ...]) -> Floats:
    """Return the shares of the buttons in the recent days; if these are few, in earlier ones too."""
    counts, before = (
        np.bincount(rating[which & part], minlength=5)[list(buttons)].astype(float) for part in (recent, past)
    )
    if before.sum() == 0:
        before = np.array([button == 3 for button in buttons], dtype=float)
    mixed = counts + FEW * before / before.sum()
    shares: Floats = mixed / mixed.sum()
    return shares


def _mean_further(further: Bools, led_by: Bools, all_further: Bools, all_led_by: Bools) -> float:
    overall = all_further.sum() / max(int(all_led_by.sum()), 1)
    return float((further.sum() + FEW * overall) / (led_by.sum() + FEW))


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
    rows = study.rows
    end = study.start + study.size - 1
    keep = rows.day[end] >= today - ALIVE
    if cards is None or not len(cards.card_id):
        return np.flatnonzero(keep & (cards is None))
    position, exists = locate_cards(cards.card_id, rows.card_id[end])
    deck = cards.deck_id[position]
    keep &= exists & np.isin(deck, np.unique(deck[exists & (rows.day[end] > today - RECENT)]))
    return np.flatnonzero(keep if cards.set_aside is None else keep & ~cards.set_aside[position])


def locate_cards(card_id: Ints, of: Ints) -> Tuple[Ints, Bools]:
    """Return each card's index in ``card_id``, and whether it is there."""
    order = np.argsort(card_id)
    if not len(order):
        return np.zeros(len(of), dtype=np.int64), np.zeros(len(of), dtype=bool)
    place = order[np.minimum(np.searchsorted(card_id, of, sorter=order), len(order) - 1)]
    return place, card_id[place] == of

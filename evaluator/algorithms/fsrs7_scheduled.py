"""FSRS-7 that is trained with penalties for what would make it a bad scheduler.

Both penalties follow one card, which is first answered Good and then ten times more, each time when recall has fallen
to a target.

Reference: open-spaced-repetition/srs-benchmark, models/fsrs_v7_interval_penalty.py, as of September 2026.
"""

from __future__ import annotations

from typing import List, Tuple

import numpy as np

from ..derivatives import Floats, Tape, Variable, value_of
from ..revlog import SECONDS_PER_DAY
from .algorithm import Array, State, Training
from .fsrs7 import FSRS7, RECENCY, curves
from .fsrs_state import MAX_STABILITY

GOOD = np.array([3, 3])
REVIEWS = 10
#: The cards of the two penalties, side by side.
TARGETS = np.array([0.9, 0.99])
GROWTH_WEIGHT, MINUTES_WEIGHT = 0.5, 0.0015
#: Ten minutes: intervals of less than a day should on average not be shorter.
SHORTEST = 1 / 144

NEWTON_STEPS = 7
LOG_LIMITS = -np.log(SECONDS_PER_DAY), np.log(MAX_STABILITY)  #: of an interval, one second to a hundred years

#: How far apart two recalls are taken for a slope, of the logarithm of the days.
STEP = 1e-5
SIDES = np.array([[0.0], [STEP], [-STEP]])


class FSRS7Scheduled(FSRS7):
    """FSRS-7 whose intervals should not jump, nor be many within a few minutes."""

    def penalty(self, w: Floats) -> Tuple[float, Floats]:
        """0.5 P1 + 0.0015 P2.

        P1 is the square of the largest ratio of two intervals that follow each other, the first at least a day, with a
        target of 90 %. P2 is max(1/x, 144) - 144, with x the mean (days) of the intervals of less than a day, with a
        target of 99 %. Each is 0 where there are no such intervals, or they are not finite.
        """
        tape = Tape()
        parameters = [tape.variable(np.asarray(value)) for value in w]
        intervals = self._intervals(parameters)
        long, short = np.array([value_of(interval) for interval in intervals]).T
        value, gradient = 0.0, np.zeros(len(w))
        for row, found in ((0, _growth(intervals, long)), (1, _shortness(intervals, short))):
            slopes = [0.0 if d is None else np.broadcast_to(d, 2)[row] for d in tape.derivatives(found, parameters)]
            worth = np.broadcast_to(value_of(found), 2)[row]
            if np.isfinite(worth) and np.isfinite(slopes).all():
                value += float(worth)
                gradient += slopes
        return value, gradient

    def _intervals(self, w: List[Variable]) -> List[Array]:
        """The intervals of the two cards, (2,) each."""
        state, found = self.first(w, GOOD), []
        for _ in range(REVIEWS):
            found.append(_interval(w, state))
            state = self.step(w, state, found[-1], GOOD)
        return found


def _interval(w: List[Variable], state: State) -> Array:
    """The days until the mixture of the curves falls to the targets, with derivatives by the implicit function."""
    plain_w, plain = [value_of(p) for p in w], tuple(np.broadcast_to(value_of(s), 2) for s in state)
    log_days = np.clip(np.log(plain[0]), *LOG_LIMITS)
    for _ in range(NEWTON_STEPS):
        recall, slope = _by_log_days(plain_w, plain, log_days)
        log_days = np.clip(log_days - (recall - TARGETS) / np.minimum(slope, -1e-12), *LOG_LIMITS)
    slope = np.minimum(_by_log_days(plain_w, plain, log_days)[1], -1e-9)
    return np.exp(np.clip(log_days - (curves(w, state, np.exp(log_days))[1] - TARGETS) / slope, *LOG_LIMITS))


def _by_log_days(w: List[Floats], state: State, log_days: Floats) -> Tuple[Floats, Floats]:
    """The mixture of the curves, and its derivative by the logarithm of the days."""
    recall, later, earlier = curves(w, state, np.exp(log_days + SIDES))[1]
    return recall, (later - earlier) / (2 * STEP)


def _growth(intervals: List[Array], days: Floats) -> Array:
    """0.5 P1, from the intervals and their plain values (10,)."""
    from_a_day = np.flatnonzero(days[:-1] >= 1)
    if not len(from_a_day):
        return 0.0
    k = int(from_a_day[np.argmax(days[from_a_day + 1] / days[from_a_day])])
    ratio = intervals[k + 1] / intervals[k]
    return GROWTH_WEIGHT * ratio * ratio


def _shortness(intervals: List[Array], days: Floats) -> Array:
    """0.0015 P2, from the intervals and their plain values (10,)."""
    within_a_day = np.flatnonzero(days < 1)
    if not len(within_a_day):
        return 0.0
    total = intervals[within_a_day[0]]
    for k in within_a_day[1:]:
        total = total + intervals[k]
    return MINUTES_WEIGHT * (np.maximum(len(within_a_day) / total, 1 / SHORTEST) - 1 / SHORTEST)


ALGORITHMS = (
    FSRS7Scheduled(
        "FSRS-7 sched. penalties",
        "FSRS-7 trained with penalties for intervals that jump, or that are too short",
        training=Training(),
    ),
    FSRS7Scheduled(
        "FSRS-7 recency + sched. penalties",
        "FSRS-7 trained with these penalties, and with more weight on recent reviews",
        training=Training(recency=RECENCY),
    ),
)

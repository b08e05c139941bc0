"""FSRS-7 trained with penalties for intervals that a scheduler should avoid.

Each penalty is computed on a card that is always answered Good. After its first review it has ten more, each when
recall has fallen to a target.

Reference: open-spaced-repetition/srs-benchmark, models/fsrs_v7_interval_penalty.py, as of September 2026.
"""

from __future__ import annotations

from typing import List, Tuple

import numpy as np

from ..data.revlog import SECONDS_PER_DAY
from ..derivatives import Floats, LocalDerivatives, differentiate
from .algorithm import Array, State, Training
from .fsrs7 import FSRS7, RECENCY, curve_shape, curves, evaluate_curves
from .fsrs_state import MAX_STABILITY

#: The ratings of the two cards.
GOOD = np.array([3, 3])
#: Number of reviews after the first.
REVIEWS = 10
#: Desired retentions of the two cards on which the penalties are computed.
TARGETS = np.array([0.9, 0.99])
#: Weight of the penalty P1.
GROWTH_WEIGHT = 0.5
#: Weight of the penalty P2.
MINUTES_WEIGHT = 0.0015
#: Smallest mean of the intervals of less than a day that is not penalized, in days. It is ten minutes.
MIN_MEAN_INTERVAL = 1 / 144

NEWTON_STEPS = 8
#: Step of the logarithm of an interval below which the search ends.
TOLERANCE = 1e-12
#: Logarithms of the shortest and the longest interval in days, which are one second and a hundred years.
LOG_LIMITS = -np.log(SECONDS_PER_DAY), np.log(MAX_STABILITY)
LIMITS = np.exp(LOG_LIMITS)

#: Step of the finite difference of recall, in the logarithm of the interval.
STEP = 1e-5
#: Offsets of that logarithm at which recall is computed.
SIDES = np.array([[0.0], [STEP], [-STEP]])


class FSRS7Scheduled(FSRS7):
    """FSRS-7 with penalties for a sudden growth of the intervals and for many intervals of a few minutes."""

    def penalty(self, w: Floats) -> Tuple[float, Floats]:
        """Return 0.5 P1 + 0.0015 P2 and its gradient (P,).

        P1 has a target of 90%. It is the square of the largest ratio of an interval to the one before it, if that is at
        least a day. P2 has a target of 99%. It is max(1/x, 144) - 144, where x is the mean of the intervals of less
        than a day, in days. Each penalty is 0 if there are no such intervals, or if it is not finite.
        """
        states, days = self._intervals(w)
        slopes = self._slopes(w, states, days)
        value = 0.0
        gradient = np.zeros(len(w))
        for card, penalty in enumerate((_growth_penalty, _shortness_penalty)):
            loss, by_parameter = penalty(days[:, card], slopes[:, :, card])
            if np.isfinite(loss) and np.isfinite(by_parameter).all():
                value += loss
                gradient += by_parameter
        return value, gradient

    def _intervals(self, w: Floats) -> Tuple[Floats, Floats]:
        """Return the states of the two cards before each interval (10, 3, 2), and the intervals (10, 2)."""
        state = self.first(list(w), GOOD)
        states = []
        result = []
        for _ in range(REVIEWS):
            states.append(state)
            result.append(_solve_intervals(w, state))
            state = self.step(list(w), state, result[-1], GOOD)
        return np.array(states), np.array(result)

    def _slopes(self, w: Floats, states: Floats, days: Floats) -> Floats:
        """Return the derivatives of the intervals by the parameters (10, P, 2).

        The derivative of an interval follows from that of its recall, which is constant (implicit function theorem).
        The chain rule leads from one review to the next.
        """

        def outcome(w: List[Array], state_and_days: State, rating: Array) -> State:
            state = state_and_days[:-1]
            elapsed = state_and_days[-1]
            return (*self.step(w, state, elapsed, rating), curves(w, state, elapsed)[1])

        arguments = np.concatenate((states, days[:, None]), axis=1).swapaxes(0, 1).reshape(4, -1)
        local = differentiate(outcome, w, list(arguments), (np.tile(GOOD, REVIEWS),))
        by_argument = np.array(local.by_state).reshape(4, 4, REVIEWS, 2)
        by_parameter = _dense_by_parameter(local, len(w)).reshape(4, len(w), REVIEWS, 2)
        state = _dense_by_parameter(differentiate(lambda w, _, rating: self.first(w, rating), w, (), (GOOD,)), len(w))
        result = []
        for k, interval in enumerate(days):
            by_recall = by_parameter[3, :, k] + np.einsum("jc,jpc->pc", by_argument[3, :3, k], state)
            slope = -by_recall / np.minimum(by_argument[3, 3, k], -1e-9 / interval)
            slope *= (interval > LIMITS[0]) & (interval < LIMITS[1])
            result.append(slope)
            state_slope = np.einsum("ijc,jpc->ipc", by_argument[:3, :, k], np.concatenate((state, slope[None])))
            state = by_parameter[:3, :, k] + state_slope
        return np.array(result)


def _dense_by_parameter(local: LocalDerivatives, n_parameters: int) -> Floats:
    """Return the derivatives of all outputs by all parameters (outputs, P, n), 0 for missing entries."""
    result = np.zeros((len(local.values), n_parameters, len(local.values[0])))
    for by_parameter, entries in zip(result, local.by_parameter):
        for index, derivative in entries:
            by_parameter[index] = derivative
    return result


def _solve_intervals(w: Floats, state: State) -> Floats:
    """Return the days (2,) until recall of each card falls to its target, by Newton's method."""
    shape = curve_shape(list(w), state)
    log_days = np.clip(np.log(state[0]), *LOG_LIMITS)
    for _ in range(NEWTON_STEPS):
        recall, recall_later, recall_earlier = evaluate_curves(shape, np.exp(log_days + SIDES))[1]
        # Recall may be flat in double precision.
        step = (recall - TARGETS) * (2 * STEP) / np.minimum(recall_later - recall_earlier, -1e-17)
        previous = log_days
        log_days = np.clip(log_days - step, *LOG_LIMITS)
        if (np.abs(log_days - previous) < TOLERANCE).all():
            break
    days: Floats = np.exp(log_days)
    return days


def _growth_penalty(days: Floats, slopes: Floats) -> Tuple[float, Floats]:
    """Return 0.5 P1 and its gradient, from the intervals (10,) and their derivatives (10, P)."""
    long_intervals = np.flatnonzero(days[:-1] >= 1)
    if not len(long_intervals):
        return 0.0, np.zeros(slopes.shape[1])
    k = int(long_intervals[np.argmax(days[long_intervals + 1] / days[long_intervals])])
    ratio = float(days[k + 1] / days[k])
    return GROWTH_WEIGHT * ratio**2, 2 * GROWTH_WEIGHT * ratio / days[k] * (slopes[k + 1] - ratio * slopes[k])


def _shortness_penalty(days: Floats, slopes: Floats) -> Tuple[float, Floats]:
    """Return 0.0015 P2 and its gradient, from the intervals (10,) and their derivatives (10, P)."""
    short_intervals = np.flatnonzero(days < 1)
    total = float(days[short_intervals].sum())
    intervals_per_day = len(short_intervals) / total if total else 0.0
    if intervals_per_day <= 1 / MIN_MEAN_INTERVAL:
        return 0.0, np.zeros(slopes.shape[1])
    gradient = -MINUTES_WEIGHT * intervals_per_day / total * slopes[short_intervals].sum(axis=0)
    return MINUTES_WEIGHT * (intervals_per_day - 1 / MIN_MEAN_INTERVAL), gradient


ALGORITHMS = (
    FSRS7Scheduled(
        "FSRS-7 sched. penalties",
        "FSRS-7 trained with penalties for intervals that jump, or that are too short",
        training=Training(),
    ),
    FSRS7Scheduled(
        "FSRS-7 recency + sched. penalties",
        "FSRS-7 as planned for Anki: trained with both penalties and more weight on recent reviews",
        training=Training(recency=RECENCY),
    ),
)

"""Anki-SM-2: the scheduler that Anki had before FSRS, with its options as parameters.

Reference: the Anki manual, "What spaced repetition algorithm does Anki use?" and Deck Options. Good and Easy are as in
the manual. The benchmark of January 2025 had exchanged them in the interval formulas, later versions have not.
"""

from __future__ import annotations

from typing import Sequence, Tuple

import numpy as np

from ..data.revlog import Sm2Settings
from .algorithm import Array, Calibrated, Parameter, Recurrent, Source, State, Training, by_rating

PARAMETERS = (
    Parameter(1, 1, 9999, width=2.0, log=True),  # w0: graduating interval, in days
    Parameter(4, 1, 9999, width=2.0, log=True),  # w1: easy interval
    Parameter(2.5, 1.31, 5, width=1.0),  # w2: starting ease
    Parameter(1.3, 1, 5, width=1.0),  # w3: easy bonus
    Parameter(1.2, 0.5, 1.3, width=0.3),  # w4: hard interval
    Parameter(0, 0, 1, width=0.5),  # w5: new interval after a lapse, as a share of the old one
    Parameter(1, 0.5, 2, width=0.5),  # w6: interval modifier
)


class AnkiSM2(Recurrent):
    """Anki-SM-2, whose state is interval in days and ease factor. R(t) = 0.9^(t / interval)."""

    family = "SM-2"
    source = Source.OPTIONS
    parameters = PARAMETERS

    def with_options(self, settings: Sm2Settings) -> Tuple[float, ...]:
        intervals = float(settings.graduating_interval), float(settings.easy_interval)
        factors = settings.easy_bonus, settings.hard_factor, settings.lapse_factor, settings.interval_modifier
        return (*intervals, settings.starting_ease, *factors)

    def first(self, w: Sequence[Array], rating: Array) -> State:
        return np.where(rating == 4, w[1], w[0]), w[2] + 0.0 * rating

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        interval, ease = state
        late = elapsed - interval
        early_hard = np.maximum(elapsed * w[4], interval * w[4] / 2)
        early_good = np.maximum(elapsed * ease, interval)
        early_easy = early_good * (w[3] + 1) / 2
        hard = np.where(late < 0, early_hard, interval * w[4])
        good = np.where(late < 0, early_good, (interval + late / 2) * ease)
        easy = np.where(late < 0, early_easy, (interval + late) * ease * w[3])
        interval = by_rating(rating, interval * w[5], hard * w[6], good * w[6], easy * w[6])
        ease = ease + by_rating(rating, -0.2, -0.15, 0.0, 0.15)
        return np.clip(_soft_minimum_of_a_day(interval), 0.01, 36_500.0), np.clip(ease, 1.3, 5.5)

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return 0.9 ** (elapsed / state[0])


def _soft_minimum_of_a_day(interval: Array) -> Array:
    """Raise intervals to one day. Below it they keep a slope of 0.01, so that training sees a gradient."""
    return np.maximum(interval, 1 - 0.01 * (1 - interval))


class ElapsedShare(AnkiSM2):
    """Anki-SM-2 that returns t / interval instead of a probability."""

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return elapsed / state[0]


class AnkiSM2Calibrated(Calibrated):
    """Anki-SM-2 with a trained forgetting curve: R(t) = 0.9^(c (t / interval)^b).

    The intervals are those of Anki-SM-2. c = b = 1 gives its predictions, and b = 0 a constant.
    """

    family = "SM-2"
    meanings = "calibration"
    parameters = (
        Parameter(1, 0.05, 20, width=1.0, log=True),  # w0: c
        Parameter(0.5, 0, 2, width=0.4),  # w1: b
    )

    @property
    def scheduler(self) -> ElapsedShare:
        return ElapsedShare(self.name, self.description, self.table)

    def recall(self, w: Sequence[Array], share: Array) -> Array:
        return 0.9 ** (w[0] * share ** w[1])


ALGORITHMS = (
    AnkiSM2("Anki-SM-2", "Anki's scheduler before FSRS, with its default options"),
    AnkiSM2(
        "Anki-SM-2 trainable",
        "Anki's scheduler before FSRS, its options trained on your earlier reviews",
        training=Training(),
    ),
    AnkiSM2Calibrated(
        "Anki-SM-2 calibrated",
        "Anki's scheduler before FSRS, its forgetting curve trained on your earlier reviews",
        training=Training(),
    ),
)

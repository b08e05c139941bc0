"""Anki-SM-2, the scheduler that Anki had before FSRS. Its options are the parameters.

Reference: the Anki manual, "What spaced repetition algorithm does Anki use?" and Deck Options. Good and Easy are as in
the manual. The benchmark of January 2025 exchanged them in the interval formulas, and later versions do not.
"""

from __future__ import annotations

from typing import Sequence, Tuple

import numpy as np

from ..data.revlog import Sm2Settings
from .algorithm import Array, Calibrated, Exponential, Parameter, Source, State, Training, by_rating


class AnkiSM2(Exponential):
    """Anki-SM-2, whose state is the interval in days and the ease factor. R(t) = 0.9^(t / interval)."""

    family = "SM-2"
    source = Source.OPTIONS
    parameters = (
        # w0 is the graduating interval in days.
        Parameter(1, 1, 9999, width=2.0, log=True),
        # w1 is the easy interval in days.
        Parameter(4, 1, 9999, width=2.0, log=True),
        # w2 is the starting ease.
        Parameter(2.5, 1.31, 5, width=1.0),
        # w3 is the easy bonus.
        Parameter(1.3, 1, 5, width=1.0),
        # w4 is the hard interval, as a multiple of the old interval.
        Parameter(1.2, 0.5, 1.3, width=0.3),
        # w5 is the new interval after a lapse, as a share of the old one.
        Parameter(0, 0, 1, width=0.5),
        # w6 is the interval modifier.
        Parameter(1, 0.5, 2, width=0.5),
    )

    def with_options(self, settings: Sm2Settings) -> Tuple[float, ...]:
        return (
            settings.graduating_interval,
            settings.easy_interval,
            settings.starting_ease,
            settings.easy_bonus,
            settings.hard_factor,
            settings.lapse_factor,
            settings.interval_modifier,
        )

    def first(self, w: Sequence[Array], rating: Array) -> State:
        return np.where(rating == 4, w[1], w[0]), w[2] + 0.0 * rating

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        interval, ease = state
        delay = elapsed - interval
        early_hard = np.maximum(elapsed * w[4], interval * w[4] / 2)
        early_good = np.maximum(elapsed * ease, interval)
        early_easy = early_good * (w[3] + 1) / 2
        hard = np.where(delay < 0, early_hard, interval * w[4])
        good = np.where(delay < 0, early_good, (interval + delay / 2) * ease)
        easy = np.where(delay < 0, early_easy, (interval + delay) * ease * w[3])
        interval = by_rating(rating, interval * w[5], hard * w[6], good * w[6], easy * w[6])
        ease = ease + by_rating(rating, -0.2, -0.15, 0.0, 0.15)
        return np.clip(_soft_minimum_of_a_day(interval), 0.01, 36_500.0), np.clip(ease, 1.3, 5.5)


def _soft_minimum_of_a_day(interval: Array) -> Array:
    """Raise intervals below a day to nearly one day, with a slope of 0.01, so that training sees a gradient."""
    return np.maximum(interval, 1 - 0.01 * (1 - interval))


class ElapsedShare(AnkiSM2):
    """Anki-SM-2 whose ``recall`` returns t / interval instead of a probability."""

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        return elapsed / state[0]


class AnkiSM2Calibrated(Calibrated):
    """Anki-SM-2 with a trained forgetting curve: R(t) = 0.9^(c (t / interval)^b).

    The intervals are those of Anki-SM-2. c = b = 1 gives its predictions, and b = 0 a constant.
    """

    family = "SM-2"
    meanings = "calibration"
    parameters = (
        # w0 is the factor c.
        Parameter(1, 0.05, 20, width=1.0, log=True),
        # w1 is the exponent b.
        Parameter(0.5, 0, 2, width=0.4),
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

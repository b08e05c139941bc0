"""SM-2 (1987), the algorithm that Anki's original scheduler descends from, without parameters to train.

SM-2 gives intervals, not probabilities. As in the benchmark, recall is taken to be 90% at the end of its interval, on
an exponential curve: R(t) = 0.9^(t / interval). That curve is an assumption which SM-2 itself never made.

Reference: P. A. Wozniak (1990), Optimization of learning, section 3.2: application of a computer to improve the
results obtained in working with the SuperMemo method; quality = button + 1.
"""

from __future__ import annotations

from typing import Sequence

import numpy as np

from .algorithm import Array, Recurrent, State

LOG_90_PERCENT = np.log(0.9)
MAX_INTERVAL = 36_500.0


class SM2(Recurrent):
    """SM-2, whose state is interval in days, ease factor, passes in a row (0, 1, then 2 for "two or more")."""

    family = "SM-2"
    uses = ("ratings",)

    def first(self, w: Sequence[Array], rating: Array) -> State:
        blank = 0.0 * rating
        return self.step(w, (blank, blank + 2.5, blank), blank, rating)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        interval, ease, passes = state
        quality = rating + 1
        passed = quality > 2
        later = np.where(passes == 0, 1.0, np.where(passes == 1, 6.0, interval * ease))
        interval = np.where(passed, later, 1.0)
        passes = np.where(passed, np.minimum(passes + 1, 2), 0)
        ease = np.maximum(1.3, ease + 0.1 - (5 - quality) * (0.08 + (5 - quality) * 0.02))
        return np.clip(np.rint(interval + 0.01), 1.0, MAX_INTERVAL), ease, passes

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        interval, _, _ = state
        return np.exp(LOG_90_PERCENT * elapsed / interval)


ALGORITHMS = (SM2("SM-2", "The classic algorithm of 1987; its intervals assume 90% recall"),)

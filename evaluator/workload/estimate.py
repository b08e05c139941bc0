"""The year ahead under each scheduler, by one memory: what it costs, what is remembered, and how they compare."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Callable, Dict, Optional, Tuple

import numpy as np

from ..derivatives import Floats
from ..progress import SILENT, Progress
from ..revlog import Ints
from ..statistics.student_t import student_t_quantile
from .memories import Memory
from .schedulers import Scheduler
from .year import Habits, Start, Totals, simulate

#: Desired retentions of the curve.
DESIRED = (0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 0.97)
HORIZON = 365
#: Draws of the parameters; as many more runs at the fitted ones say how much is chance.
DRAWS, REPEATS = 30, 6
T = student_t_quantile(0.975, DRAWS - 1)


@dataclass(frozen=True)
class Ratios:
    """Natural logarithms of FSRS / SM-2, one for each draw; NaN where the curve does not get there."""

    reviews: Floats  #: at equal knowledge
    minutes: Floats
    known: Floats  #: at equal minutes
    desired: Floats  #: the desired retention of equal knowledge (not a logarithm)


def ratios(sm2: Totals, fsrs: Totals) -> Ratios:
    """Compare SM-2 (1, draws) with FSRS's curve (variants, draws)."""
    desired = np.repeat(np.array(DESIRED)[:, None], fsrs.known.shape[1], axis=1)
    at = sm2.known[0]
    return Ratios(
        read_off(fsrs.known, np.log(fsrs.reviews), at) - np.log(sm2.reviews[0]),
        read_off(fsrs.known, np.log(fsrs.seconds), at) - np.log(sm2.seconds[0]),
        read_off(fsrs.seconds, np.log(fsrs.known), sm2.seconds[0]) - np.log(at),
        read_off(fsrs.known, desired, at),
    )


def read_off(x: Floats, y: Floats, at: Floats) -> Floats:
    """For each draw: y where x is ``at``, on the curve over the variants; x, y (variants, draws), at (draws,)."""
    found = np.full(len(at), np.nan)
    for draw in range(len(at)):
        lowest = int(np.argmin(x[:, draw])) if x[0, draw] > x[:, draw].min() else 0
        rising = np.maximum.accumulate(x[lowest:, draw])
        keep = lowest + np.flatnonzero(np.diff(rising, prepend=-np.inf) > 0)
        if x[keep[0], draw] <= at[draw] <= x[keep[-1], draw]:
            found[draw] = np.interp(at[draw], x[keep, draw], y[keep, draw])
    return found


def centre_and_reach(values: Floats) -> Tuple[float, float]:
    """Mean of the draws and the half width of its 95 % interval; values (DRAWS + REPEATS,)."""
    of_draws, of_chance = values[:DRAWS], values[DRAWS:]
    noise = float(np.var(of_chance, ddof=1))
    variance = max(float(np.var(of_draws, ddof=1)) - noise, noise)
    return float(of_draws.mean()), T * sqrt(variance) * sqrt(1 + 1 / DRAWS)

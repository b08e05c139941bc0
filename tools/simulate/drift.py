"""Effects that change from day to day: what is true of a person this week is nearly true next week, too."""

from __future__ import annotations

from itertools import accumulate
from math import sqrt

import numpy as np

from tools.simulate.memory import Floats


def drifting(random: np.random.Generator, days: int, sd: float, *, persistence: float = 0.0, step: int = 1) -> Floats:
    """One effect for each of so many days (days,), normal with mean 0 and standard deviation ``sd`` on every day.

    Args:
        random: where chance comes from: one number for each step.
        days: how many.
        sd: standard deviation, in whatever unit the effect has.
        persistence: correlation of one step with the next, from 0 (independent of each other) to below 1; the effects
            of all steps are an autoregressive process of the first order, in its steady state from the first one on.
        step: so many days in a row have the same effect; the last step may be shorter.
    """
    fresh = random.normal(0, sd, -(-days // step))
    if persistence:
        share = sqrt(1 - persistence**2)
        fresh = np.array(list(accumulate(fresh, lambda before, new: persistence * before + share * new)))
    return np.repeat(fresh, step)[:days]

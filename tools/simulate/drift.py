"""Effects that drift: this week's value is nearly next week's, but not next year's."""

from __future__ import annotations

from itertools import accumulate
from math import exp, sqrt

import numpy as np

from tools.simulate.memory import Floats, Ints

#: Days after which a deviation has shrunk to exp(-1), about a third.
PERSISTENCE_DAYS = 28


def learner_drift(seed: int, days: int, sd: float) -> tuple[Floats, Floats]:
    """Return each day's change of recall in the logit, and a factor on how much is studied, both (days,).

    They have separate random numbers: without drift (``sd`` 0) the study is as if there were no such feature.
    """
    random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1,)))
    persistence = exp(-1 / PERSISTENCE_DAYS)
    recall, load = (drifting(random, days, sd, persistence=persistence) for _ in range(2))
    return recall, np.exp(load)


def drifting(random: np.random.Generator, days: int, sd: float, *, persistence: float = 0.0, step: int = 1) -> Floats:
    """Return effects of each day (days,), normal with mean 0 and standard deviation ``sd``.

    Args:
        random: source of randomness: one number for each step.
        days: how many.
        sd: standard deviation, in whatever unit the effect has.
        persistence: correlation of one step with the next, from 0 (independent of each other) to below 1; the effects
            of all steps are an autoregressive process of the first order, in its steady state from the first one.
        step: this many days in a row have the same effect; the last step may be shorter.
    """
    fresh = random.normal(0, sd, -(-days // step))
    if persistence:
        share = sqrt(1 - persistence**2)
        fresh = np.array(list(accumulate(fresh, lambda before, new: persistence * before + share * new)))
    return np.repeat(fresh, step)[:days]


def forecast_errors(random: np.random.Generator, card: Ints, day: Ints, sd: float, step: int | None) -> Floats:
    """Return an error for each review (n,): of its card, or of its day if there is a ``step``. Both count from 0."""
    if step is None:
        return np.asarray(random.normal(0, sd, card.max() + 1)[card])
    return drifting(random, int(day.max()) + 1, sd, step=step)[day]

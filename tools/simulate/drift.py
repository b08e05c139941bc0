"""Random effects that drift over weeks, so that next week's value is near this week's, but next year's is not."""

from __future__ import annotations

from itertools import accumulate
from math import exp, sqrt

import numpy as np

from tools.simulate.memory import Floats, Ints

#: Number of days after which a deviation has shrunk to exp(-1), about a third.
PERSISTENCE_DAYS = 28


def learner_drift(seed: int, days: int, sd: float) -> tuple[Floats, Floats]:
    """Return how much the logit of recall deviates on each day, and each day's factor of the amount of study (days,).

    ``sd`` is the standard deviation of both, in logits and in logarithms of the factor. Their random numbers are
    separate, so that drift changes no other random number of the learner.
    """
    random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1,)))
    persistence = exp(-1 / PERSISTENCE_DAYS)
    recall, load = (draw_drift(random, days, sd, persistence=persistence) for _ in range(2))
    return recall, np.exp(load)


def draw_drift(random: np.random.Generator, days: int, sd: float, *, persistence: float = 0.0, step: int = 1) -> Floats:
    """Return an effect for each day (days,), normally distributed with mean 0 and standard deviation ``sd``.

    Args:
        random: the source of randomness, which is used once for each step.
        days: the number of days.
        sd: the standard deviation, in the unit of the effect.
        persistence: the correlation of one step with the next, from 0 to below 1. The effects are an autoregressive
            process of the first order in its steady state.
        step: the number of successive days with the same effect. The last step may be shorter.
    """
    effects = random.normal(0, sd, -(-days // step))
    if persistence:
        share = sqrt(1 - persistence**2)
        effects = np.array(list(accumulate(effects, lambda last, new: persistence * last + share * new)))
    return np.repeat(effects, step)[:days]


def forecast_errors(random: np.random.Generator, card: Ints, day: Ints, sd: float, step: int | None) -> Floats:
    """Return an error of the forecast for each review (n,). All reviews of a card have the same error.

    If there is a ``step``, all reviews in that number of successive days have the same error instead. Cards and days
    count from 0.
    """
    if step is None:
        return np.asarray(random.normal(0, sd, card.max() + 1)[card])
    return draw_drift(random, int(day.max()) + 1, sd, step=step)[day]

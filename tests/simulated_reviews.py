"""Simulate reviews with effects of cards and days, and forecasters who know a part of each review's recall.

The reviews have no histories (for review logs see :mod:`tools.simulate.study`). They take milliseconds per person, so
that tests can count how often an interval contains the truth.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from tools.simulate.drift import draw_drift, forecast_errors
from tools.simulate.memory import Floats, Ints, sigmoid

#: Standard deviations of the effects of cards and days in the logit of recall.
CARD_SD = 0.8
DAY_SD = 0.3

#: Standard deviation and mean of the known part of a review's logit. They make recall about 88%.
KNOWN_SD = 0.7
CENTER = 2.2


@dataclass(frozen=True)
class SimulatedReviews:
    """One person's reviews in chronological order."""

    card: Ints
    day: Ints
    known: Floats  #: part of the logit that a forecaster may know
    recall: Floats  #: probability of recall, given the card, the day and the known part
    recalled: Ints


def simulate(
    random: np.random.Generator,
    *,
    cards: int,
    days: int,
    reviews: int,
    day_sd: float = DAY_SD,
    day_spread: float = 0.0,
    persistence: float = 0.0,
    step: int = 1,
    center: float = CENTER,
) -> SimulatedReviews:
    """Simulate reviews of cards that are reviewed unequally often (gamma weights of shape 2).

    Args:
        random: source of random numbers.
        cards: number of cards. Some may never be reviewed.
        days: number of days.
        reviews: number of reviews.
        day_sd: standard deviation of the days' effects in the logit.
        day_spread: standard deviation of the logarithm of the days' sizes. With 0 they are about equal.
        persistence: persistence of the days' effects, see :func:`draw_drift`.
        step: step of the days' effects, see :func:`draw_drift`.
        center: mean of the known part of the logit.
    """
    weight = random.gamma(2, 1, cards)
    card = random.choice(cards, reviews, p=weight / weight.sum())
    day = np.sort(_draw_days(random, days, reviews, day_spread))
    known = random.normal(center, KNOWN_SD, reviews)
    card_effects = random.normal(0, CARD_SD, cards)
    day_effects = draw_drift(random, days, day_sd, persistence=persistence, step=step)
    recall = sigmoid(known + card_effects[card] + day_effects[day])
    return SimulatedReviews(card, day, known, recall, (random.random(reviews) < recall).astype(np.int64))


def _draw_days(random: np.random.Generator, days: int, reviews: int, spread: float) -> Ints:
    """Return a day for each review, in random order."""
    if not spread:
        return random.integers(days, size=reviews)
    size = np.exp(random.normal(0, spread, days))
    return random.choice(days, reviews, p=size / size.sum())


def log_loss(logit: Floats, recalled: Ints) -> Floats:
    """Return -ln of the probability that a forecast with this logit gave to the outcome."""
    return np.asarray(np.logaddexp(0, np.where(recalled == 1, -logit, logit)))


def overconfident_minus_optimistic(reviews: SimulatedReviews) -> Floats:
    """Return the log loss of an overconfident forecaster minus that of an optimistic one.

    Their logits are 1.2 x and x + 0.4 for the known part x.
    """
    overconfident, optimistic = (log_loss(logit, reviews.recalled) for logit in _two_forecasts(reviews.known))
    return overconfident - optimistic


def expected_recall(*, day_sd: float = DAY_SD, center: float = CENTER) -> float:
    """Return the expected share of recalled reviews, by quadrature."""
    node, weight = _quadrature()
    return float(sigmoid(center + np.hypot(np.hypot(CARD_SD, day_sd), KNOWN_SD) * node) @ weight)


def true_difference(*, day_sd: float = DAY_SD, center: float = CENTER) -> float:
    """Return the expectation of :func:`overconfident_minus_optimistic`, by quadrature over known and unknown parts."""
    node, weight = _quadrature()
    known = center + KNOWN_SD * node
    recall = recall_given(known, day_sd=day_sd)
    expected = [
        recall * np.logaddexp(0, -logit) + (1 - recall) * np.logaddexp(0, logit) for logit in _two_forecasts(known)
    ]
    return float((expected[0] - expected[1]) @ weight)


@functools.cache
def _quadrature() -> tuple[Floats, Floats]:
    """Return values of a standard normal variable, and weights for integrals over it, which sum to 1."""
    node, weight = np.polynomial.hermite_e.hermegauss(60)
    return node, weight / weight.sum()


def _two_forecasts(known: Floats) -> tuple[Floats, Floats]:
    """Return the logits of the overconfident and of the optimistic forecaster."""
    return 1.2 * known, known + 0.4


def recall_given(known: Floats, *, day_sd: float = DAY_SD) -> Floats:
    """Return the probability of recall given the known part of the logit (n,).

    It is the average over cards and days, by quadrature.
    """
    node, weight = _quadrature()
    return np.asarray(sigmoid(known[:, None] + np.hypot(CARD_SD, day_sd) * node) @ weight)


def equally_good(
    random: np.random.Generator, reviews: SimulatedReviews, *, sd: float, step: int | None = None
) -> Floats:
    """Return the differences of log loss of two forecasters who are equally good, so that the expectation is 0.

    Both know the known part, and each adds errors of its own to the logit, with standard deviation ``sd``. With a
    ``step``, an error stays the same for this many days and then changes, so that one forecaster is better for a while
    only. Without a step, each forecaster has a constant error for every card.
    """

    def loss():
        return log_loss(reviews.known + forecast_errors(random, reviews.card, reviews.day, sd, step), reviews.recalled)

    return loss() - loss()

"""People who do not exist: reviews whose cards and days have effects of their own, and what forecasts of them lose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Standard deviations of the effects in the logit of recall.
CARD_SD, DAY_SD = 0.8, 0.3

#: Of a review's known part of the logit, and its mean: about 88 % are recalled.
SPREAD, CENTRE = 0.7, 2.2


@dataclass(frozen=True)
class Reviews:
    """One person's reviews in the order of time."""

    card: Ints
    day: Ints
    known: Floats  #: the part of the logit that a forecaster may know
    recalled: Ints


def simulate(
    random: np.random.Generator,
    *,
    cards: int,
    days: int,
    reviews: int,
    card_sd: float = CARD_SD,
    day_sd: float = DAY_SD,
) -> Reviews:
    """Cards are reviewed unequally often (gamma weights of shape 2), days are about equally long."""
    weight = random.gamma(2, 1, cards)
    card = random.choice(cards, reviews, p=weight / weight.sum())
    day = np.sort(random.integers(days, size=reviews))
    known = random.normal(CENTRE, SPREAD, reviews)
    logit = known + random.normal(0, card_sd, cards)[card] + random.normal(0, day_sd, days)[day]
    return Reviews(card, day, known, (random.random(reviews) < sigmoid(logit)).astype(np.int64))


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x))."""
    return 1 / (1 + np.exp(-x))


def log_loss(logit: Floats, recalled: Ints) -> Floats:
    return np.logaddexp(0, np.where(recalled == 1, -logit, logit))


def overconfident_minus_optimistic(reviews: Reviews) -> Floats:
    """Loss of a forecaster who exaggerates (logit 1.2 x) minus that of one who flatters (logit x + 0.4)."""
    one, other = (log_loss(logit, reviews.recalled) for logit in _two_forecasts(reviews.known))
    return one - other


def true_difference(*, card_sd: float = CARD_SD, day_sd: float = DAY_SD) -> float:
    """The expectation of :func:`overconfident_minus_optimistic`, by quadrature over what is known and what is not."""
    node, weight = np.polynomial.hermite_e.hermegauss(60)
    weight = weight / weight.sum()
    known = CENTRE + SPREAD * node
    recall = sigmoid(known[:, None] + np.hypot(card_sd, day_sd) * node) @ weight
    expected = [
        recall * np.logaddexp(0, -logit) + (1 - recall) * np.logaddexp(0, logit) for logit in _two_forecasts(known)
    ]
    return float((expected[0] - expected[1]) @ weight)


def _two_forecasts(known: Floats) -> tuple[Floats, Floats]:
    return 1.2 * known, known + 0.4

"""Reviews of simulated people with card and day effects, predicted by a model that is right on average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator

import numpy as np

from evaluator.data.revlog import Ints
from evaluator.derivatives import Floats
from evaluator.statistics.paired import Clusters

#: Standard deviations of the effects of cards and days on the logit of recall.
CARD_SD = 0.8
DAY_SD = 0.3
#: The possible logits of a review's recall, without the effects of card and day.
LEVELS = np.array([0.5, 1.0, 1.5, 2.0, 2.5, 3.0])


def expected_recall(logit: Floats) -> Floats:
    """Return the mean of 1 / (1 + exp(-(logit + effects))) over card and day effects, by quadrature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    effects = np.sqrt(CARD_SD**2 + DAY_SD**2) * nodes
    return (weights / weights.sum() / (1 + np.exp(-(logit[:, None] + effects)))).sum(axis=1)


EXPECTED = expected_recall(LEVELS)


@dataclass(frozen=True)
class Person:
    predicted: Floats
    recalled: Ints
    level: Ints  #: index into :data:`LEVELS` for each review
    clusters: Clusters


def people(
    random: np.random.Generator, count: int, reviews: int = 3000, cards: int = 200, days: int = 60
) -> Iterator[Person]:
    """Simulate people who review the same cards on the same days, and whose mean recall is as predicted."""
    card = random.integers(cards, size=reviews)
    day = np.sort(random.integers(days, size=reviews))
    level = random.integers(len(LEVELS), size=reviews)
    clusters = Clusters.of(card, day)
    for _ in range(count):
        effects = random.normal(0, CARD_SD, cards)[card] + random.normal(0, DAY_SD, days)[day]
        recalled = random.random(reviews) < 1 / (1 + np.exp(-LEVELS[level] - effects))
        yield Person(EXPECTED[level], recalled.astype(np.int64), level, clusters)

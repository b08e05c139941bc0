"""The simulated people of the tables."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from evaluator.statistics.paired import Clusters
from tools.bench.intervals.table import RATIO, Column, Value
from tools.simulate.reviews import Reviews, simulate


@dataclass(frozen=True)
class People:
    """A kind of simulated people; the fields are the arguments of :func:`simulate`."""

    cards: int
    days: int
    reviews: int
    day_sd: float = 0.3
    day_spread: float = 0.6
    persistence: float = 0.0
    step: int = 1

    def draw(self, random: np.random.Generator) -> Reviews:
        """Simulate the reviews of one person."""
        return simulate(random, **asdict(self))

    @property
    def row(self) -> tuple[Value, ...]:
        """The cells of :data:`COLUMNS`."""
        kind = f"AR(1) {self.persistence}" if self.persistence else "independent"
        alike = f"{self.step} days alike" if self.step > 1 else kind
        return self.cards, self.days, self.reviews, self.day_sd, self.day_spread, alike


COLUMNS = (
    *(Column(name, name) for name in ("cards", "days", "reviews")),
    Column("day_sd", "sd", RATIO),
    Column("day_spread", "spread", RATIO),
    Column("day_effects", "effects of days"),
)

#: What these columns mean.
MEANING = (
    "sd: standard deviation of the days' effects in the logit of recall; spread: of the logarithm of the days' sizes."
)


def clusters_of(reviews: Reviews) -> Clusters:
    """The cards, days and outcomes of reviews."""
    return Clusters.of(reviews.card, reviews.day, reviews.recalled)

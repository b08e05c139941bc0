"""The simulated people of several tables, and the interval that ours is compared with."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import sqrt

import numpy as np

from evaluator.interval import CONFIDENCE, Interval
from evaluator.statistics.paired import Clusters
from evaluator.statistics.student_t import student_t_quantile
from tools.bench.intervals.table import RATIO, Column, Value
from tools.simulate.memory import Floats, Ints
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


def with_independent_days(difference: Floats, clusters: Clusters, *, among: int = 1) -> Interval:
    """An interval that takes days for independent, jackknifed by cards and by days.

    It is one ``among`` several, which in 95 % of cases all hold (each at a confidence of 1 - 0.05 / among, Bonferroni).

    mean +- t * sqrt(max(V_card + V_day - V_both, V_card, V_day)), t with min(cards, days) - 1 degrees of freedom
    (Cameron, Gelbach & Miller 2011, J. Bus. Econ. Stat. 29:238), however few cards and days there are, from two on.
    """
    mean = float(difference.mean())
    card, day, both = (_jackknife(difference - mean, group) for group in (clusters.card, clusters.day, clusters.both))
    error = sqrt(max(card + day - both, card, day))
    reach = student_t_quantile(1 - (1 - CONFIDENCE) / 2 / among, min(clusters.cards, clusters.days) - 1) * error
    return Interval(mean, mean - reach, mean + reach, error)


def _jackknife(deviation: Floats, group: Ints) -> float:
    """Jackknife variance: (G - 1) / G * sum over G groups of (mean without the group - mean of all)^2."""
    total, size = np.bincount(group, deviation), np.bincount(group)
    return float((1 - 1 / len(total)) * ((total / (len(deviation) - size)) ** 2).sum())

"""Counts over simulated users: how often intervals contain the truth, distinguish equal models, ...

To add a table: write a frozen dataclass whose fields describe the users of a row, a function that returns the results
for one of them, and a :class:`CoverageTable` with both, and add it to ``TABLES`` in ``intervals.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from math import nan
from typing import Any

import numpy as np

from evaluator.errors import EvaluatorError
from evaluator.evaluation import evaluate
from evaluator.interval import BETTER, EQUIVALENT, WORSE, classify
from evaluator.options import Options
from evaluator.statistics.paired import Clusters, paired_difference
from tools.development.measure.table import PLAIN, RATIO, SHARE
from tools.simulate import simulate as simulate_study
from tools.simulate.people import learner
from tools.simulate.reviews import (
    SimulatedReviews,
    equally_good,
    expected_recall,
    overconfident_minus_optimistic,
    simulate,
    true_difference,
)


@dataclass(frozen=True)
class CoverageTable:
    """A table with one row for each kind of people."""

    caption: str
    kinds: Sequence[Any]  #: dataclasses
    about: Mapping[str, str]  #: header and format of a column for each of their fields
    person: Callable[[Any, np.random.Generator], tuple[float, ...]]  #: results for one user; NaN for missing ones
    columns: Mapping[str, str]  #: header and format of a column for each of these numbers


def clusters_of(reviews: SimulatedReviews) -> Clusters:
    """Return the cards, days and outcomes of reviews."""
    return Clusters.of(reviews.card, reviews.day, reviews.recalled)


_truth = cache(true_difference)

# --- coverage ---------------------------------------------------------------------------------------------------------


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

    def draw(self, random: np.random.Generator) -> SimulatedReviews:
        """Simulate the reviews of one person."""
        return simulate(random, **asdict(self))


def held(people: People, random: np.random.Generator) -> tuple[float]:
    """Return whether the interval contains the truth; None if there is none."""
    reviews = people.draw(random)
    interval = paired_difference(overconfident_minus_optimistic(reviews), clusters_of(reviews))
    side = interval.compare_with(_truth(day_sd=people.day_sd))
    return (nan if side is None else side == 0,)


COVERAGE = CoverageTable(
    "How often the 95% interval of a difference in log loss contains the true difference. sd: standard deviation "
    "of the days' effects in the logit of recall; spread: of the logarithm of the days' sizes; step: number of "
    "similar days in a row; persistence: correlation of a step with the next.",
    (
        People(100, 8, 300),
        People(100, 8, 300, day_sd=0.5, day_spread=0.8, persistence=0.9),
        People(200, 15, 800),
        People(200, 15, 800, day_sd=0.5, day_spread=1.0, persistence=0.9),
        People(20, 20, 400),
        People(250, 25, 1200),
        People(250, 25, 1200, day_sd=0.5, day_spread=0.8, persistence=0.9),
        People(300, 30, 1500, day_sd=0.6, day_spread=0.8),
        People(250, 40, 1500),
        People(250, 40, 1500, day_sd=0.5, day_spread=0.8, persistence=0.9),
        People(300, 60, 2500),
        People(300, 60, 2500, day_spread=2.0),
        People(300, 60, 2500, day_sd=0.5, persistence=0.9),
        People(400, 100, 4000),
        People(400, 100, 4000, day_sd=0.5, persistence=0.9),
        People(500, 200, 6000),
        People(500, 200, 6000, day_sd=0.5, step=30),
        People(800, 400, 12000),
        People(800, 400, 12000, day_sd=0.5, step=30),
    ),
    {
        "cards": PLAIN,
        "days": PLAIN,
        "reviews": PLAIN,
        "sd": RATIO,
        "spread": RATIO,
        "persistence": PLAIN,
        "step": PLAIN,
    },
    held,
    {"held": SHARE},
)

# --- little is forgotten ----------------------------------------------------------------------------------------------

CENTERS = np.arange(0, 15, 0.01)
DAY_SD = 0.3


@dataclass(frozen=True)
class Rare:
    """A number of reviews, and how many of them are forgotten on average."""

    forgotten: int
    reviews: int = 900
    cards: int = 200
    days: int = 60


@cache
def _center(rare: Rare) -> float:
    """Return the mean of the logit of recall by which this many reviews are forgotten."""
    expected = [1 - expected_recall(day_sd=DAY_SD, center=center) for center in CENTERS]
    return float(CENTERS[np.argmin(np.abs(np.array(expected) - rare.forgotten / rare.reviews))])


def side_of_truth(rare: Rare, random: np.random.Generator) -> tuple[bool, bool, bool]:
    """Return whether there is no interval, one below the truth, or one above it."""
    center = _center(rare)
    reviews = simulate(
        random, cards=rare.cards, days=rare.days, reviews=rare.reviews, day_sd=DAY_SD, center=center, day_spread=0.6
    )
    interval = paired_difference(overconfident_minus_optimistic(reviews), clusters_of(reviews))
    result = interval.compare_with(_truth(day_sd=DAY_SD, center=center))
    return result is None, result == -1, result == 1


RARE_OUTCOMES = CoverageTable(
    "With few lapses (on average this many): the share of people who get no interval, and of those whose 95% "
    "interval is wholly below, and wholly above, the true difference. 2.5% each would be right.",
    (
        *(Rare(forgotten) for forgotten in (5, 10, 15, 20, 50)),
        *(Rare(forgotten, reviews=400, cards=100, days=15) for forgotten in (10, 20, 50)),
    ),
    dict.fromkeys(("forgotten", "of reviews", "cards", "days"), PLAIN),
    side_of_truth,
    dict.fromkeys(("no interval", "below the truth", "above the truth"), SHARE),
)

# --- two who are equally good -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ForecasterPair:
    """Two equally good forecasters of one person's reviews; see :func:`equally_good`."""

    days: int
    a_day: int  #: reviews
    step: int | None  #: days; None: they do not drift
    sd: float


def falsely_decided(pair: ForecasterPair, random: np.random.Generator) -> tuple[bool]:
    """Return whether one of the pair is called better."""
    reviews = People(50 + pair.days, pair.days, pair.a_day * pair.days).draw(random)
    difference = equally_good(random, reviews, sd=pair.sd, step=pair.step)
    return (classify(paired_difference(difference, clusters_of(reviews))) in {BETTER, WORSE},)


EQUALS = CoverageTable(
    'How often "better" or "worse" is said of two forecasters of whom neither is. The reviews are of 50 cards, and one '
    "more for each day. Each errs in the logit by an error of its own, of that standard deviation (sd), which changes "
    "after so many days (step); without steps each errs about every card in its own way, for good. Drift slower than a "
    "quarter of the period, as in the last three rows, looks like a difference that lasts.",
    (
        *(ForecasterPair(days, 15, None, 0.5) for days in (8, 15, 25, 40, 60, 100, 200, 400)),
        ForecasterPair(10, 15, 3, 0.5),
        ForecasterPair(15, 15, 5, 0.5),
        ForecasterPair(25, 15, 7, 0.5),
        ForecasterPair(30, 15, 10, 0.5),
        ForecasterPair(60, 15, 14, 0.5),
        ForecasterPair(100, 15, 30, 0.5),
        ForecasterPair(208, 15, 30, 0.8),
        ForecasterPair(208, 15, 30, 0.4),
        ForecasterPair(400, 15, 30, 0.8),
        ForecasterPair(208, 15, 7, 0.8),
        ForecasterPair(28, 60, 7, 0.8),
        ForecasterPair(60, 60, 15, 0.8),
        ForecasterPair(100, 60, 25, 0.8),
        ForecasterPair(208, 60, 30, 0.8),
        ForecasterPair(60, 15, 30, 0.5),
        ForecasterPair(100, 15, 50, 0.5),
        ForecasterPair(208, 15, 90, 0.5),
    ),
    {"days": PLAIN, "reviews a day": PLAIN, "step": PLAIN, "sd": RATIO},
    falsely_decided,
    {"distinguished": SHARE},
)

# --- who has studied for some weeks only ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Weeks:
    """People who study for this many days, rest days among them."""

    least: int
    most: int


def verdict(weeks: Weeks, random: np.random.Generator) -> tuple[float, float, float]:
    """Return whether there are enough reviews, then an interval of FSRS-6 against SM-2, then a verdict."""
    person = learner(int(random.integers(1, 2**31)), seed=1, rows=2000)
    snapshot = simulate_study(replace(person, days=int(random.integers(weeks.least, weeks.most + 1)))).snapshot
    try:
        found = evaluate(snapshot, Options(("SM-2", "FSRS-6"))).report.verdict
    except EvaluatorError:
        return False, nan, nan
    return True, found.comparisons[0].difference.low_high is not None, found.code in {BETTER, WORSE, EQUIVALENT}


SHORT = CoverageTable(
    "FSRS-6 compared with SM-2, for simulated people who have studied only for weeks: who can be evaluated, and "
    "of these, who gets an interval, and who gets better, worse or equally good.",
    (Weeks(12, 19), Weeks(20, 29), Weeks(30, 49), Weeks(50, 90)),
    dict.fromkeys(("from day", "to day"), PLAIN),
    verdict,
    dict.fromkeys(("evaluated", "interval", "decided"), SHARE),
)

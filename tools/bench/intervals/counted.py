"""What is counted of simulated people: how often the intervals hold the truth, and how often they tell equals apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from math import nan
from typing import Any

import numpy as np

from evaluator.interval import BETTER, WORSE, judge
from evaluator.statistics.paired import paired_difference
from tools.bench.intervals.people import COLUMNS, MEANING, People, clusters_of
from tools.bench.intervals.table import PLAIN, RATIO, SHARE, Column, Run, Table
from tools.simulate.reviews import (
    equally_good,
    expected_recall,
    overconfident_minus_optimistic,
    simulate,
    true_difference,
)

#: What is counted of one person, of the kind that a row says: a number for each column, NaN where there is none.
Person = Callable[[Any, np.random.Generator], tuple[float, ...]]

_truth = cache(true_difference)


def means(person: Person, row: object, count: int, random: np.random.Generator) -> tuple[float | None, ...]:
    """The mean of each column over so many people; None where nobody has a number."""
    found = np.array([person(row, random) for _ in range(count)], dtype=float)
    return tuple(None if np.isnan(column).all() else float(np.nanmean(column)) for column in found.T)


# --- coverage ---------------------------------------------------------------------------------------------------------

COVERED = (
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
)


def coverage(run: Run) -> Table:
    """A table with a row for each kind of people."""
    return Table(
        "How often the 95 % interval of a difference in log loss holds the true difference. " + MEANING,
        (*COLUMNS, Column("held", "held", SHARE)),
        [(*people.row, *means(held, people, run.people, random)) for people, random in run.each(COVERED)],
    )


def held(people: People, random: np.random.Generator) -> tuple[float]:
    """Whether the interval holds the truth, if there is one."""
    reviews = people.draw(random)
    interval = paired_difference(overconfident_minus_optimistic(reviews), clusters_of(reviews))
    side = interval.side(_truth(day_sd=people.day_sd))
    return (nan if side is None else side == 0,)


# --- little is forgotten ----------------------------------------------------------------------------------------------

CENTRES = np.arange(0, 15, 0.01)
DAY_SD = 0.3


@dataclass(frozen=True)
class Rare:
    """A number of reviews, and how many of them are forgotten on average."""

    forgotten: int
    reviews: int = 900
    cards: int = 200
    days: int = 60


RARE = (
    *(Rare(forgotten) for forgotten in (5, 10, 15, 20, 50)),
    *(Rare(forgotten, reviews=400, cards=100, days=15) for forgotten in (10, 20, 50)),
)


def rare_outcomes(run: Run) -> Table:
    """A table with a row for each number of forgotten reviews."""
    return Table(
        "Where little is forgotten (on average so many reviews): the people who get no interval, and those whose 95 % "
        "interval lies wholly below the true difference, and wholly above it. 2.5 % each would be right.",
        (
            Column("forgotten", "forgotten"),
            Column("reviews", "of reviews"),
            Column("days", "days"),
            Column("no_interval", "no interval", SHARE),
            Column("below", "below the truth", SHARE),
            Column("above", "above the truth", SHARE),
        ),
        [
            (one.forgotten, one.reviews, one.days, *means(side_of_truth, one, run.people, random))
            for one, random in run.each(RARE)
        ],
    )


@cache
def _centre(rare: Rare) -> float:
    """The mean of the logit of recall by which so many reviews are forgotten."""
    expected = [1 - expected_recall(day_sd=DAY_SD, centre=centre) for centre in CENTRES]
    return float(CENTRES[np.argmin(np.abs(np.array(expected) - rare.forgotten / rare.reviews))])


def side_of_truth(rare: Rare, random: np.random.Generator) -> tuple[bool, bool, bool]:
    """Whether there is no interval, one below the truth, or one above it."""
    centre = _centre(rare)
    reviews = simulate(
        random, cards=rare.cards, days=rare.days, reviews=rare.reviews, day_sd=DAY_SD, centre=centre, day_spread=0.6
    )
    interval = paired_difference(overconfident_minus_optimistic(reviews), clusters_of(reviews))
    found = interval.side(_truth(day_sd=DAY_SD, centre=centre))
    return found is None, found == -1, found == 1


# --- two who are equally good -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """Two equally good forecasters of one person's reviews; see :func:`equally_good`."""

    days: int
    a_day: int  #: reviews
    step: int | None  #: days; None: they do not drift
    sd: float

    @property
    def people(self) -> People:
        """The simulated people: each has 50 cards, and one more for each day."""
        return People(50 + self.days, self.days, self.a_day * self.days)


#: Each changes within a third of the period at most; the last ones are hard, with many reviews and much drift.
DRIFTING = (
    Pair(10, 15, 3, 0.5),
    Pair(15, 15, 5, 0.5),
    Pair(25, 15, 7, 0.5),
    Pair(30, 15, 10, 0.5),
    Pair(60, 15, 14, 0.5),
    Pair(100, 15, 30, 0.5),
    Pair(208, 15, 30, 0.8),
    Pair(208, 15, 30, 0.4),
    Pair(400, 15, 30, 0.8),
    Pair(208, 15, 7, 0.8),
    Pair(28, 60, 7, 0.8),
    Pair(60, 60, 15, 0.8),
    Pair(100, 60, 25, 0.8),
    Pair(208, 60, 30, 0.8),
)
#: Slower than any interval can see.
SLOWLY_DRIFTING = (Pair(60, 15, 30, 0.5), Pair(100, 15, 50, 0.5), Pair(208, 15, 90, 0.5))
STEADY = tuple(Pair(days, 15, None, 0.5) for days in (8, 15, 25, 40, 60, 100, 200, 400))

_PAIR = (
    Column("days", "days"),
    Column("reviews_a_day", "reviews a day"),
    Column("step", "days of a step", PLAIN),
    Column("sd", "sd", RATIO),
    Column("told_apart", "told apart", SHARE),
)


def equals(what: str, pairs: Sequence[Pair]) -> Callable[[Run], Table]:
    """A table with a row for each pair; ``what`` it is that they do."""
    caption = (
        'How often "better" or "worse" is said of two forecasters of whom neither is. The reviews are of 50 cards, and '
        f"one more for each day. {what}"
    )

    def table(run: Run) -> Table:
        rows = [(*astuple(pair), *means(told_apart, pair, run.people, random)) for pair, random in run.each(pairs)]
        return Table(caption, _PAIR, rows)

    return table


def told_apart(pair: Pair, random: np.random.Generator) -> tuple[bool]:
    """Whether one of the pair is called better."""
    reviews = pair.people.draw(random)
    difference = equally_good(random, reviews, sd=pair.sd, step=pair.step)
    return (judge(paired_difference(difference, clusters_of(reviews))) in {BETTER, WORSE},)


ERRS = (
    "Each errs in the logit by an error of its own, of that standard deviation (sd), which changes after so many days."
)
drifting = equals(ERRS, DRIFTING)
slow = equals(f"{ERRS} Drift slower than a quarter of the period looks like a difference that lasts.", SLOWLY_DRIFTING)
steady = equals("Neither drifts: each errs about every card in its own way, for good.", STEADY)

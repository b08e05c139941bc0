"""How often two forecasters who are equally good in the long run are told apart."""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np

from evaluator.interval import BETTER, WORSE, judge
from evaluator.statistics.paired import paired_difference
from tools.bench.intervals.people import People, clusters_of, with_independent_days
from tools.bench.intervals.table import PLAIN, RATIO, SHARE, Column, Run, Table
from tools.simulate.reviews import equally_good


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

COLUMNS = (
    Column("days", "days"),
    Column("reviews_a_day", "reviews a day"),
    Column("step", "days of a step", PLAIN),
    Column("sd", "sd", RATIO),
    Column("independent_days", "days independent", SHARE),
    Column("told_apart", "ours", SHARE),
)
CAPTION = (
    'How often "better" or "worse" is said of two forecasters of whom neither is: by an interval that takes days for '
    "independent of each other, and by ours. The reviews are of 50 cards, and one more for each day. "
)


def equal_forecasters_that_drift(run: Run) -> Table:
    """A table with a row for each pace of drift, up to the slowest that an interval can be asked to see."""
    drift = (
        "Each errs in the logit by an error of its own, of that standard deviation (sd), which changes after so many "
        "days."
    )
    return _table(run, CAPTION + drift, DRIFTING)


def equal_forecasters_that_drift_slowly(run: Run) -> Table:
    """A table with a row for each drift that is too slow for any interval to see."""
    slowly = "Drift that is slower than a quarter of the period looks like a difference that lasts, to any rule."
    return _table(run, slowly + " " + CAPTION.strip(), SLOWLY_DRIFTING)


def equal_forecasters_that_are_steady(run: Run) -> Table:
    """A table with a row for each length of the period."""
    steady = "Neither drifts: each errs about every card in its own way, for good."
    return _table(run, CAPTION + steady, STEADY)


def _table(run: Run, caption: str, pairs: tuple[Pair, ...]) -> Table:
    return Table(
        caption, COLUMNS, [(*astuple(pair), *told_apart(pair, run.people, random)) for pair, random in run.each(pairs)]
    )


def told_apart(pair: Pair, count: int, random: np.random.Generator) -> tuple[float, float]:
    """Share of people in whom one of the pair is called better: with days as independent, and by our interval."""
    said = np.zeros(2)
    for _ in range(count):
        reviews = pair.people.draw(random)
        difference, clusters = equally_good(random, reviews, sd=pair.sd, step=pair.step), clusters_of(reviews)
        intervals = with_independent_days(difference, clusters), paired_difference(difference, clusters)
        said += [judge(interval) in {BETTER, WORSE} for interval in intervals]
    independent, ours = (said / count).tolist()
    return independent, ours

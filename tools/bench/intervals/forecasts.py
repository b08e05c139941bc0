"""How often a verdict holds on the reviews that come after it, of people who are steady and people who drift."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluator.statistics.paired import Spread, spread
from evaluator.statistics.prediction_interval import prediction_interval
from tools.bench.intervals.people import People, clusters_of
from tools.bench.intervals.table import PLAIN, RATIO, SHARE, Column, Run, Table
from tools.simulate.reviews import equally_good, overconfident_minus_optimistic

A_DAY = 15
#: Of the errors of two forecasters who drift, in the logit.
SD = 0.5


@dataclass(frozen=True)
class Followed:
    """One who studied for so many days before the verdict and so many after it, with the same cards."""

    before: int
    after: int
    day_sd: float = 0.3
    persistence: float = 0.0
    step: int | None = None  #: so many days in a row the two forecasters err alike; None: they are always the same

    @property
    def people(self) -> People:
        """The person's reviews, before and after."""
        days = self.before + self.after
        return People(150 + days, days, A_DAY * days, self.day_sd, persistence=self.persistence)


STEADY = (
    *(Followed(*days) for days in ((20, 60), (60, 60), (60, 200), (200, 60), (400, 100))),
    *(Followed(*days, day_sd=0.5, persistence=0.9) for days in ((60, 60), (200, 60), (400, 100))),
)
DRIFTING = tuple(Followed(*days, step=step) for step in (7, 30, 90) for days in ((60, 60), (200, 60), (400, 100)))


def verdicts_that_hold(run: Run) -> Table:
    """One row for each kind of people."""
    return Table(
        "How often the difference on later reviews lies where the earlier one lets it be expected: in its prediction "
        "interval, and in its own 95 % interval, which knows nothing of the later error. sd: of the days' effects in "
        "the logit, each so much like the one before (alike). Of steady people 95 % would be right; two forecasters "
        "who drift err for so many days in one way (step), and then in another.",
        (
            Column("before", "days before"),
            Column("after", "after"),
            Column("day_sd", "sd", RATIO),
            Column("persistence", "alike", RATIO),
            Column("step", "step", PLAIN),
            Column("held", "held", SHARE),
            Column("in_own", "in its own", SHARE),
        ),
        [
            (one.before, one.after, one.day_sd, one.persistence, one.step, *held(one, run.people, random))
            for one, random in run.each((*STEADY, *DRIFTING))
        ],
    )


def held(followed: Followed, count: int, random: np.random.Generator) -> tuple[float | None, float | None]:
    """Of so many people the shares whose later difference lies in the prediction interval, and in the earlier one's.

    Those without both intervals are not counted; None where that is everybody.
    """
    found = []
    for _ in range(count):
        past, later = _before_and_after(followed, random)
        if past is not None and later is not None:
            expected = prediction_interval(past.interval, past.degrees, past.long_run_variance, later)
            found.append([interval.side(later.mean) == 0 for interval in (expected, past.interval)])
    if not found:
        return None, None
    share, in_own = np.mean(found, axis=0).tolist()
    return share, in_own


def _before_and_after(followed: Followed, random: np.random.Generator) -> tuple[Spread | None, Spread | None]:
    reviews = followed.people.draw(random)
    difference = (
        overconfident_minus_optimistic(reviews)
        if followed.step is None
        else equally_good(random, reviews, sd=SD, step=followed.step)
    )
    clusters, before = clusters_of(reviews), reviews.day < followed.before
    return spread(difference[before], clusters.take(before)), spread(difference[~before], clusters.take(~before))

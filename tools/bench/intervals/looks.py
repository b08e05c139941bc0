"""How often the evidence over time ever misleads somebody who looks at it every day."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np

from evaluator.interval import MIN_DAYS_OF_EVIDENCE
from evaluator.statistics.confidence_sequence import confidence_sequence
from evaluator.statistics.paired import paired_difference
from tools.bench.intervals.equals import COLUMNS, Pair
from tools.bench.intervals.people import clusters_of, with_independent_days
from tools.bench.intervals.table import SHARE, Column, Run, Table
from tools.simulate.reviews import equally_good

ROWS = (
    Pair(100, 15, None, 0.5),
    Pair(300, 15, None, 0.5),
    Pair(100, 15, 14, 0.5),
    Pair(200, 15, 14, 0.8),
    Pair(200, 15, 30, 0.5),
    Pair(200, 15, 30, 0.8),
    Pair(200, 15, 60, 0.5),
)

#: Days from one look at the ordinary intervals to the next.
BETWEEN = 10


def looks_at_equals(run: Run) -> Table:
    """One row for each pace of drift."""
    return Table(
        f"Of two equally good forecasters none should ever look better: how often one does at some time from day "
        f"{MIN_DAYS_OF_EVIDENCE} on, by the interval that takes days for independent of each other and by ours, if "
        f"looked at every {BETWEEN} days, and by the evidence over time on any day.",
        (
            *COLUMNS[:4],
            Column("independent_days", "days independent", SHARE),
            Column("interval", "interval", SHARE),
            Column("evidence", "evidence over time", SHARE),
        ),
        [(*astuple(pair), *ever_told_apart(pair, run.people, random)) for pair, random in run.each(ROWS)],
    )


def ever_told_apart(pair: Pair, count: int, random: np.random.Generator) -> tuple[float, float, float]:
    """The share of so many people in whom one of the pair ever looks better: by all three."""
    found = np.zeros(3)
    for _ in range(count):
        reviews = pair.people.draw(random)
        difference, clusters = equally_good(random, reviews, sd=pair.sd, step=pair.step), clusters_of(reviews)
        looks = []
        for days in range(MIN_DAYS_OF_EVIDENCE, clusters.days + 1, BETWEEN):
            until = clusters.day < days
            so_far = difference[until], clusters.take(until)
            looks.append([bool(of(*so_far).side()) for of in (with_independent_days, paired_difference)])
        found += (*np.any(looks, axis=0), confidence_sequence(difference, clusters).decided is not None)
    independent, interval, evidence = (found / count).tolist()
    return independent, interval, evidence

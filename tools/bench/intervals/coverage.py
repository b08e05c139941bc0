"""How often the interval of a paired difference holds the truth, of people who are steady and people who drift."""

from __future__ import annotations

import numpy as np

from evaluator.statistics.paired import paired_difference
from tools.bench.intervals.people import COLUMNS, MEANING, People, clusters_of, with_independent_days
from tools.bench.intervals.table import RATIO, SHARE, Column, Run, Table
from tools.simulate.reviews import overconfident_minus_optimistic, true_difference

ROWS = (
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
        "How often the 95 % interval of a difference in log loss holds the true difference: one that takes days for "
        "independent of each other, and ours; and how many times as wide ours is, on average. " + MEANING,
        (
            *COLUMNS,
            Column("independent_days", "days independent", SHARE),
            Column("held", "ours", SHARE),
            Column("width", "width", RATIO),
        ),
        [(*people.row, *held(people, run.people, random)) for people, random in run.each(ROWS)],
    )


def held(people: People, count: int, random: np.random.Generator) -> tuple[float, float | None, float | None]:
    """Of so many of these people, the share whose interval holds the truth: with days as independent, and ours.

    And how many times as wide the latter is. Those who get no interval at all are not counted in the latter two, which
    are None where that is everybody.
    """
    truth = true_difference(day_sd=people.day_sd)
    independent, ours, widths = [], [], []
    for _ in range(count):
        reviews = people.draw(random)
        difference, clusters = overconfident_minus_optimistic(reviews), clusters_of(reviews)
        before, now = with_independent_days(difference, clusters), paired_difference(difference, clusters)
        independent.append(before.side(truth) == 0)
        if now.ends is not None and before.ends is not None:
            ours.append(now.side(truth) == 0)
            widths.append((now.ends[1] - now.ends[0]) / (before.ends[1] - before.ends[0]))
    share = float(np.mean(independent))
    return (share, float(np.mean(ours)), float(np.mean(widths))) if ours else (share, None, None)

"""How often the star is taken from one of several forecasters who are equally good in the long run."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from itertools import combinations

import numpy as np

from evaluator.statistics.best_set import best_set
from tools.bench.intervals.equals import Pair
from tools.bench.intervals.people import clusters_of, with_independent_days
from tools.bench.intervals.table import PLAIN, RATIO, SHARE, Column, Run, Table
from tools.simulate.reviews import equal_losses


@dataclass(frozen=True)
class Equals(Pair):
    """So many equally good forecasters of one person's reviews."""

    forecasters: int


ROWS = tuple(
    Equals(days, 15, step, sd, forecasters)
    for days, step, sd in (
        (10, None, 0.5),
        (10, 3, 0.5),
        (25, None, 0.5),
        (25, 6, 0.5),
        (60, None, 0.5),
        (60, 14, 0.5),
        (100, 25, 0.5),
        (200, None, 0.5),
        (200, 30, 0.8),
    )
    for forecasters in (2, 5)
)


def stars_of_equals(run: Run) -> Table:
    """One row for each length of the period, each pace of drift, and two or five forecasters."""
    return Table(
        "Of several equally good forecasters each should have the star: how often one of them has not, if each two are "
        "compared by an interval that takes days for independent of each other (at a confidence of 1 - 0.05 / number "
        "of pairs), and by ours; and how often the first of them has not. Errors, cards and reviews are those of the "
        "tables of two forecasters.",
        (
            Column("days", "days"),
            Column("reviews_a_day", "reviews a day"),
            Column("step", "days of a step", PLAIN),
            Column("sd", "sd", RATIO),
            Column("forecasters", "forecasters"),
            Column("independent_days", "days independent", SHARE),
            Column("left_out", "ours", SHARE),
            Column("first_left_out", "the first", SHARE),
        ),
        [(*astuple(equals), *left_out(equals, run.people, random)) for equals, random in run.each(ROWS)],
    )


def left_out(equals: Equals, count: int, random: np.random.Generator) -> tuple[float, float, float]:
    """The share of so many people in whom one is left out: with days as independent, by ours; and the first by ours."""
    pairs = list(combinations(range(equals.forecasters), 2))
    found = np.zeros(3)
    for _ in range(count):
        reviews = equals.people.draw(random)
        losses = equal_losses(random, reviews, equals.forecasters, sd=equals.sd, step=equals.step)
        clusters = clusters_of(reviews)
        sides = (with_independent_days(losses[i] - losses[j], clusters, among=len(pairs)).side() for i, j in pairs)
        members = best_set(np.stack(losses), clusters)
        found += (
            any(sides),
            members is not None and len(members) < equals.forecasters,
            members is not None and 0 not in members,
        )
    independent, ours, first = (found / count).tolist()
    return independent, ours, first

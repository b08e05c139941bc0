"""How often the interval lies wholly below or above the truth where little is forgotten: its two sides differ then."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from evaluator.statistics.paired import paired_difference
from tools.bench.intervals.people import clusters_of
from tools.bench.intervals.table import SHARE, Column, Run, Table
from tools.simulate.reviews import expected_recall, overconfident_minus_optimistic, simulate, true_difference

CENTRES = np.arange(0, 15, 0.01)
DAY_SD = 0.3


@dataclass(frozen=True)
class Rare:
    """A number of reviews, and how many of them are forgotten on average."""

    forgotten: int
    reviews: int = 900
    cards: int = 200
    days: int = 60


ROWS = (
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
        [(one.forgotten, one.reviews, one.days, *tails(one, run.people, random)) for one, random in run.each(ROWS)],
    )


def tails(rare: Rare, count: int, random: np.random.Generator) -> tuple[float, float, float]:
    """Shares of people without an interval, with one below the truth, and with one above it."""
    expected = [1 - expected_recall(day_sd=DAY_SD, centre=centre) for centre in CENTRES]
    centre = float(CENTRES[np.argmin(np.abs(np.array(expected) - rare.forgotten / rare.reviews))])
    truth = true_difference(day_sd=DAY_SD, centre=centre)
    sides: Counter[int | None] = Counter()
    for _ in range(count):
        reviews = simulate(
            random, cards=rare.cards, days=rare.days, reviews=rare.reviews, day_sd=DAY_SD, centre=centre, day_spread=0.6
        )
        sides[paired_difference(overconfident_minus_optimistic(reviews), clusters_of(reviews)).side(truth)] += 1
    return sides[None] / count, sides[-1] / count, sides[1] / count

"""How often the band of one of several slices, says that right predictions are wrong."""

from __future__ import annotations

import numpy as np

from evaluator.statistics.slices import Slicing, slice_recall
from tools.bench.intervals.people import COLUMNS, MEANING, People, clusters_of, with_independent_days
from tools.bench.intervals.table import RATIO, SHARE, Column, Run, Table
from tools.simulate.reviews import CENTRE, SPREAD, recall_given

ROWS = (
    People(150, 8, 1200),
    People(150, 12, 1500, day_sd=0.5, step=3),
    People(250, 25, 2500, day_sd=0.5, step=6),
    People(200, 60, 3000),
    People(200, 60, 3000, day_sd=0.5, step=14),
    People(500, 200, 6000),
    People(500, 200, 6000, day_sd=0.5, step=7),
    People(500, 200, 6000, day_sd=0.5, step=30),
)

#: Slices by what is known of a review.
SLICES = 6
LIMITS = CENTRE + SPREAD * np.array([-1.0, -0.4, 0.0, 0.4, 1.0])


def bands_of_right_predictions(run: Run) -> Table:
    """One row for each kind of people."""
    return Table(
        f"Of predictions that are right on average: how often one of {SLICES} slices is called wrong, if days are "
        "taken for independent of each other (each slice at a confidence of 1 - 0.05 / number of slices), and by our "
        "bands over all slices; and how many times as wide ours are. " + MEANING,
        (
            *COLUMNS,
            Column("independent_days", "days independent", SHARE),
            Column("wrong", "ours", SHARE),
            Column("width", "width", RATIO),
        ),
        [(*people.row, *called_wrong(people, run.people, random)) for people, random in run.each(ROWS)],
    )


def called_wrong(people: People, count: int, random: np.random.Generator) -> tuple[float, float, float | None]:
    """The shares of so many people in whom a slice is called wrong, with days as independent and by ours; the width.

    The width is None where there are no bands.
    """
    names = tuple(map(str, range(SLICES)))
    found, widths = np.zeros(2), []
    for _ in range(count):
        reviews = people.draw(random)
        predicted, clusters = recall_given(reviews.known, day_sd=people.day_sd), clusters_of(reviews)
        label = np.searchsorted(LIMITS, reviews.known)
        graph = slice_recall(predicted, reviews.recalled, Slicing("known", label, names), clusters)
        independent = [
            with_independent_days((reviews.recalled - predicted)[where], clusters.take(where), among=SLICES)
            for where in (np.flatnonzero(label == number) for number in range(SLICES))
        ]
        for one, other in zip(graph.slices, independent, strict=True):
            if one.band.ends is not None and other.ends is not None:
                widths.append((one.band.ends[1] - one.band.ends[0]) / (other.ends[1] - other.ends[0]))
        found += (any(one.side() for one in independent), bool(graph.wrong))
    before, ours = (found / count).tolist()
    return before, ours, float(np.mean(widths)) if widths else None

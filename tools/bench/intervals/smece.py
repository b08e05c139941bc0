"""How often the interval of the smooth calibration error holds the true one, of forecasters who are right or wrong."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from evaluator.metrics.isotonic import isotonic_fit
from evaluator.metrics.ordered import Ordered
from evaluator.metrics.smooth_calibration import smece, smooth_calibration_error
from evaluator.statistics.paired import paired_difference
from tools.bench.intervals.people import COLUMNS, MEANING, People, clusters_of
from tools.bench.intervals.table import RATIO, SHARE, Column, Run, Table
from tools.simulate.memory import Floats
from tools.simulate.reviews import recall_given, sigmoid

PEOPLE = (
    People(100, 8, 300),
    People(200, 15, 800),
    People(20, 20, 400),
    People(250, 25, 1200, day_sd=0.5, step=6),
    People(300, 60, 2500),
    People(300, 60, 2500, day_sd=0.5, step=14),
    People(500, 200, 6000),
    People(500, 200, 6000, day_sd=0.5, step=30),
)

#: What they make of the known part of the logit and of the true recall.
FORECASTERS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "right": lambda _known, recall: recall,
    "high": lambda known, _recall: sigmoid(known + 0.2),
    "higher": lambda known, _recall: sigmoid(known + 1.2),
    "too sure": lambda known, _recall: sigmoid(2 * known - 2),
}
ROWS = tuple((people, name) for people in PEOPLE for name in FORECASTERS)


def smooth_calibration_errors(run: Run) -> Table:
    """One row for each kind of people and of forecaster."""
    return Table(
        "How often the 95 % interval of the smooth calibration error (smECE) holds the true one, which is that of the "
        "probabilities to be recalled in place of the outcomes; how often that of the mean bias error does; and the "
        "true smECE, its estimate and the width of its interval, on average, in percent. " + MEANING,
        (
            *COLUMNS,
            Column("forecaster", "forecast"),
            Column("held", "smECE", SHARE),
            Column("bias_held", "bias", SHARE),
            Column("truth", "true", RATIO),
            Column("estimate", "found", RATIO),
            Column("width", "width", RATIO),
        ),
        [(*row[0].row, row[1], *held(*row, run.people, random)) for row, random in run.each(ROWS)],
    )


def held(people: People, forecaster: str, count: int, random: np.random.Generator) -> tuple[float | None, ...]:
    """Of so many of these people, the shares whose intervals hold the truth; means of truth, estimate and width.

    First that of smECE, then that of the mean bias error; the means, all of smECE, are in percent. Those who get no
    interval are not counted; all are None where that is everybody.
    """
    found = []
    for _ in range(count):
        reviews = people.draw(random)
        recall = recall_given(reviews.known, day_sd=people.day_sd)
        predicted = FORECASTERS[forecaster](reviews.known, recall)
        ordered = Ordered.of(predicted)
        fit = isotonic_fit(ordered.ties(reviews.recalled))
        clusters = clusters_of(reviews)
        one = smece(predicted, reviews.recalled, ordered, fit, clusters)
        if one.ends is not None:
            truth = smooth_calibration_error(predicted, predicted - recall)
            bias = paired_difference(predicted - reviews.recalled, clusters).side(float((predicted - recall).mean()))
            width = one.ends[1] - one.ends[0]
            found.append((one.side(truth) == 0, bias == 0, 100 * truth, 100 * one.known, 100 * width))
    return tuple(np.mean(found, axis=0).tolist()) if found else (None,) * 5

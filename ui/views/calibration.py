"""The calibration graph, with a dot for each group of reviews with similar predictions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Iterator, List, Optional, Sequence, Tuple, Union

from ..text import _, strings
from ..text.numbers import decimals
from ..text.phrases import add_label, paragraph
from . import slices
from .labels import row_label
from .view import Block, Chart, Table, View

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, CalibrationBin, Report
    from evaluator.sections.graphs import SliceGraph
    from evaluator.statistics.slices import RecallSlice

    Dot = Union[CalibrationBin, RecallSlice]

_WORDS = slices.SLICE_LABELS["calibration"]
#: Possible starts of the axes. They are few, so that the graphs of two people can be compared.
_STARTS = (0.8, 0.5)
#: Minimum share of the reviews above a start. If no start has that many, the axes start at 0.
_MIN_SHARE_ABOVE = 0.95
#: Minimum share of the reviews for a dot, used until the groups have intervals.
_MIN_SHARE = 0.01


@dataclass(frozen=True)
class Calibration:
    """The data of the calibration graph."""

    axis_start: float  #: start of both axes, whose end is 1
    dots: Tuple[Tuple[str, Tuple[Dot, ...]], ...]  #: label and dots of one or two algorithms
    #: Range of recall that chance explains, at each dot of the first algorithm: prediction, lowest and highest recall.
    band: Tuple[Tuple[float, float, float], ...]
    counts: Tuple[CalibrationBin, ...]  #: the groups of the first algorithm
    desired_retention: Optional[float]


def blocks(report: Report, _report: Report, names: Sequence[str]) -> Iterator[Block]:
    """Yield the calibration graph of the first two of these algorithms.

    The band and the table are missing until the section with the graphs is computed.
    """
    results = [_row_as_tested(row, report) for row in map(report.result, names) if row.calibration][:2]
    if not results:
        return
    names = tuple(row.algorithm for row in results)
    graphs = slices.select_graphs(slices.computed_graphs(report), names)
    graph_by_name = {graph.algorithm: graph.slice_graph("calibration") for graph in graphs}
    starts = [start for start in _STARTS if min(_share_above(start, row) for row in results) >= _MIN_SHARE_ABOVE]
    axis_start = starts[0] if starts else 0.0
    dots = [_dots(row, graph_by_name.get(row.algorithm), axis_start) for row in results]
    labels = tuple(row_label(name, report) for name in names)
    captions = [
        add_label(label, _caption(row, graph_by_name.get(row.algorithm), visible, report))
        for row, label, visible in zip(results, labels, dots)
    ]
    calibration = Calibration(
        axis_start=axis_start,
        dots=tuple(zip(labels, dots)),
        band=tuple(_band(dots[0], graph_by_name.get(names[0]))),
        counts=tuple(group for group in results[0].calibration if group.right > axis_start),
        desired_retention=report.accuracy.desired_retention if report.accuracy else None,
    )
    yield Block(
        key="calibration",
        heading=_WORDS.title,
        caption=paragraph(*captions),
        table=slices.table(graphs, labels, "calibration") if len(graphs) == len(names) else Table(),
        chart=Chart("calibration", calibration),
        names=names,
        labels=labels,
    )


def _row_as_tested(row: AlgorithmResult, report: Report) -> AlgorithmResult:
    """Return the row with the calibration on the reviews on which the headline tests it.

    Other rows are returned unchanged.
    """
    accuracy = report.accuracy
    if accuracy is None or accuracy.algorithm != row.algorithm or not accuracy.calibration:
        return row
    groups, reviews = accuracy.calibration, sum(group.reviews for group in accuracy.calibration)
    mae = sum(group.reviews * abs(group.recalled - group.predicted) for group in groups) / reviews
    return replace(row, size=reviews, calibration=groups, metrics={"mae_prediction_bins": mae})


VIEW = View("", _WORDS.title, "", blocks, most=2)


def _share_above(start: float, row: AlgorithmResult) -> float:
    """Return the smaller of two shares of the reviews: those predicted above the start, and those recalled above it.

    Both are computed from the means of groups.
    """
    predicted = sum(group.reviews for group in row.calibration if group.predicted >= start)
    recalled = sum(group.reviews for group in row.calibration if group.recalled >= start)
    return min(predicted, recalled) / sum(group.reviews for group in row.calibration)


def _dots(row: AlgorithmResult, graph: Optional[SliceGraph], axis_start: float) -> Tuple[Dot, ...]:
    min_reviews = _MIN_SHARE * sum(group.reviews for group in row.calibration)
    groups: List[Dot] = [group for group in row.calibration if group.reviews >= min_reviews]
    dots = graph.banded if graph else groups
    return tuple(dot for dot in dots if min(dot.predicted or 0.0, dot.recalled or 0.0) >= axis_start)


def _band(dots: Sequence[Dot], graph: Optional[SliceGraph]) -> Iterator[Tuple[float, float, float]]:
    for group in graph.banded if graph else ():
        if group in dots and group.band.low_high:
            low, high = group.band.low_high
            predicted, half_width = group.predicted or 0.0, (high - low) / 2
            yield predicted, predicted - half_width, predicted + half_width


def _caption(row: AlgorithmResult, graph: Optional[SliceGraph], dots: Sequence[Dot], report: Report) -> str:
    """Say how far off the predictions are on average, and which dot is furthest off beyond chance."""
    mae, average = row.value("mae_prediction_bins"), ""
    if mae is not None:
        average = _("Predictions are off by {points} percentage points on average.")
        if row.size != report.result(row.algorithm).size:
            average = _("On the {reviews} since your last change, predictions are off by {points} points on average.")
        average = average.format(points=decimals(100 * mae, 1), reviews=strings.REVIEWS(row.size))
    if graph is None:
        return average
    furthest = next((group for group in graph.miscalibrated if group in dots), None)
    if furthest is not None:
        return paragraph(average, slices.furthest_off(furthest))
    no_error = _("There are too few similar predictions to distinguish error from chance.")
    if dots:
        no_error = _("No single dot is off by more than chance.")
    return paragraph(average, no_error)

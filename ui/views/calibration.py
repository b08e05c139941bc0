"""The calibration graph: groups of reviews with similar predictions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Iterator, List, Optional, Sequence, Tuple, Union

from ..text import _, strings
from ..text.numbers import decimals
from ..text.phrases import labeled, paragraph
from . import slices
from .labels import row_label
from .view import Block, Chart, Table, View

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, CalibrationBin, Report
    from evaluator.sections.graphs import SliceGraph
    from evaluator.statistics.slices import RecallSlice

    Dot = Union[CalibrationBin, RecallSlice]

_WORDS = slices.SLICE_LABELS["calibration"]
#: Starts of the axes, and the share of the reviews that must be above one of them. Otherwise the axes start at 0.
_STARTS, _ABOVE = (0.8, 0.5), 0.95
#: Minimum share of the reviews for a dot while it is unknown which groups have an interval.
_MIN_SHARE = 0.01


@dataclass(frozen=True)
class Calibration:
    """Data of the calibration graph."""

    begins: float  #: both axes, which end at 1
    dots: Tuple[Tuple[str, Tuple[Dot, ...]], ...]  #: one or two algorithms with their dots
    #: The band of chance at each dot of the first algorithm: its prediction, lowest and highest recall.
    band: Tuple[Tuple[float, float, float], ...]
    counts: Tuple[CalibrationBin, ...]  #: groups of the first algorithm
    aim: Optional[float]  #: the desired retention


def blocks(report: Report, _report: Report, names: Sequence[str]) -> Iterator[Block]:
    """Yield the calibration graph of one or two algorithms, with the band and the table if they are known."""
    results = [_tested(row, report) for row in map(report.result, names) if row.calibration][:2]
    if not results:
        return
    names = tuple(row.algorithm for row in results)
    graphs = slices.select_graphs(slices.computed_graphs(report), names)
    by_name = {graph.algorithm: graph.slice_graph("calibration") for graph in graphs}
    begins = next((start for start in _STARTS if all(_share_above(start, row) >= _ABOVE for row in results)), 0.0)
    dots = [_dots(row, by_name.get(row.algorithm), begins) for row in results]
    labels = tuple(row_label(name, report) for name in names)
    captions = [
        labeled(label, _caption(row, by_name.get(row.algorithm), shown, report))
        for row, label, shown in zip(results, labels, dots)
    ]
    drawn = Calibration(
        begins=begins,
        dots=tuple(zip(labels, dots)),
        band=tuple(_band(dots[0], by_name.get(names[0]))),
        counts=tuple(group for group in results[0].calibration if group.right > begins),
        aim=report.accuracy.desired_retention if report.accuracy else None,
    )
    yield Block(
        key="calibration",
        heading=_WORDS.title,
        caption=paragraph(*captions),
        table=slices.table(graphs, labels, "calibration") if len(graphs) == len(names) else Table(),
        chart=Chart("calibration", drawn),
        names=names,
        labels=labels,
    )


def _tested(row: AlgorithmResult, report: Report) -> AlgorithmResult:
    """Return the row with the calibration on the reviews that test it, if the headline uses only some."""
    accuracy = report.accuracy
    if accuracy is None or accuracy.algorithm != row.algorithm or not accuracy.calibration:
        return row
    groups, reviews = accuracy.calibration, sum(group.reviews for group in accuracy.calibration)
    mae = sum(group.reviews * abs(group.recalled - group.predicted) for group in groups) / reviews
    return replace(row, size=reviews, calibration=groups, metrics={"mae_prediction_bins": mae})


VIEW = View("", _WORDS.title, "", blocks, most=2)


def _share_above(start: float, row: AlgorithmResult) -> float:
    """Return the share of the reviews whose predictions are above, or whose groups' recall is, whichever is lower.

    The axes start at one of three values, so that two people's graphs can be compared.
    """
    predicted = sum(group.reviews for group in row.calibration if group.predicted >= start)
    recalled = sum(group.reviews for group in row.calibration if group.recalled >= start)
    return min(predicted, recalled) / sum(group.reviews for group in row.calibration)


def _dots(row: AlgorithmResult, graph: Optional[SliceGraph], begins: float) -> Tuple[Dot, ...]:
    least = _MIN_SHARE * sum(group.reviews for group in row.calibration)
    groups: List[Dot] = [group for group in row.calibration if group.reviews >= least]
    shown = graph.banded if graph else groups
    return tuple(item for item in shown if min(item.predicted or 0.0, item.recalled or 0.0) >= begins)


def _band(dots: Sequence[Dot], graph: Optional[SliceGraph]) -> Iterator[Tuple[float, float, float]]:
    for item in graph.banded if graph else ():
        if item in dots and item.band.low_high:
            low, high = item.band.low_high
            predicted, reach = item.predicted or 0.0, (high - low) / 2
            yield predicted, predicted - reach, predicted + reach


def _caption(row: AlgorithmResult, graph: Optional[SliceGraph], dots: Sequence[Dot], report: Report) -> str:
    """Return how far off the predictions are on average, and the dot that is furthest off by more than chance."""
    mae, average = row.value("mae_prediction_bins"), ""
    if mae is not None:
        average = _("Predictions are off by {points} percentage points on average.")
        if row.size != report.result(row.algorithm).size:
            average = _("On the {reviews} since your last change, predictions are off by {points} points on average.")
        average = average.format(points=decimals(100 * mae, 1), reviews=strings.REVIEWS(row.size))
    furthest = next((item for item in graph.miscalibrated if item in dots), None) if graph else None
    if furthest is not None:
        return paragraph(average, slices.furthest_off(furthest))
    beyond_chance = _("There are too few similar predictions to distinguish error from chance.")
    if dots:
        beyond_chance = _("No single dot is off by more than chance.")
    return paragraph(average, beyond_chance if graph else "")

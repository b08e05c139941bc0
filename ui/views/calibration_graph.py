"""The calibration graph, with a dot for each group of reviews with similar predictions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Iterator, Optional, Sequence, Tuple, Union

from ..text import _, strings
from ..text.phrases import add_label, paragraph
from . import slice_graphs
from .finding_sentences import subject_name
from .labels import row_label
from .scope_sentences import scope_sentences
from .view import AlgorithmsView, Block, Chart, Table

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, CalibrationBin, Report
    from evaluator.statistics.slices import RecallSlice

    Dot = Union[CalibrationBin, RecallSlice]
    #: The prediction, the share remembered, and the ends of its interval, if it has one.
    Diamond = Tuple[float, float, Optional[float], Optional[float]]

_LABELS = slice_graphs.SLICE_LABELS["calibration"]
#: Possible starts of the axes, apart from 0. They are few, so that the graphs of two people can be compared.
_STARTS = (0.8, 0.5)
#: Minimum share of the reviews above the start of the axes.
_MIN_SHARE_ABOVE = 0.95


@dataclass(frozen=True)
class Calibration:
    """The data of the calibration graph."""

    axis_start: float  #: start of both axes, whose end is 1
    dots: Tuple[Tuple[str, Tuple[Dot, ...]], ...]  #: label and dots of one or two algorithms
    #: Recall that chance explains in the groups of the first algorithm: prediction, lowest recall, highest recall.
    band: Tuple[Tuple[float, float, float], ...]
    counts: Tuple[CalibrationBin, ...]  #: the groups of the first algorithm
    desired_retention: Optional[float]
    diamond: Optional[Diamond]  #: the finding, if it is about the only algorithm
    near: bool  #: whether it is about predictions near the desired retention


def blocks(report: Report, names: Sequence[str]) -> Iterator[Block]:
    """Yield the calibration graph of one or two algorithms.

    The algorithm of the finding is shown on the reviews that test it, but two algorithms on all reviews. The band and
    the table are missing until the section with the graphs is computed.
    """
    results = [row for row in map(report.result, names) if row.calibration]
    if not results:
        return
    names = tuple(row.algorithm for row in results)
    graphs = slice_graphs.select_graphs(slice_graphs.computed_graphs(report), names)
    # This is None unless the finding is about the only algorithm.
    tested = report.finding
    diamond: Optional[Diamond] = None
    source = ""
    notes: Tuple[str, ...] = ()
    if tested is None or names != (tested.algorithm,):
        tested = None
        graphs = [replace(graph, slices=(graph.on_all or graph.slices[0],)) for graph in graphs]
    elif tested.recall.said is not None:
        low, high = tested.recall.remembered.low_high or (None, None)
        diamond = tested.recall.said, tested.recall.remembered.value, low, high
    if tested and tested.calibration and tested.testable != results[0].size:
        results = [replace(results[0], calibration=tested.calibration)]
        source = paragraph(scope_sentences(report)[0], report.software)
        notes = (_("These are the {reviews} since your last change.").format(reviews=strings.REVIEWS(tested.testable)),)
    shown = {graph.algorithm: graph.slice_graph("calibration").shown for graph in graphs}
    off = (min(_coordinates(group)) for groups in shown.values() for group in groups if group.is_off)
    lowest_mark = min([1.0, *(diamond or ())[:2], *off])
    axis_start = _axis_start(results, lowest_mark)
    dots = [_dots_in_view(shown.get(name, ()), axis_start) for name in names]
    labels = tuple(row_label(name, report) for name in names)
    captions = [
        add_label(label, slice_graphs.off_sentence("calibration", shown[name]))
        for name, label in zip(names, labels)
        if name in shown
    ]
    calibration = Calibration(
        axis_start=axis_start,
        dots=tuple(zip(labels, dots)),
        band=tuple((group.predicted or 0.0, group.low or 0.0, group.high or 0.0) for group in shown.get(names[0], ())),
        counts=tuple(group for group in results[0].calibration if group.right > axis_start),
        desired_retention=report.finding.desired_retention if report.finding else None,
        diamond=diamond,
        near=tested is not None and tested.recall.near,
    )
    subject = "" if report.finding is None else subject_name(report.finding, report)
    # Translators: The name of a graph, and the preset or deck that it is about.
    heading = _("{graph} ({subject})").format(graph=_LABELS.title, subject=subject) if subject else _LABELS.title
    yield Block(
        key="calibration",
        heading=heading,
        caption=paragraph(*captions),
        table=slice_graphs.table(graphs, labels, "calibration") if len(graphs) == len(names) else Table(),
        chart=Chart("calibration", calibration),
        notes=notes,
        names=names,
        labels=labels,
        source=source,
    )


VIEW = AlgorithmsView("", _LABELS.title, blocks)


def _axis_start(results: Sequence[AlgorithmResult], lowest_mark: float) -> float:
    """Return the highest start of the axes with nearly all reviews and the lowest mark above it."""
    for start in _STARTS:
        if start <= lowest_mark and all(_share_above(start, row) >= _MIN_SHARE_ABOVE for row in results):
            return start
    return 0.0


def _share_above(start: float, row: AlgorithmResult) -> float:
    """Return the share of the reviews in groups that are both predicted and recalled above the start."""
    above = sum(group.reviews for group in row.calibration if min(group.predicted, group.recalled) >= start)
    return above / sum(group.reviews for group in row.calibration)


def _dots_in_view(dots: Sequence[Dot], axis_start: float) -> Tuple[Dot, ...]:
    return tuple(dot for dot in dots if min(_coordinates(dot)) >= axis_start)


def _coordinates(dot: Dot) -> Tuple[float, float]:
    return dot.predicted or 0.0, dot.recalled or 0.0

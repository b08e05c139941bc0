"""The numbers behind the graphs of reliability and of slices, and what all graphs show at a glance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence, Tuple

from .. import strings
from ..numbers import points, slice_name, where
from ..phrases import from_to, whole
from .cells import ends, percent
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.graphs import AlgorithmGraphs
    from evaluator.sections.reliability_curve import ReliabilityBand
    from evaluator.statistics.slices import RecallSlice

#: Places of a curve; the graph shows more.
MOST_PLACES = 20

_ALGORITHM = Column(strings.COLUMN_ALGORITHM, number=False)
_SHARES = (
    Column(strings.COLUMN_PREDICTED, strings.COLUMN_PREDICTED_TIP),
    Column(strings.COLUMN_RECALLED, strings.COLUMN_RECALLED_TIP),
    Column(strings.CHART_DIFFERENCE, strings.COLUMN_DIFFERENCE_TIP),
)
_BAND = Column(strings.COLUMN_BAND, strings.COLUMN_BAND_TIP)


def slices_table(graphs: Sequence[AlgorithmGraphs], key: str) -> Table:
    """A row for each slice with a review, of each algorithm in turn."""
    rows = [
        (
            slice_name(one.name, key),
            owner.algorithm,
            whole(one.reviews),
            *_shares(one),
            ends(one.difference, _points),
            ends(one.band, _points),
            _proven(one),
        )
        for slices in zip(*(owner.slice_graph(key).slices for owner in graphs))
        for owner, one in zip(graphs, slices)
        if one.reviews
    ]
    words = strings.GRAPHS[key]
    across = strings.MEMORY_ACROSS if key == "memory" else words.across
    return Table(
        title=words.title,
        columns=(
            Column(across, number=False),
            _ALGORITHM,
            Column(strings.CHART_COUNTS, strings.COUNTS_TIP),
            *_SHARES,
            Column(strings.COLUMN_ALONE, strings.COLUMN_ALONE_TIP),
            _BAND,
            Column(strings.COLUMN_PROVEN, strings.COLUMN_PROVEN_TIP, number=False),
        ),
        rows=tuple(rows),
    )


def reliability_table(graphs: Sequence[AlgorithmGraphs]) -> Table:
    """A row for some places of the band of each algorithm, with the curve there."""
    return Table(
        title=strings.RELIABILITY,
        columns=(
            _ALGORITHM,
            Column(strings.CHART_X, strings.COLUMN_SAID_TIP),
            Column(strings.COLUMN_RECALLED, strings.COLUMN_CURVE_TIP),
            Column(strings.COLUMN_CHANCE, strings.COLUMN_CHANCE_TIP),
            Column(strings.COLUMN_CLUSTERED, strings.COLUMN_CLUSTERED_TIP),
        ),
        rows=tuple((one.algorithm, *_place(at)) for one in graphs for at in some(one.reliability.band)),
    )


def graphs_table(report: Report) -> Table:
    """For each graph of each algorithm the slice that is furthest off, of those that the band proves wrong."""
    rows = [
        (
            owner.algorithm,
            strings.GRAPHS[graph.key].title,
            where(graph.key, graph.wrong[0].name),
            *_shares(graph.wrong[0]),
            ends(graph.wrong[0].band, _points),
            strings.WRONG_OF.format(wrong=len(graph.wrong), banded=len(graph.banded)),
        )
        for owner in report.section("graphs")
        for graph in (*owner.slices, owner.memory.cells)
        if graph.wrong
    ]
    return Table(
        title=strings.GRAPHS_TITLE,
        columns=(
            _ALGORITHM,
            Column(strings.COLUMN_GRAPH, number=False),
            Column(strings.COLUMN_GROUP, number=False),
            *_SHARES,
            _BAND,
            Column(strings.COLUMN_WRONG, strings.COLUMN_WRONG_TIP, terse=True),
        ),
        rows=tuple(rows),
        sentence=strings.GRAPHS_SENTENCE if rows else strings.GRAPHS_NONE,
    )


def some(band: Sequence[ReliabilityBand]) -> Sequence[ReliabilityBand]:
    """At most so many of them, evenly, with both ends."""
    if len(band) <= MOST_PLACES:
        return band
    last = len(band) - 1
    return [band[round(last * k / (MOST_PLACES - 1))] for k in range(MOST_PLACES)]


def _place(at: ReliabilityBand) -> Tuple[str, ...]:
    chance, clustered = (
        strings.NO_VALUE if low is None or high is None else from_to(percent(low), percent(high))
        for low, high in ((at.chance_low, at.chance_high), (at.low, at.high))
    )
    return percent(at.predicted), percent(at.observed), chance, clustered


def _shares(one: RecallSlice) -> Tuple[str, ...]:
    difference = one.difference.estimate
    shown = strings.NO_VALUE if difference is None else _points(difference)
    return percent(one.predicted), percent(one.recalled), shown


def _points(difference: float) -> str:
    return points(difference, 1)


def _proven(one: RecallSlice) -> str:
    return {-1: strings.PROVEN_TOO_HIGH, 1: strings.PROVEN_TOO_LOW}.get(one.band.side() or 0, strings.NO_VALUE)

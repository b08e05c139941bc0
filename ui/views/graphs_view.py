"""The lists of graphs that users can choose from, and the view that summarizes the graphs in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Iterator, Optional, Tuple

from ..text import _
from ..text.phrases import add_label
from . import NAMES, calibration_graph, load, slice_graphs
from .labels import row_label
from .view import AlgorithmsView, Block, View

if TYPE_CHECKING:
    from evaluator.report import Report

#: The graphs that come first in lists, because most people want them.
_FIRST = ("calibration", "interval", "month")


def groups(report: Optional[Report]) -> Tuple[Dict[str, AlgorithmsView], ...]:
    """Return the graphs to choose from, by key, in two groups. The first group has the graphs that most users want.

    Args:
        report: a report, whose graphs are returned if they are computed. Otherwise these are all that have labels.
    """
    computed = slice_graphs.computed_graphs(report) if report is not None else ()
    keys = [graph.key for item in computed[:1] for graph in item.slices] or slice_graphs.SLICE_LABELS
    views = {**{key: slice_graphs.view(key) for key in keys}, "calibration": calibration_graph.VIEW}
    return (
        {key: views[key] for key in _FIRST if key in views},
        {key: views[key] for key in views if key not in _FIRST},
    )


def graphs(report: Optional[Report]) -> Dict[str, AlgorithmsView]:
    """Return the graphs of both groups of :func:`groups`, by key."""
    return {key: item for group in groups(report) for key, item in group.items()}


#: The graphs that a report can have, except those of slicings without labels.
GRAPHS = graphs(None)


def report_graphs(report: Report, *, every_algorithm: bool) -> Iterator[Block]:
    """Yield a block for each graph of a report.

    Of each kind, the headline's is first. After those of single algorithms come the calibration of FSRS and of SM-2 in
    one graph, and the graphs of sections.

    Args:
        report: the report.
        every_algorithm: whether to include the graphs of every algorithm, not only those of the headline's.
    """
    headline = report.headline_algorithm
    names = [result.algorithm for result in report.results if every_algorithm or result.algorithm == headline]
    names.sort(key=lambda name: name != headline)
    for graph in graphs(report).values():
        yield from (block for name in names for block in graph.of(report, [name]))
    rivalry = report.verdict.as_is or report.verdict.rivalry
    if rivalry is not None:
        yield from calibration_graph.VIEW.of(report, [rivalry.comparison.algorithm, rivalry.comparison.baseline])
    for name in NAMES:
        yield from (block for block in load(name).of(report) if block.chart is not None)


def blocks(report: Report) -> Iterator[Block]:
    """Yield a block with a note on each graph of the headline's algorithm."""
    for result in slice_graphs.computed_graphs(report):
        if result.algorithm == report.headline_algorithm:
            notes = tuple(
                add_label(
                    slice_graphs.slice_labels(graph.key).title, slice_graphs.off_sentence(graph.key, graph.slices)
                )
                for graph in result.slices
            )
            heading = add_label(_("Where predictions are off"), row_label(result.algorithm, report))
            yield Block("graphs", heading, notes=notes)


VIEW = View("graphs", _("Graphs"), "", blocks)

"""The graphs of algorithms: all of them, those on the page, and what they say in a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Iterator, Optional, Sequence, Tuple

from ..science import SAME_DAY_TABLE
from ..text import _
from ..text.phrases import labeled
from . import NAMES, calibration, load, population, slices
from .labels import row_label
from .view import Block, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.graphs import AlgorithmGraphs

#: The most requested graphs, in this order, before the others.
_FIRST = ("calibration", "interval", "month", "compared_with_others")


def groups(report: Optional[Report] = None) -> Tuple[Dict[str, View], ...]:
    """Return the graphs to choose from, by key, in groups.

    Slicings without a title of their own are included. Until the user chooses, the first graph with data is shown.
    """
    result = slices.computed_graphs(report) if report is not None else ()
    further = [graph.key for item in result[:1] for graph in item.slices if graph.key not in slices.SLICE_LABELS]
    others_known = report is None or report.scope.table != SAME_DAY_TABLE
    known = {
        **{key: slices.view(key) for key in (*slices.SLICE_LABELS, *further)},
        "calibration": calibration.VIEW,
        **({"compared_with_others": population.GRAPH} if others_known else {}),
    }
    return (
        {key: known[key] for key in _FIRST if key in known},
        {key: known[key] for key in known if key not in _FIRST},
    )


def graphs(report: Optional[Report] = None) -> Dict[str, View]:
    """Return all graphs to choose from, by key, in the order of :func:`groups`."""
    return {key: item for group in groups(report) for key, item in group.items()}


#: The graphs that every report has; :func:`graphs` adds a report's slicings without labels of their own.
GRAPHS = graphs()


def report_graphs(report: Report, *, of_each: bool = False) -> Iterator[Block]:
    """Yield the graphs of a report: each is a block with a chart.

    They are of the headline's algorithm (or of each, if ``of_each``); last come the graphs about the whole report.
    """
    names = [result.algorithm for result in report.results if of_each or result.algorithm == report.headline_algorithm]
    for graph in graphs(report).values():
        yield from (block for name in names for block in graph.of(report, [name]))
    for name in NAMES:
        yield from (block for block in load(name).of(report) if block.chart is not None)


def blocks(algorithms: Sequence[AlgorithmGraphs], report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield what each graph of the headline's algorithm says, a line each."""
    for item in algorithms:
        if item.algorithm == report.headline_algorithm:
            keys = [graph.key for graph in item.slices]
            notes = tuple(labeled(slices.slice_labels(key).title, slices.finding(key, item)) for key in keys)
            heading = labeled(_("Where predictions are off"), row_label(item.algorithm, report))
            yield Block("graphs", heading, notes=notes)


VIEW = View("graphs", _("Graphs"), "", blocks)

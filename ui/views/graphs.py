"""All graphs to choose from, the graphs of a report, and what they say in one line each."""

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

#: The graphs that come first in lists, because most people want them.
_FIRST = ("calibration", "interval", "month", "compared_with_others")


def groups(report: Optional[Report] = None) -> Tuple[Dict[str, View], ...]:
    """Return the graphs to choose from, by key, in two groups.

    A report's slicings without labels of their own are included. Until the user chooses, the first graph with data is
    shown.
    """
    computed = slices.computed_graphs(report) if report is not None else ()
    unlabeled_keys = [
        graph.key for item in computed[:1] for graph in item.slices if graph.key not in slices.SLICE_LABELS
    ]
    has_peers = report is None or report.scope.table != SAME_DAY_TABLE
    views = {
        **{key: slices.view(key) for key in (*slices.SLICE_LABELS, *unlabeled_keys)},
        "calibration": calibration.VIEW,
        **({"compared_with_others": population.GRAPH} if has_peers else {}),
    }
    return (
        {key: views[key] for key in _FIRST if key in views},
        {key: views[key] for key in views if key not in _FIRST},
    )


def graphs(report: Optional[Report] = None) -> Dict[str, View]:
    """Return all graphs to choose from, by key, in the order of :func:`groups`."""
    return {key: item for group in groups(report) for key, item in group.items()}


#: The graphs that every report has. :func:`graphs` adds a report's slicings without labels of their own.
GRAPHS = graphs()


def report_graphs(report: Report, *, of_each: bool = False) -> Iterator[Block]:
    """Yield a block for each graph of a report.

    First come the graphs of the headline's algorithm, or of each algorithm with ``of_each``, then those of sections.
    """
    names = [result.algorithm for result in report.results if of_each or result.algorithm == report.headline_algorithm]
    for graph in graphs(report).values():
        yield from (block for name in names for block in graph.of(report, [name]))
    for name in NAMES:
        yield from (block for block in load(name).of(report) if block.chart is not None)


def blocks(algorithms: Sequence[AlgorithmGraphs], report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield what each graph of the headline's algorithm says, one line each."""
    for item in algorithms:
        if item.algorithm == report.headline_algorithm:
            keys = [graph.key for graph in item.slices]
            notes = tuple(labeled(slices.slice_labels(key).title, slices.finding(key, item)) for key in keys)
            heading = labeled(_("Where predictions are off"), row_label(item.algorithm, report))
            yield Block("graphs", heading, notes=notes)


VIEW = View("graphs", _("Graphs"), "", blocks)

"""The classic calibration graph: groups of reviews with similar predictions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Iterator, List, Sequence

from ..text import _
from ..text.numbers import percents
from ..text.phrases import paragraph
from . import slices
from .results import bias_sentence
from .view import Block, Chart, Table, View

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, Report
    from evaluator.sections.graphs import AlgorithmGraphs

_WORDS = slices.WORDS["calibration"]
#: Groups with a smaller share of the reviews do not widen the range that is drawn; without slices they are faint.
_FAINT = 0.01


def blocks(report: Report, _report: Report, names: Sequence[str]) -> Iterator[Block]:
    """The calibration graph of one or two algorithms; with bands and a table where these were worked out."""
    results = [row for row in map(report.result, names) if row.calibration][:2]
    if not results:
        return
    names = [row.algorithm for row in results]
    graphs = slices.of_names(slices.computed(report), names, 2)
    banded = {one.algorithm: one.slice_graph("calibration") for one in graphs}
    begins = _axis_minimum(results)
    drawn = tuple((row.algorithm, row.calibration, banded.get(row.algorithm)) for row in results)
    yield Block(
        key="calibration",
        heading=_WORDS.title,
        caption=paragraph(*_found(results, graphs, begins)),
        table=slices.table(graphs, "calibration", _WORDS.across) if len(graphs) == len(names) else Table(),
        chart=Chart("calibration", (begins, _FAINT, drawn)),
        reading=(
            _("Above the dashed line you remembered more than predicted, below it less; the closer to it, the better."),
        ),
        names=tuple(names),
    )


VIEW = View("", _WORDS.title, "", blocks, most=2)


def _axis_minimum(results: Sequence[AlgorithmResult]) -> float:
    """Where both axes begin: a tick below all that is not rare; at most 80 %, so that there is a range to see."""
    lowest = min(
        (
            min(group.predicted, group.recalled)
            for row in results
            for group in row.calibration
            if group.reviews >= _FAINT * sum(one.reviews for one in row.calibration)
        ),
        default=1.0,
    )
    tenths = math.floor((lowest - 0.01) * 10)
    if tenths < 4:
        tenths -= tenths % 2  # the ticks are mostly 20 % apart then
    return min(max(tenths, 0), 8) / 10


def _found(results: Sequence[AlgorithmResult], graphs: Sequence[AlgorithmGraphs], begins: float) -> List[str]:
    """Sentences: what the bands of the groups prove, where they are known; of a single algorithm more."""
    found = [slices.finding(one, "calibration", begins=begins) for one in graphs]
    if len(results) == 1:
        return [*found, _largest(results[0]), bias_sentence(results[0])]
    return found or [_largest(row) for row in results]


def _largest(result: AlgorithmResult) -> str:
    """Predicted and actual recall in the largest group of reviews."""
    group = max(result.calibration, key=lambda group: group.reviews)
    predicted, recalled = percents(group.predicted, group.recalled)
    return _("When {algorithm} said {predicted}, as it did most often, you remembered {recalled}.").format(
        algorithm=result.algorithm, predicted=predicted, recalled=recalled
    )

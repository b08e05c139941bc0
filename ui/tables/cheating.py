"""Can this number be cheated? The forecasters that do, beside the best algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Tuple

from .. import strings
from ..phrases import labelled, paragraph
from ..views.metrics import VIEWS
from .cells import loss, percent
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.cheating import Cheat

#: Closer together, two values of a metric (0 to 1) are as good as each other: 0.05 percentage points.
_SAME = 0.0005


def cheating_table(report: Report) -> Table:
    """Two rows for each metric that can be cheated: who cheats it, and the best algorithm, if that is another."""
    return Table(
        title=strings.CHEATING_TITLE,
        columns=(
            Column(strings.CHEATING_METRIC, number=False),
            Column(strings.COLUMN_ALGORITHM, strings.CHEATING_WHO_TIP, number=False),
            Column(strings.CHEATING_VALUE, strings.CHEATING_VALUE_TIP),
            Column(VIEWS["log_loss"].label, VIEWS["log_loss"].definition),
        ),
        rows=tuple(row for cheat in report.section("cheating") for row in _rows(cheat)),
        sentence=paragraph(*map(_sentence, report.section("cheating")), strings.CHEATING_DECIDES),
        notes=tuple(
            labelled(metric.label, metric.definition)
            for metric in (VIEWS[cheat.metric] for cheat in report.section("cheating"))
        ),
    )


def _rows(cheat: Cheat) -> Iterator[Tuple[str, ...]]:
    metric = VIEWS[cheat.metric].label
    yield metric, cheat.forecaster, percent(cheat.value, 2), loss(cheat.log_loss)
    if cheat.best != cheat.forecaster:
        yield "", cheat.best, percent(cheat.best_value, 2), loss(cheat.best_log_loss)


def _sentence(cheat: Cheat) -> str:
    """Who it is, and whether each of the two numbers tells it from the best algorithm."""
    who = strings.CHEATING_FORECASTERS[cheat.forecaster]
    if cheat.best == cheat.forecaster:
        return paragraph(who, strings.CHEATING_IS_BEST)
    more = cheat.log_loss - cheat.best_log_loss
    found = strings.CHEATING_FOUND[_by_metric(cheat.value - cheat.best_value), "worse" if more > 0 else "not_worse"]
    said = found.format(
        metric=VIEWS[cheat.metric].label,
        best=cheat.best,
        value=percent(cheat.value, 2),
        best_value=percent(cheat.best_value, 2),
        more=loss(more),
    )
    return paragraph(who, said)


def _by_metric(difference: float) -> str:
    """How it looks, from the forecaster's value minus that of the best algorithm."""
    if abs(difference) < _SAME:
        return "as_good"
    return "better" if difference < 0 else "worse"

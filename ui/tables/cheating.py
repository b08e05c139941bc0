"""Can this number be cheated? The forecasters that do, beside the best algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import strings
from ..science import wording
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Cheat, Report


def cheating_table(report: Report) -> Table:
    """Two rows for each metric that can be cheated: who cheats it, and the best algorithm."""
    rows = []
    for cheat in report.cheating:
        metric = wording.METRICS[cheat.metric].label
        rows.append((metric, cheat.forecaster, _percent(cheat.value), f"{cheat.log_loss:.4f}"))
        rows.append(("", cheat.best, _percent(cheat.best_value), f"{cheat.best_log_loss:.4f}"))
    return Table(
        title=strings.CHEATING_TITLE,
        columns=(
            Column(strings.CHEATING_METRIC, _definitions(report), number=False),
            Column(strings.COLUMN_ALGORITHM, strings.CHEATING_WHO_TIP, number=False),
            Column(strings.CHEATING_VALUE, strings.CHEATING_VALUE_TIP),
            Column(wording.METRICS["log_loss"].label, wording.METRICS["log_loss"].definition),
        ),
        rows=tuple(rows),
        sentence=" ".join([strings.CHEATING_SENTENCE, *map(_found, report.cheating)]),
    )


def _found(cheat: Cheat) -> str:
    """What the two numbers of each show here."""
    form = strings.CHEATING_BEATS if cheat.value < cheat.best_value else strings.CHEATING_BEHIND
    if cheat.forecaster == cheat.best:
        form = strings.CHEATING_BEST
    return form.format(
        forecaster=cheat.forecaster,
        best=cheat.best,
        metric=wording.METRICS[cheat.metric].label,
        times=f"{cheat.log_loss / cheat.best_log_loss:.2f}" if cheat.best_log_loss > 0 else strings.NO_VALUE,
    )


def _definitions(report: Report) -> str:
    texts = [wording.METRICS[cheat.metric] for cheat in report.cheating]
    return "\n".join(f"{text.label}: {text.definition}" for text in texts)


def _percent(share: float) -> str:
    return strings.PERCENT.format(value=100 * share, digits=2)

"""How much better than guessing each algorithm is, and whether its predictions are too sure or too timid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from ..text import _, strings
from ..text.phrases import listed
from .cells import percent
from .tables import ALGORITHM
from .view import Block, Column, Table

if TYPE_CHECKING:
    from evaluator.report import AlgorithmResult, Report

LINE_REASONS = {
    "constant": _("it always says the same"),
    "one_outcome": _("all reviews ended in the same way"),
    "separated": _("no line: some limit tells all remembered from all forgotten"),
}


def blocks(report: Report) -> Iterator[Block]:
    """Skill, and whether predictions are too sure or too timid."""
    yield Block(
        "skill",
        _("Better than guessing?"),
        _(
            "Skill: by what share the log loss is lower than that of a guess that anyone could make. "
            "0\N{NO-BREAK SPACE}% is as good as guessing, below 0\N{NO-BREAK SPACE}% is worse. Small numbers are "
            "usual, as much of what we forget is luck."
        ),
        _skill(report),
    )
    columns = (
        ALGORITHM,
        Column(_("Predictions are"), _("Said only where the intervals leave no doubt."), number=False),
    )
    rows = tuple((row.algorithm, _line(row)) for row in report.results if row.log_loss is not None)
    yield Block("line", _("Too sure or too timid?"), table=Table(columns, rows))


def _skill(report: Report) -> Table:
    return Table(
        columns=(
            ALGORITHM,
            Column(
                # Translators: A column: how much better (skill) than saying ...
                _("Skill against your average"),
                _("By what share its log loss is lower than that of always saying your average of all reviews so far."),
            ),
            Column(
                # Translators: A column: how much better (skill) than saying ...
                _("Skill against your average by interval"),
                _(
                    "By what share its log loss is lower than that of saying your average so far after intervals of "
                    "similar length."
                ),
            ),
        ),
        rows=tuple(
            (row.algorithm, percent(row.value("skill_average")), percent(row.value("skill_interval_average")))
            for row in report.results
            if row.log_loss is not None
        ),
    )


def _line(row: AlgorithmResult) -> str:
    """What slope and level of its calibration line say of predictions, as far as their intervals leave no doubt."""
    line = row.calibration_line
    if line is None:
        return strings.NO_VALUE
    # Translators: Of an algorithm's predictions, how they spread.
    said = {-1: [_("too sure")], 1: [_("too timid")]}.get(line.slope.side(1) or 0, [])
    said += {-1: [_("too high")], 1: [_("too low")]}.get(line.in_the_large.side() or 0, [])
    return LINE_REASONS.get(line.slope.reason or "", "") or listed(said) or strings.NO_VALUE

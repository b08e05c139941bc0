"""The numbers behind the classic calibration graph: groups of reviews with similar predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

from ..text import strings
from ..text.phrases import whole
from .cells import percent
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report


def calibration_table(report: Report, algorithms: Sequence[str]) -> Table:
    """A row for each group of each algorithm, from the lowest prediction to the highest."""
    rows = [
        (name, percent(group.predicted), percent(group.recalled), whole(group.reviews))
        for name, calibration in ((name, report.result(name).calibration) for name in algorithms)
        if calibration is not None
        for group in calibration.log_spaced
    ]
    return Table(
        title=strings.GRAPHS["calibration"].title,
        columns=(
            Column(strings.COLUMN_ALGORITHM, number=False),
            Column(strings.CHART_X, strings.COLUMN_PREDICTED_TIP),
            Column(strings.CHART_Y, strings.COLUMN_RECALLED_TIP),
            Column(strings.CHART_COUNTS, strings.COUNTS_TIP),
        ),
        rows=tuple(rows),
    )

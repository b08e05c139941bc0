"""Every algorithm against the baseline, and against the parameters that are in the presets now."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Tuple

from .. import strings
from ..phrases import all_of, paragraph
from .cells import in_cells, loss, signed
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Comparison, Report
    from evaluator.sections.comparisons import Comparisons


def comparisons_tables(report: Report) -> Tuple[Table, ...]:
    """One for each algorithm that others are measured by."""
    return tuple(_table(found, report) for found in report.section("comparisons"))


def _table(found: Comparisons, report: Report) -> Table:
    return Table(
        title=strings.COMPARISONS_TITLE.format(reference=found.reference),
        columns=(
            Column(strings.COLUMN_ALGORITHM, number=False),
            Column(strings.COMPARISONS_DIFFERENCE, strings.COMPARISONS_DIFFERENCE_TIP.format(name=found.reference)),
            Column(strings.FROM_COLUMN, strings.FROM_TIP),
            Column(strings.TO_COLUMN, strings.TO_TIP),
            Column(
                strings.COMPARISONS_VERDICT, strings.COMPARISONS_VERDICT_TIP.format(margin=report.margin), number=False
            ),
            Column(strings.COMPARISONS_DETECTABLE, strings.COMPARISONS_DETECTABLE_TIP, terse=True),
        ),
        rows=tuple(map(_row, found.comparisons)),
        sentence=_sentence(found, report.margin),
        notes=tuple(_notes(found, report)),
    )


def _notes(found: Comparisons, report: Report) -> List[str]:
    """Which of them may have seen the reviews."""
    rows = {c.algorithm for c in found.comparisons}
    known = [row.algorithm for row in report.results if row.in_sample and row.algorithm in rows]
    notes = [strings.RETENTION_IN_SAMPLE.format(algorithm=name) for name in known]
    return [strings.COMPARISONS_IN_SAMPLE.format(reference=found.reference), *notes] if found.in_sample else notes


def _row(c: Comparison) -> Tuple[str, ...]:
    numbers = map(signed, in_cells(c.difference))
    return (c.algorithm, *numbers, strings.COMPARISON_CODES[c.code], loss(c.smallest_detectable))


def _sentence(found: Comparisons, margin: float) -> str:
    """Who is better, who is worse, and of whom it cannot be told."""
    parts = []
    for code, text in strings.COMPARISONS_FOUND.items():
        names = [c.algorithm for c in found.comparisons if c.code == code]
        if names:
            parts.append(text.format(names=all_of(names), reference=found.reference, margin=margin))
    return paragraph(*parts)

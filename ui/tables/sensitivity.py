"""Does the winner change? One row for each other way to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Optional, Tuple

from .. import strings
from ..phrases import all_of, labelled, paragraph, whole, with_semicolons
from ..science import interval
from ..text.errors import error_sentence
from .cells import in_cells, signed
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Comparison, Report
    from evaluator.sections.sensitivity import Sensitivity, SensitivityRow


def sensitivity_tables(report: Report) -> Tuple[Table, ...]:
    """One, or none where it was not asked for."""
    found = report.section("sensitivity")
    if found is None or found.reference.comparison is None:
        return ()
    pair = {"algorithm": found.reference.comparison.algorithm, "baseline": found.reference.comparison.baseline}
    return (
        Table(
            title=strings.SENSITIVITY_TITLE,
            columns=(
                Column(strings.SENSITIVITY_VARIANT, strings.SENSITIVITY_VARIANT_TIP, number=False),
                Column(strings.CHART_COUNTS, strings.COUNTS_TIP),
                Column(
                    strings.SENSITIVITY_DIFFERENCE.format(**pair), strings.SENSITIVITY_DIFFERENCE_TIP.format(**pair)
                ),
                Column(strings.FROM_COLUMN, strings.FROM_TIP),
                Column(strings.TO_COLUMN, strings.TO_TIP),
                Column(strings.SENSITIVITY_AHEAD, strings.SENSITIVITY_AHEAD_TIP, number=False),
                Column(strings.SENSITIVITY_WINNER, strings.SENSITIVITY_WINNER_TIP, number=False),
                Column(strings.SENSITIVITY_CHANGES, strings.SENSITIVITY_CHANGES_TIP, number=False),
            ),
            rows=tuple(_row(row, place) for place, row in enumerate((found.reference, *found.variants))),
            sentence=_sentence(found),
            notes=_notes(found),
        ),
    )


def _row(row: SensitivityRow, place: int) -> Tuple[str, ...]:
    words = strings.SENSITIVITY_VARIANTS[row.name]
    found = row.comparison
    if row.basis is None or found is None or row.code is None:
        return (words, *[strings.NO_VALUE] * 7)
    changes = strings.SENSITIVITY_CODES[row.code] if place else ""
    numbers = map(signed, in_cells(found.difference))
    return words, whole(row.basis.reviews), *numbers, _ahead(found), row.winner or "", changes


def _ahead(found: Comparison) -> str:
    return {
        interval.BETTER: found.algorithm,
        interval.WORSE: found.baseline,
        interval.EQUIVALENT: strings.SENSITIVITY_EQUAL,
        interval.CANNOT_TELL: strings.SENSITIVITY_CANNOT_TELL,
        interval.TOO_FEW: strings.SENSITIVITY_NO_INTERVAL,
    }[found.code]


def _sentence(found: Sensitivity) -> str:
    """Of the lowest log loss, then of the verdict's pair, whose better one need not have it."""
    winner = found.reference.winner
    clearly, others = (_words(row for row in found.variants if row.code == code) for code in ("other_clearly", "other"))
    failed = any(row.error is not None for row in found.variants)
    if clearly:
        said = strings.SENSITIVITY_OTHER_CLEARLY.format(winner=winner, variants=clearly)
    elif others:
        said = strings.SENSITIVITY_OTHER.format(winner=winner, variants=others)
    else:
        said = (strings.SENSITIVITY_SAME_AS_FAR if failed else strings.SENSITIVITY_SAME).format(winner=winner)
    pair = found.reference.comparison
    turned = _words(row for row in found.variants if row.code != "other_clearly" and _is_turned(row.comparison, pair))
    if pair is None or not turned:
        return said
    of = {"algorithm": pair.algorithm, "baseline": pair.baseline, "variants": turned}
    return paragraph(said, strings.SENSITIVITY_TURNED.format(**of))


def _words(rows: Iterable[SensitivityRow]) -> str:
    return with_semicolons(strings.SENSITIVITY_VARIANTS[row.name] for row in rows)


def _is_turned(one: Optional[Comparison], other: Optional[Comparison]) -> bool:
    return one is not None and other is not None and {one.code, other.code} == {interval.BETTER, interval.WORSE}


def _notes(found: Sensitivity) -> Tuple[str, ...]:
    failed = [
        labelled(strings.SENSITIVITY_VARIANTS[row.name], error_sentence(row.error))
        for row in found.variants
        if row.error is not None
    ]
    compared = strings.SENSITIVITY_COMPARED.format(names=all_of(found.algorithms))
    return (compared, *failed, *(() if found.complete else (strings.SENSITIVITY_INCOMPLETE,)))

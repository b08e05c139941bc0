"""Does the winner change? One row for each other way to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Iterator, Optional, Sequence, Tuple

from ..science import interval
from ..text import _, strings
from ..text.errors import error_sentence
from ..text.phrases import all_of, labelled, paragraph, whole, with_semicolons
from .cells import in_cells, signed
from .tables import ENDS, REVIEWS
from .view import Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Comparison, Report
    from evaluator.sections.sensitivity import Sensitivity, SensitivityRow

#: In the first column, and in the sentence.
SENSITIVITY_VARIANTS = {
    "as_asked": _("as in this report"),
    "earlier_half": _("earlier half of the scored reviews"),
    "later_half": _("later half of the scored reviews"),
    "clipped": _("no prediction below 1\N{NO-BREAK SPACE}% or above 99\N{NO-BREAK SPACE}%"),
    "no_outlier_filter": _("without the outlier filter"),
    "outlier_filter": _("with the outlier filter"),
    "no_same_day": _("told nothing of same-day reviews"),
    "same_day": _("told of same-day reviews"),
    "later_start": _("only the later half of all reviews"),
}
#: In the column “Another winner?”.
SENSITIVITY_CODES = {
    "same": _("no"),
    "other": _("yes, not clearly"),
    "other_clearly": _("yes, clearly"),
}
SENSITIVITY_INCOMPLETE = _(
    "Without the outlier filter, without same-day reviews and with a later start: these need the collection itself, "
    "which was not at hand."
)


def blocks(found: Sensitivity, _report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """A block with a row for each other way to count; none where there was nothing to compare."""
    if found.reference.comparison is None:
        return
    pair = {"algorithm": found.reference.comparison.algorithm, "baseline": found.reference.comparison.baseline}
    columns = (
        Column(_("How it is counted"), _("How this row counts otherwise than the report."), number=False),
        REVIEWS,
        Column(
            _("{algorithm} \N{MINUS SIGN} {baseline}").format(**pair),
            _("Difference of log loss. Below 0: {algorithm} predicts better.").format(**pair),
        ),
        *ENDS,
        # Translators: A column: the better one of two algorithms.
        Column(_("Ahead"), _("Which of the two predicts better, as far as the interval allows to say."), number=False),
        Column(
            _("Lowest log loss"),
            _("The algorithm that has it, of those that were compared: the verdict's two, and the best of the report."),
            number=False,
        ),
        Column(
            _("Another winner?"),
            _("Whether the lowest log loss is that of another algorithm than in the report."),
            number=False,
        ),
    )
    rows = tuple(_row(row, place) for place, row in enumerate((found.reference, *found.variants)))
    yield Block(
        "sensitivity", _("Does the winner change?"), _sentence(found), Table(columns, rows), notes=_notes(found)
    )


def _row(row: SensitivityRow, place: int) -> Tuple[str, ...]:
    words = SENSITIVITY_VARIANTS[row.name]
    found = row.comparison
    if row.basis is None or found is None or row.code is None:
        return (words, *[strings.NO_VALUE] * 7)
    changes = SENSITIVITY_CODES[row.code] if place else ""
    numbers = map(signed, in_cells(found.difference))
    return words, whole(row.basis.reviews), *numbers, _ahead(found), row.winner or "", changes


def _ahead(found: Comparison) -> str:
    return {
        interval.BETTER: found.algorithm,
        interval.WORSE: found.baseline,
        # Translators: In the column "Ahead", where it names no algorithm.
        interval.EQUIVALENT: _("equally good"),
        interval.CANNOT_TELL: _("cannot tell"),
        interval.TOO_FEW: _("too few cards or days"),
        # Translators: Too few reviews were forgotten, or too few were remembered, whichever is the rarer.
        interval.RARE: _("one outcome too rare"),
    }[found.code]


def _sentence(found: Sensitivity) -> str:
    """Whether another algorithm has the lowest log loss in some row, and whether the verdict's pair changes places."""
    winner = found.reference.winner
    clearly, others = (_words(row for row in found.variants if row.code == code) for code in ("other_clearly", "other"))
    failed = any(row.error is not None for row in found.variants)
    if clearly:
        said = _(
            "{winner} has the lowest log loss of this report, but in some rows another algorithm is clearly better "
            "({variants}). So the answer depends on how the reviews are counted: be careful with it."
        ).format(winner=winner, variants=clearly)
    elif others:
        said = _(
            "{winner} has the lowest log loss of this report. In some rows another algorithm is ahead of it "
            "({variants}), but never by more than chance could make."
        ).format(winner=winner, variants=others)
    else:
        said = (
            _("{winner} has the lowest log loss in every row that could be worked out; not all could.")
            if failed
            else _("{winner} has the lowest log loss in every row.")
        ).format(winner=winner)
    pair = found.reference.comparison
    turned = _words(row for row in found.variants if row.code != "other_clearly" and _is_turned(row.comparison, pair))
    if pair is None or not turned:
        return said
    of = {"algorithm": pair.algorithm, "baseline": pair.baseline, "variants": turned}
    return paragraph(
        said, _("In these rows the other one of {algorithm} and {baseline} is better: {variants}.").format(**of)
    )


def _words(rows: Iterable[SensitivityRow]) -> str:
    return with_semicolons(SENSITIVITY_VARIANTS[row.name] for row in rows)


def _is_turned(one: Optional[Comparison], other: Optional[Comparison]) -> bool:
    return one is not None and other is not None and {one.code, other.code} == {interval.BETTER, interval.WORSE}


def _notes(found: Sensitivity) -> Tuple[str, ...]:
    failed = [
        labelled(SENSITIVITY_VARIANTS[row.name], error_sentence(row.error))
        for row in found.variants
        if row.error is not None
    ]
    compared = _("Compared were {names}.").format(names=all_of(found.algorithms))
    return (compared, *failed, *(() if found.complete else (SENSITIVITY_INCOMPLETE,)))


VIEW = View(
    "sensitivity",
    _("Does the winner change?"),
    _("Would the answer be the same with other ways to count?"),
    blocks,
    _("Evaluates again with other ways to count, and looks whether the answer changes."),
)

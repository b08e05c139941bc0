"""Every algorithm against the baseline, and against the parameters that are in the presets now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, Sequence, Tuple

from ..text import _, strings
from .cells import ends, percent, signed
from .labels import row_label
from .tables import ALGORITHM, COMPARISON_CODES, without_empty_columns
from .view import Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Comparison, Report
    from evaluator.sections.comparisons import Comparisons


#: Rows that repeat another row's numbers: comparing them would add nothing.
_SAME_AS_DEFAULTS = ("published", "published_fsrs7")


def blocks(section: Sequence[Comparisons], report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield a block for each reference that the others are compared with."""
    for item in section:
        if item.reference == report.baseline or report.result(item.reference).note not in _SAME_AS_DEFAULTS:
            yield Block(
                key="comparisons",
                heading=_("Against {reference}").format(reference=row_label(item.reference)),
                table=without_empty_columns(_table(item, report)),
                notes=tuple(_notes(item, report)),
            )


def _table(section: Comparisons, report: Report) -> Table:
    return Table(
        columns=(
            ALGORITHM,
            Column(
                _("Difference in log loss"),
                _(
                    "Log loss minus that of {name}, on the same reviews: below 0 is better, 0 is the same, above 0 is "
                    "worse."
                ).format(name=row_label(section.reference)),
            ),
            Column(_("95% interval"), _("Missing if there are too few cards, days, lapses or successes.")),
            Column(
                _("P(better)"),
                _("How likely it is better than {name}, judging by your reviews and other people's.").format(
                    name=row_label(section.reference)
                ),
            ),
            Column(
                _("Verdict"),
                _(
                    "Better or worse: the interval excludes 0. Equivalent: all of it is closer to 0 than "
                    "{margin}, which is too small to notice. Cannot tell: chance alone could explain the "
                    "difference."
                ).format(margin=report.margin),
                number=False,
            ),
        ),
        rows=tuple(map(_row, section.comparisons)),
    )


def _notes(result: Comparisons, report: Report) -> List[str]:
    compared = {result.reference, *(c.algorithm for c in result.comparisons)}
    known = [row.algorithm for row in report.results if row.in_sample and row.algorithm in compared]
    return [strings.MAY_BE_IN_SAMPLE.format(algorithm=row_label(name)) for name in known]


def _row(c: Comparison) -> Tuple[str, ...]:
    difference, interval = signed(c.difference.estimate), ends(c.difference, signed)
    chance = percent(None if c.chance is None else c.chance.better, 1)
    return (row_label(c.algorithm), difference, interval, chance, COMPARISON_CODES[c.code])


# Translators: A section of the report: its title, and what it answers.
VIEW = View("comparisons", _("Algorithms compared"), _("Which algorithms are better than the baseline?"), blocks)

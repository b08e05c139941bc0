"""Every algorithm against the baseline."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Iterator, Sequence, Tuple

from ..text import _, strings
from ..text.numbers import decimals
from ..text.phrases import paragraph, with_interval
from .cells import ends, percent, signed
from .labels import row_label
from .tables import ALGORITHM, COMPARISON_CODES, without_empty_columns
from .view import Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Comparison, Report
    from evaluator.sections.comparisons import Comparisons

#: By the code of the comparison of two selected rows, what it means for them.
PAIR_VERDICTS = {
    "better": _("{first} is better"),
    "worse": _("{second} is better"),
    "equivalent": _("too small a difference to notice"),
    "cannot_tell": _("too close to call"),
}


def blocks(section: Comparisons, report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield the table of the others against the baseline."""
    compared = {section.reference, *(c.algorithm for c in section.comparisons)}
    known = [row.algorithm for row in report.results if row.in_sample and row.algorithm in compared]
    yield Block(
        key="comparisons",
        heading=_("Against {reference}").format(reference=row_label(section.reference, report)),
        table=without_empty_columns(_table(section, report)),
        notes=tuple(strings.MAY_BE_IN_SAMPLE.format(algorithm=row_label(name, report)) for name in known),
    )


def pair_sentence(c: Comparison, report: Report) -> str:
    """Say how far apart two rows are, and which is better; another sentence says if one may have seen these reviews."""
    written = partial(decimals, digits=4)
    difference = written(c.difference.value)
    if c.difference.low_high is not None:
        difference = with_interval(difference, *map(written, c.difference.low_high))
    first, second = row_label(c.algorithm, report), row_label(c.baseline, report)
    verdict = PAIR_VERDICTS.get(c.code, COMPARISON_CODES[c.code]).format(first=first, second=second)
    known = [name for name in (c.algorithm, c.baseline) if report.result(name).in_sample]
    return paragraph(
        _("{first} minus {second}: {difference}: {verdict}.").format(
            first=first, second=second, difference=difference, verdict=verdict
        ),
        *(strings.MAY_BE_IN_SAMPLE.format(algorithm=row_label(name, report)) for name in known),
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
                ).format(name=row_label(section.reference, report)),
            ),
            Column(_("95% interval"), _("Missing if there are too few cards, days, lapses or successes.")),
            Column(
                _("P(better)"),
                _("How likely it is better than {name}, judging by your reviews and other people's.").format(
                    name=row_label(section.reference, report)
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
        rows=tuple(_row(c, report) for c in section.comparisons),
    )


def _row(c: Comparison, report: Report) -> Tuple[str, ...]:
    difference, interval = signed(c.difference.estimate), ends(c.difference, signed)
    chance = percent(None if c.chance is None else c.chance.better, 1)
    return (row_label(c.algorithm, report), difference, interval, chance, COMPARISON_CODES[c.code])


# Translators: A section of the report: its title, and what it answers.
VIEW = View("comparisons", _("Algorithms compared"), _("Which algorithms are better than the baseline?"), blocks)

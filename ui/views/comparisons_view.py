"""The table that compares each algorithm with the baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Sequence

from ..text import _
from ..text.phrases import paragraph
from .cells import ends, format_difference, percent_or_dash, with_ends
from .labels import row_label
from .rivals import in_sample_notes
from .view import ALGORITHM, COMPARISON_CODES, Block, Column, Table, View, without_sparse_columns

if TYPE_CHECKING:
    from evaluator.report import Comparison, Report

#: Verdicts on two selected rows, by the code of their comparison.
PAIR_VERDICTS = {
    "better": _("{first} predicted better on these reviews"),
    "worse": _("{second} predicted better on these reviews"),
    "equivalent": _("too small a difference to notice"),
    "cannot_tell": _("too close to call"),
}


def blocks(report: Report) -> Iterator[Block]:
    """Yield the table of comparisons with the baseline, unless that may have been fitted to these reviews."""
    comparisons = [row.against_baseline for row in report.results if row.against_baseline is not None]
    if (
        report.baseline is None
        or report.baseline in {row.algorithm for row in report.results if row.in_sample}
        or not comparisons
    ):
        return
    reference = row_label(report.baseline, report)
    yield Block(
        key="comparisons",
        heading=_("Against {reference}").format(reference=reference),
        table=without_sparse_columns(_table(comparisons, reference, report), 0.5),
        notes=tuple(note for c in comparisons for note in in_sample_notes(c, report)),
    )


def pair_sentence(c: Comparison, report: Report, newest_fsrs: int) -> str:
    """Say how far apart two algorithms are, which is better, and which may have been fitted to these reviews.

    If one is FSRS-7, and the newest version in the installed Anki is older, say that too.
    """
    first = row_label(c.algorithm, report)
    second = row_label(c.baseline, report)
    text = _("Log loss of {first} minus {second}: {difference}; {verdict}.").format(
        first=first,
        second=second,
        difference=with_ends(c.difference, format_difference),
        verdict=PAIR_VERDICTS.get(c.code, COMPARISON_CODES[c.code]).format(first=first, second=second),
    )
    # Users give rows of pasted parameters any name, but descriptions begin with the version.
    is_too_new = newest_fsrs < 7 and any(
        row.description.startswith("FSRS-7") and row.algorithm in (c.algorithm, c.baseline) for row in report.results
    )
    not_yet = _("Anki does not have FSRS-7 yet.") if is_too_new else ""
    return paragraph(text, not_yet, *in_sample_notes(c, report))


def _table(comparisons: Sequence[Comparison], reference: str, report: Report) -> Table:
    """Return the table of these comparisons with the baseline, whose label is ``reference``."""
    difference_tip = _(
        "Log loss minus that of {name}, on these reviews: below 0 is better, 0 is the same, above 0 is worse."
    ).format(name=reference)
    chance_tip = _("How likely it is better than {name}, judging by your reviews and other people's.")
    verdict_tip = _(
        "Better or worse on these reviews: the interval excludes 0. Equivalent: all of it is closer to 0 than "
        "{margin}, which is too small to notice. Cannot tell: chance alone could explain the difference."
    ).format(margin=report.margin)
    columns = (
        ALGORITHM,
        Column(_("Difference in log loss"), difference_tip),
        Column(_("95% interval"), _("Missing if there are too few cards, days, lapses or successes.")),
        Column(_("P(better)"), chance_tip.format(name=reference)),
        Column(_("Verdict"), verdict_tip, number=False),
    )
    rows = tuple(
        (
            row_label(c.algorithm, report),
            format_difference(c.difference.estimate),
            ends(c.difference, format_difference),
            percent_or_dash(None if c.chance is None else c.chance.better),
            COMPARISON_CODES[c.code],
        )
        for c in comparisons
    )
    return Table(columns, rows)


# Translators: A table of the report: its title, and what it answers.
VIEW = View("", _("Algorithms compared"), _("Which algorithms are better than the baseline?"), blocks)

"""The list of findings: the presets with their decks, and all together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Sequence, Tuple

from ..science import report as reports
from ..text import _, pgettext, strings
from ..text.numbers import decimals
from ..text.phrases import add_label, integer, with_interval
from .cells import short_name, whole_percent
from .finding import SIGNS, is_tested, tested_texts
from .view import Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Finding, Report


#: Short advice for a preset, by code.
WHAT_TO_DO = {
    "optimize": _("optimize"),
    "desired_retention": _("set the desired retention to {new}"),
    "optimize_if_you_like": _("optimize if you like"),
    "nothing": _("nothing"),
    "keep_on": _("nothing yet"),
}

FINDING_COLUMNS = (
    Column(
        pgettext("Anki", "Preset"), _("Those with the most to do come first, each followed by its decks."), number=False
    ),
    Column(
        _("FSRS said"), _("The preset's desired retention, or the mean prediction if too few predictions were near it.")
    ),
    Column(_("You remembered"), _("With the 95% interval.")),
    Column(
        _("Tested"),
        _("Number of reviews behind these shares: near the desired retention or all, and only since the last change."),
    ),
    Column(
        _("Optimizing changes"),
        _("Mean change of the predictions by optimizing now, in percentage points. Empty if it is not known."),
    ),
    Column(_("Last changed"), _("When one of the preset's options was last saved.")),
    Column(_("What to do"), number=False),
)


def blocks(report: Report, _report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Yield the list of findings, unless there is only one subject."""
    if len(report.findings) > 1:
        whole, *others = report.findings
        rows = tuple(_finding_row(finding) for finding in (*others, whole))
        yield Block("presets", _("Which preset is off?"), table=Table(FINDING_COLUMNS, rows))


def _finding_row(finding: Finding) -> Tuple[str, ...]:
    recall = tested_texts(finding.recall if is_tested(finding) else reports.NOTHING_TESTED)
    remembered = with_interval(recall.recalled, *recall.ends) if recall.ends else recall.recalled
    is_deck = finding.kind == reports.DECK
    # The decks of a preset have its advice, and no change of their own.
    advice = None if is_deck else finding.advice
    change = finding.optimizing.change if finding.optimizing is not None and not is_deck else None
    new = whole_percent((advice.suggested_retention if advice else None) or 0.0)
    return (
        _finding_name(finding),
        recall.said,
        remembered,
        integer(finding.recall.reviews),
        "" if change is None else _("{points} points").format(points=decimals(100 * change, 1)),
        finding.changed or strings.NO_VALUE,
        WHAT_TO_DO.get(advice.code, "").format(new=new) if advice else "",
    )


def _finding_name(finding: Finding) -> str:
    name = short_name(finding.name) or _("All")
    if finding.kind == reports.DECK:
        return add_label(pgettext("Anki", "Deck"), name)
    return f"{SIGNS[finding.sign]} {name}".strip()


VIEW = View("", _("Presets and decks"), _("In which preset or deck is FSRS off?"), blocks)

"""The list of findings: the presets with their decks, and all together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterable, Optional, Tuple

from ..science import report as reports
from ..text import _, pgettext, strings
from ..text.phrases import integer, paragraph
from .cells import as_share, whole_percent
from .finding_sentences import likely_sentence, subject_name, tested_texts, verdict_sentence
from .view import Column

if TYPE_CHECKING:
    from evaluator.report import Finding, Report

#: Short advice for a preset, by code.
WHAT_TO_DO = {
    "optimize": _("optimize"),
    "desired_retention": _("try {new} desired retention"),
    "optimize_if_you_like": _("optimize if you like"),
    "nothing": _("nothing"),
    "keep_on": _("nothing yet"),
}
#: Columns of the list. The one without a name has the strips.
COLUMNS = (
    Column(pgettext("Anki", "Preset"), number=False),
    Column(_("FSRS said"), _("The desired retention, or the mean prediction if too few predictions were near it.")),
    Column(_("You remembered"), _("The share remembered of the same reviews.")),
    Column("", number=False),
    Column(
        _("Tested"),
        _(
            "The reviews behind the two shares: near the desired retention or all, and only those since the last "
            "change, so they do not add up."
        ),
    ),
    Column(_("What to do"), number=False),
)
LEGEND = _("| what FSRS said, * what you remembered, [ ] its likely range")
#: Texts instead of a strip, by the code of the finding. Findings with other codes have too few reviews.
_NO_STRIP = {"too_new": _("too new"), "versions": strings.NO_VALUE, "untested": strings.NO_VALUE}
#: The strips reach at least this far from what FSRS said.
_MIN_REACH = 0.05


@dataclass(frozen=True)
class ListRow:
    """A finding in the list."""

    index: int  #: index of the finding in the report
    level: int  #: 1 for a deck below its preset, otherwise 0
    sign: str  #: "check", "warning", "question", "dot" or empty
    name: str
    said: str
    remembered: str
    #: Low end, value and high end of the share remembered minus what FSRS said. None if too few reviews were tested.
    strip: Optional[Tuple[float, float, float]]
    no_strip: str  #: text instead of a strip, or empty
    tested: str  #: number of tested reviews
    advice: str  #: what to do, in a few words; empty for a deck
    preset_id: Optional[int]  #: Anki's id of the preset whose options the advice is about
    tip: str  #: the verdict and the interval


def list_rows(report: Report) -> Tuple[ListRow, ...]:
    """Return the presets by urgency, each before its decks, then all together. Empty if there is only one subject."""
    if len(report.findings) < 2:
        return ()
    whole, *others = enumerate(report.findings)
    return tuple(_row(index, finding, report) for index, finding in (*others, whole))


def reach(rows: Iterable[ListRow]) -> float:
    """Return the distance from what FSRS said that all strips show to both sides."""
    return max([_MIN_REACH, *(abs(end) for row in rows for end in row.strip or ())])


def _row(index: int, finding: Finding, report: Report) -> ListRow:
    """Return the row of a finding, which has this index in the report."""
    has_verdict = finding.recall.said is not None and finding.code != "too_few"
    texts = tested_texts(finding.recall)
    remembered = finding.recall.remembered
    said = finding.recall.said or 0.0
    low, high = remembered.low_high or (0.0, 0.0)
    shares = [as_share(share) for share in (low, remembered.value, high)] if has_verdict and texts.ends else []
    is_deck = finding.kind == reports.DECK
    # The decks of a preset have its advice.
    advice = finding.advice if finding.preset_id is not None and not is_deck else None
    new = whole_percent((advice.suggested_retention if advice else None) or 0.0)
    return ListRow(
        index=index,
        level=int(is_deck and report.findings[0].preset_id is None),
        sign=finding.sign,
        name=_("All") if finding.kind == reports.WHOLE else subject_name(finding, report),
        said=texts.said,
        remembered=texts.recalled if has_verdict else strings.NO_VALUE,
        strip=(shares[0] - said, shares[1] - said, shares[2] - said) if shares else None,
        no_strip="" if shares else _NO_STRIP.get(finding.code, _("too few")),
        tested=integer(finding.recall.reviews),
        advice=WHAT_TO_DO.get(advice.code, "").format(new=new) if advice else "",
        preset_id=finding.preset_id,
        tip=paragraph(verdict_sentence(finding, report), likely_sentence(finding.recall) if shares else ""),
    )

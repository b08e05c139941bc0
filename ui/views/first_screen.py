"""The texts that users read first: the verdict, the numbers, what to do, and the details."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Tuple

from ..science import SAME_DAY_TABLE, interval
from ..text import Counted, _, strings
from ..text.phrases import add_label, paragraph
from .advice_sentence import advice_details, advice_of, advice_sentence
from .finding_sentences import SIGNS, finding_details, numbers_sentence, verdict_sentence
from .rivals import pair_sentences, pair_verdict, rivalry_details
from .scope_sentences import TABLES
from .workload_view import has_answer

if TYPE_CHECKING:
    from evaluator.report import Report

DETAILS = _("Details")
WORKLOAD_LINK = _("How many reviews a day? See Workload.")
#: Verdict until the rows that it needs are finished, if FSRS is off, or if it is unknown whether it is on.
COMPARING = _("Comparing FSRS and SM-2…")


@dataclass(frozen=True)
class FirstScreen:
    """The texts that users read first. Each but the verdict may be empty."""

    sign: str  #: "check", "warning", "question", "dot" or empty
    verdict: str  #: line 1
    numbers: str = ""  #: line 2
    advice: str = ""  #: line 3
    details: Tuple[str, ...] = ()  #: sentences that are folded, each on a line of its own

    @property
    def heading(self) -> str:
        """The verdict after its sign."""
        mark = SIGNS[self.sign]
        # Translators: A sign, such as a check mark, and the verdict.
        return _("{sign} {verdict}").format(sign=mark, verdict=self.verdict) if mark else self.verdict


def first_screen(report: Report, *, running: bool = False, version: str = "") -> FirstScreen:
    """Return the texts on the subject of the report.

    Args:
        report: the report.
        running: whether the evaluation is still running, so that rows may be missing.
        version: version of Anki whose buttons are named. Empty: the newest.
    """
    is_whole_day = report.scope.table != SAME_DAY_TABLE
    finding = report.finding
    verdict = report.verdict
    if running and finding is None and (verdict.rivalry is None or (report.scope.fsrs and is_whole_day)):
        return FirstScreen("", _("Checking FSRS…") if report.scope.fsrs and is_whole_day else COMPARING)
    advice = advice_sentence(report, version)
    instructions = advice_details(advice_of(report), version)
    if finding is not None:
        rivalry = finding.against_sm2
        sentence = verdict_sentence(finding, report)
        numbers = numbers_sentence(finding)
        details = [*finding_details(finding, report), *instructions]
        sign = finding.sign
    else:
        rivalry = verdict.rivalry
        sentence = pair_verdict(report)
        numbers, *others = list(pair_sentences(report)) or [""]
        details = [*instructions, *others]
        sign = verdict.sign
        if not is_whole_day and rivalry is not None:
            sentence = add_label(strings.WITH_SAME_DAY, sentence)
    if rivalry is not None:
        details += rivalry_details(rivalry, report)
    return FirstScreen(sign, sentence, numbers=numbers, advice=advice, details=tuple(details))


def why_no_table(report: Report) -> str:
    """Return how many reviews can be used, why these are too few for the table and the graphs, and when to come back.

    The text is empty if there are enough reviews.
    """
    scope = report.scope
    if report.has_table:
        return ""
    days = -(-scope.days * (interval.MIN_FOR_TABLE - scope.reviews) // max(scope.reviews, 1))
    return paragraph(
        Counted("So far, {count:,} of your reviews can be used.", "So far, {count:,} of your reviews can be used.")(
            scope.reviews
        ),
        TABLES[scope.table],
        _("The oldest ones are left out, because every algorithm first needs some to learn from."),
        _("The table and the graphs appear from {needed:,} reviews on.").format(needed=interval.MIN_FOR_TABLE),
        Counted(
            "Come back after about {count:,} more day of reviewing.",
            "Come back after about {count:,} more days of reviewing.",
        )(days),
    )


def links_to_workload(report: Report) -> bool:
    """Return whether FSRS is compared with what was remembered or with SM-2, and the workload is known."""
    return bool(report.findings or report.verdict.rivalry) and has_answer(report)

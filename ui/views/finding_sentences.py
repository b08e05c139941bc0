"""Sentences on one finding: its verdict, what FSRS said, and what was remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, NamedTuple, Tuple

from ..science import report as reports
from ..text import Counted, _, pgettext, strings
from ..text.numbers import percent
from ..text.phrases import add_label, from_to, paragraph, scope_words, with_semicolons
from ..text.sanitize import sanitize_text
from .cells import as_share, whole_percent
from .rivals import CLAIMS, claim_sentence

if TYPE_CHECKING:
    from evaluator.report import Finding, Recall, Report

#: Signs by :attr:`evaluator.report.Finding.sign`.
SIGNS = {"check": "\N{CHECK MARK}", "warning": "!", "question": "?", "dot": "\N{BULLET}", "": ""}
#: Verdicts by :attr:`evaluator.report.Finding.code`, without "deck".
VERDICTS = {
    "right": _("FSRS was about right."),
    "right_on_average": _("FSRS was about right on average, less so card by card."),
    "slightly_optimistic": _("FSRS was about right, slightly too optimistic."),
    "slightly_cautious": _("FSRS was about right, slightly too cautious."),
    "optimistic": _("FSRS was too optimistic."),
    "cautious": _("FSRS was too cautious."),
    "probably_optimistic": _("FSRS was probably too optimistic."),
    "probably_cautious": _("FSRS was probably too cautious."),
    "a_bit_optimistic": _("FSRS was probably a bit too optimistic."),
    "a_bit_cautious": _("FSRS was probably a bit too cautious."),
    "too_early": _("Too early to judge your current parameters."),
    "too_new": _("Your current parameters are too new to be tested."),
    "deleted": _("All cards that you reviewed are deleted, so their presets are unknown."),
    "much_deleted": _("Too many cards are deleted to judge this preset."),
    "versions": _("Your presets run different versions of FSRS, so they cannot be judged together."),
    "untested": _("Your current parameters could not be tested."),
    "too_few": _("Too few reviews to judge this preset."),
}
#: Verdicts if a group of predictions is far off, by whether the others are near the desired retention, and whether less
#: was remembered in the group.
ELSEWHERE = {
    (True, True): _("FSRS was about right at {said}, but too optimistic at {elsewhere}."),
    (True, False): _("FSRS was about right at {said}, but too cautious at {elsewhere}."),
    (False, True): _("FSRS was about right on average, but too optimistic at {elsewhere}."),
    (False, False): _("FSRS was about right on average, but too cautious at {elsewhere}."),
}
#: Sentences on what FSRS said, by whether it said about the same of all reviews, and whether FSRS is called "it".
NUMBERS = {
    (True, True): _("When it said {said}, you remembered {recalled} ({remark})."),
    (True, False): _("When FSRS said {said}, you remembered {recalled} ({remark})."),
    (False, True): _("On average it said {said}; you remembered {recalled} ({remark})."),
    (False, False): _("On average FSRS said {said}; you remembered {recalled} ({remark})."),
}
RETRAINED = _("On all reviews, regularly optimized FSRS would have said {said}; you remembered {recalled} ({remark}).")
SINCE_CHANGE = Counted("{count:,} review since the last change", "{count:,} reviews since the last change")
DELETED = Counted(
    "{count:,} of your reviews is of a card that you deleted, so its preset is unknown.",
    "{count:,} of your reviews are of cards that you deleted, so their preset is unknown.",
)
#: Sentences on whose predictions were tested, by :attr:`evaluator.report.Finding.source`.
SOURCES = {
    reports.DEFAULT: _("Tested: the published default parameters, which were fitted to none of your reviews."),
    reports.UNSEEN: _("Tested: your own parameters, on reviews since they were last changed."),
}
#: Codes of findings whose FSRS looks off in one direction.
_OFF_CODES = {f"{how}{side}" for how in ("", "probably_", "a_bit_") for side in ("optimistic", "cautious")}


class RecallTexts(NamedTuple):
    """What FSRS said and what was remembered, as texts."""

    said: str
    recalled: str
    ends: Tuple[str, ...]  #: the ends of the interval, empty if there is none
    digits: int  #: number of decimals


def recall_texts(recall: Recall, *, min_digits: int = 0) -> RecallTexts:
    """Return the texts of a share remembered, with a decimal if an end of its interval would look like what was said.

    Args:
        recall: what FSRS said and what was remembered.
        min_digits: minimum number of decimals, 0 or 1.
    """
    said = recall.said
    if said is None:
        return RecallTexts(strings.NO_VALUE, strings.NO_VALUE, (), min_digits)
    shares = [as_share(share) for share in (recall.remembered.value, *(recall.remembered.low_high or ()))]

    def is_ambiguous(digits: int) -> bool:
        """Return whether an end looks like what FSRS said, or a share other than 0 and 1 looks like one of these."""
        extremes = {percent(0, digits), percent(1, digits)}
        return percent(said or 0.0, digits) in {percent(end, digits) for end in shares[1:]} or any(
            percent(share, digits) in extremes for share in shares if 0 < share < 1
        )

    digits = 1 if min_digits or is_ambiguous(0) else 0
    recalled, *end_texts = (percent(share, digits) for share in shares)
    said_text = whole_percent(said) if recall.near else percent(said, digits)
    return RecallTexts(said_text, recalled, tuple(end_texts), digits)


def tested_texts(recall: Recall) -> RecallTexts:
    """Return the :func:`recall_texts` as the numbers of a verdict are shown: a mean prediction has one decimal."""
    return recall_texts(recall, min_digits=0 if recall.near else 1)


def looks_off(finding: Finding) -> bool:
    """Return whether the verdict says that FSRS is off, or may be."""
    return finding.code in _OFF_CODES or finding.elsewhere is not None


def subject_name(finding: Finding, report: Report) -> str:
    """Return the name of a subject, or nothing if there is only one."""
    name = sanitize_text(finding.name, whole=False)
    if finding.kind == reports.DECK:
        return _("Deck {name}").format(name=name)
    if finding.kind == reports.PRESET:
        return name
    has_presets = any(other.kind == reports.PRESET for other in report.findings)
    return _("Overall") if has_presets and finding.preset_id is None else ""


def subject_scope(report: Report) -> str:
    """Return the subject of the table, or nothing if it is the whole."""
    finding = report.finding
    if finding is None or finding.kind == reports.WHOLE:
        return ""
    is_preset = finding.kind == reports.PRESET
    return scope_words("preset", finding.name) if is_preset else subject_name(finding, report)


def subject_title(report: Report) -> str:
    """Return the subject of the table and its number of reviews, or nothing if it is the whole."""
    name = subject_scope(report)
    return add_label(name, strings.REVIEWS(report.scope.reviews)) if name else ""


def verdict_sentence(finding: Finding, report: Report) -> str:
    """Return the verdict, after the name of the subject if there are several."""
    name = subject_name(finding, report)
    text = _verdict(finding)
    return add_label(name, text) if name else text


def _verdict(finding: Finding) -> str:
    """Return the verdict without the name of the subject."""
    recall = tested_texts(finding.recall)
    if finding.code == "deck":
        text = _("FSRS said {said}; you remembered {recalled}.")
        if finding.recall.said is None:
            text = _("None of its reviews can test your current parameters.")
        return text.format(said=recall.said, recalled=recall.recalled)
    if finding.elsewhere is not None:
        text = ELSEWHERE[finding.recall.near, finding.elsewhere.gap < 0]
        return text.format(said=recall.said, elsewhere=recall_texts(finding.elsewhere).said)
    if finding.code == "cautious" and finding.recall.near:
        return _("FSRS was too cautious: your cards came back earlier than they needed to.")
    return VERDICTS[finding.code]


def numbers_sentence(finding: Finding) -> str:
    """Return what FSRS said and what was remembered, and at most one more sentence."""
    if finding.code == "deck":
        return likely_sentence(finding.recall)
    return paragraph(_tested_sentence(finding), _second_sentence(finding))


def likely_sentence(recall: Recall) -> str:
    """Return the interval of the share remembered, and the number of reviews. Empty without an interval."""
    ends = tested_texts(recall).ends
    text = _("Likely {likely}; {reviews}.")
    return text.format(likely=from_to(*ends), reviews=strings.REVIEWS(recall.reviews)) if ends else ""


def _tested_sentence(finding: Finding) -> str:
    """Return what FSRS said and what was remembered of the tested reviews, if there are any."""
    recall = finding.recall
    if recall.said is None:
        return ""
    is_recent = finding.source == reports.UNSEEN and finding.state not in (reports.RIGHT, reports.OFF)
    reviews = (SINCE_CHANGE if is_recent else strings.REVIEWS)(recall.reviews)
    is_it = finding.state == reports.RIGHT or finding.code in _OFF_CODES
    return _fill(NUMBERS[recall.near, is_it], tested_texts(recall), reviews)


def _fill(text: str, recall: RecallTexts, reviews: str) -> str:
    """Fill in what FSRS said and the share remembered, with the interval and the reviews as a remark in brackets."""
    # Translators: In brackets: "(likely 89% to 91%; 4,355 reviews)".
    likely = _("likely {interval}").format(interval=from_to(*recall.ends)) if recall.ends else ""
    remark = with_semicolons(filter(None, (likely, reviews)))
    return text.format(said=recall.said, recalled=recall.recalled, remark=remark)


def _second_sentence(finding: Finding) -> str:
    """Return the sentence that follows the numbers, or an empty text."""
    return next((sentence for sentence, may_be_second in _further_sentences(finding) if may_be_second), "")


def _further_sentences(finding: Finding) -> Iterator[Tuple[str, bool]]:
    """Yield sentences, the most important first, each with whether it may follow the numbers."""
    if finding.elsewhere is not None:
        texts = recall_texts(finding.elsewhere)
        yield _fill(NUMBERS[True, True], texts, strings.REVIEWS(finding.elsewhere.reviews)), True
    explains_verdict = finding.code == "much_deleted"
    if explains_verdict:
        yield DELETED(finding.deleted), True
    if finding.retrained is not None:
        recall = finding.retrained
        reviews = "" if recall.remembered.low_high else strings.REVIEWS(recall.reviews)
        desired = ""
        if finding.far_from_desired and finding.code == "too_new":
            text = _("Your desired retention is {desired}.")
            desired = text.format(desired=whole_percent(finding.desired_retention or 0.0))
        yield paragraph(_fill(RETRAINED, tested_texts(recall), reviews), desired), True
    rivalry = finding.against_sm2
    if rivalry is not None:
        is_decided = rivalry.claim not in (reports.CLOSE, reports.EARLY)
        yield claim_sentence(rivalry, CLAIMS), finding.state == reports.RIGHT and is_decided
    if finding.deleted and not explains_verdict:
        yield DELETED(finding.deleted), False


def finding_details(finding: Finding, report: Report) -> Iterator[str]:
    """Yield sentences on the test, and those for which the first screen has no room."""
    recall = finding.recall
    if report.hard is not None and report.hard.frequent:
        text = _("{hard} counts as remembered: if you press it for forgotten cards, you remembered less.")
        yield text.format(hard=pgettext("Anki", "Hard"))
    if recall.said is not None:
        yield SOURCES[finding.source or ""]
    if recall.said is not None or finding.retrained is not None:
        yield _("“Likely” is the 95% interval.")
    if recall.near:
        text = _("Only predictions near the desired retention of {desired} count: {count:,} of {testable:,}.")
        desired = whole_percent(recall.said or 0.0)
        yield text.format(desired=desired, count=recall.reviews, testable=finding.testable)
    second = _second_sentence(finding)
    yield from (sentence for sentence, _unused in _further_sentences(finding) if sentence != second)

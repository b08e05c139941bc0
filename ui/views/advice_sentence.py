"""The sentence on what to do, with the names of Anki's buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Optional, Sequence

from ..science import report as reports
from ..text import Counted, _, pgettext
from ..text.error_sentences import error_sentence
from ..text.numbers import decimals
from ..text.phrases import add_label, all_of, first_of, paragraph, scope_words
from ..text.sanitize import sanitize_text
from .cells import whole_percent
from .finding_sentences import looks_off, tested_texts

if TYPE_CHECKING:
    from evaluator.report import Advice, Finding, Recall, Report

#: Maximum number of presets that advice names.
_MAX_NAMES = 3

#: Sentences by the code of advice, for codes with only one sentence.
SENTENCES = {
    "hard": _("When you have forgotten a card, press {again}: you seem to press {hard}, which counts as remembered."),
    "scheduler": _(
        "Update the scheduler first: choose {update} above the list of decks. Then turn on FSRS in {deck_options}."
    ),
    "turn_on": _(
        "To try it: pick a desired retention under “Workload”, then turn on FSRS. FSRS can be turned off again at any "
        "time."
    ),
    "turn_on_and_optimize": _(
        "To try it: pick a desired retention under “Workload”, turn on FSRS, then optimize. FSRS can be turned off "
        "again at any time."
    ),
    "choose": _("Turn on FSRS if you want to choose how much you remember (your desired retention)."),
    "stay": _("Nothing to do; look again in a few months."),
}
#: Reasons why there is nothing to do, by the reason of the advice.
NOTHING = {
    "small": _("optimizing would hardly change anything."),
    "small again": _("optimizing again would hardly change anything."),
    "worse": _("on your reviews, newly optimized parameters predicted worse."),
}
#: Reasons why no preset can be optimized, by the reason of the advice. {ignore} is an option of Anki.
NOTHING_TO_OPTIMIZE = {
    "deleted": _("all cards that you reviewed are deleted."),
    "ignored": _("“{ignore}” leaves out every card that is not suspended."),
    "suspended": _("all cards that you reviewed are suspended."),
}
#: Reasons to optimize, by the reason of the advice. Two have the same sentence.
CHANGE = _("a card's prediction would move by about {points} points, probably nearer to the truth.")
REASONS = {"change": CHANGE, "decided": CHANGE, "closer": _("optimized regularly, FSRS would have been closer there.")}
#: Advice on the desired retention, by whether to lower it.
DESIRED_RETENTION = {
    True: _(
        "If {old} is enough for you, try a desired retention of {new} as a first step (fewer reviews), and look again "
        "in some weeks."
    ),
    False: _(
        "To remember {old}, try a desired retention of {new} as a first step (more reviews), and look again in some "
        "weeks."
    ),
}
#: Codes of advice that the user follows in the deck options of Anki.
IN_DECK_OPTIONS = ("optimize", "optimize_if_you_like", "desired_retention", "choose")
#: Codes of advice whose first step is on the tab “Workload”.
IN_WORKLOAD = ("turn_on", "turn_on_and_optimize")


def advice_of(report: Report) -> Optional[Advice]:
    """Return the advice on the subject of the report, or on turning FSRS on."""
    return report.finding.advice if report.finding is not None else report.verdict.advice


def advice_sentence(report: Report, version: str) -> str:
    """Return what to do. The text is empty if the numbers support no advice.

    Args:
        report: the report.
        version: version of Anki whose buttons are named. Empty: the newest.
    """
    advice = advice_of(report)
    finding = report.finding
    if advice is None:
        return ""
    if advice.code == "update":
        error = report.result(advice.algorithm or "").error
        return error_sentence(error) if error else ""
    words = anki_words(version)
    if advice.code in SENTENCES or finding is None:
        return SENTENCES[advice.code].format(**words)
    if advice.code == "desired_retention":
        return _retention_advice(advice)
    if advice.code in ("optimize", "optimize_if_you_like"):
        return _optimizing_advice(advice, finding, report)
    return _why_nothing(advice, finding).format(**words)


def _optimizing_advice(advice: Advice, finding: Finding, report: Report) -> str:
    """Return the advice to optimize, with the reason."""
    action = _action(advice, finding, report)
    if advice.code == "optimize_if_you_like":
        text = _("{action} if you like: a card's prediction would move by {points} points, for better or worse.")
        return text.format(action=action, points=_points(advice.change))
    if finding.state == reports.OFF:
        text = _("{action} (probably more reviews)")
        if finding.recall.gap > 0:
            text = _("{action} (probably fewer reviews)")
        action = text.format(action=action)
    return add_label(action, _reason(advice, finding))


def _action(advice: Advice, finding: Finding, report: Report) -> str:
    """Return what to optimize, as in "Optimize this preset"."""
    if report.findings[0].preset_id is not None:
        return _("Optimize FSRS")
    if finding.kind != reports.WHOLE:
        return _("Optimize this preset") if finding.kind == reports.PRESET else _("Optimize its preset")
    if not advice.presets:
        return _("Optimize all presets")
    # Translators: The name of a preset in a sentence.
    names = [_("“{name}”").format(name=sanitize_text(name, whole=False)) for name in advice.presets]
    listed = all_of(names) if len(names) <= _MAX_NAMES else first_of(names, _MAX_NAMES)
    return Counted("Optimize the preset {names}", "Optimize the presets {names}")(len(names), names=listed)


def _reason(advice: Advice, finding: Finding) -> str:
    """Return why to optimize. If possible, it says how far FSRS would have been off."""
    if advice.reason == "closer" and finding.optimized is not None and finding.preset_id is not None:
        digits = tested_texts(finding.recall).digits
        optimized_gap = _shown_gap(finding.optimized, digits)
        current_gap = _shown_gap(finding.recall, digits)
        text = _("optimized regularly, it would have been off by {less} instead of {points} points.")
        if optimized_gap == "0":
            text = _("optimized regularly, it would have been off by less than 1 instead of {points} points.")
        return text.format(less=optimized_gap, points=current_gap)
    return REASONS[advice.reason or "change"].format(points=_points(advice.change))


def _shown_gap(recall: Recall, digits: int) -> str:
    """Return the difference of what FSRS said and what was remembered, as they are shown with these decimals."""
    remembered = round(100 * recall.remembered.value, digits)
    said = round(100 * (recall.said or 0.0), digits)
    return decimals(abs(remembered - said), digits)


def _points(change: Optional[float]) -> str:
    """Format a change of predictions in percentage points, with one decimal if it is small."""
    points = 100 * (change or 0.0)
    return decimals(points, 0 if points >= 2 else 1)


def _retention_advice(advice: Advice) -> str:
    """Return the advice to try another desired retention."""
    old = advice.desired_retention or 0.0
    new = advice.suggested_retention or 0.0
    if advice.presets:
        text = _("{preset}: try a desired retention of {new} as a first step.")
        return text.format(preset=scope_words("preset", advice.presets[0]), new=whole_percent(new))
    return paragraph(
        "" if advice.change is None else _("Optimizing would not fix this."),
        DESIRED_RETENTION[new < old].format(old=whole_percent(old), new=whole_percent(new)),
    )


def _why_nothing(advice: Advice, finding: Finding) -> str:
    """Say why there is nothing to do, or nothing that optimizing would fix."""
    reason = advice.reason or "unknown"
    later = _("Look again in some weeks.")
    if reason == "unknown":
        return later if looks_off(finding) else _("Nothing to do yet; look again in some weeks.")
    if reason in NOTHING_TO_OPTIMIZE:
        return add_label(_("Nothing to optimize"), NOTHING_TO_OPTIMIZE[reason])
    if reason == "small" and (finding.source == reports.UNSEEN or finding.code == "too_new"):
        reason = "small again"
    if not looks_off(finding):
        return add_label(_("Nothing to do"), NOTHING[reason])
    return paragraph(add_label(_("Optimizing would not fix this"), NOTHING[reason]), later)


def advice_details(advice: Optional[Advice], version: str) -> Sequence[str]:
    """Return sentences on how to follow the advice.

    Args:
        advice: the advice, if there is any.
        version: version of Anki whose buttons are named. Empty: the newest.
    """
    code = None if advice is None else advice.code
    words = anki_words(version)
    if code == "hard":
        text = _("The check on {hard} is experimental. For past reviews, see “{remedy}” in the add-on FSRS Helper.")
        return (text.format(remedy="Remedy Hard Misuse", **words),)
    if code in ("optimize", "optimize_if_you_like", "turn_on_and_optimize"):
        return (_("To optimize: {optimize} or {optimize_all} in {deck_options}.").format(**words),)
    return ()


def anki_words(version: str = "") -> Dict[str, str]:
    """Return words of Anki by the names of fields in sentences. Labels of buttons are in quotation marks.

    Args:
        version: version of Anki, as in ``anki.buildinfo.version``. Empty: the newest.
    """
    is_oldest = version.startswith("24.")
    optimize = pgettext("Anki", "Optimize") if is_oldest else pgettext("Anki", "Optimize Current Preset")
    # Translators: A button of Anki's, and where it is.
    in_menu = _("“{button}” in the menu next to “{save}”")
    quoted = _("“{button}”")
    return {
        "again": pgettext("Anki", "Again"),
        "hard": pgettext("Anki", "Hard"),
        "ignore": pgettext("Anki", "Ignore cards reviewed before"),
        "deck_options": pgettext("Anki", "Deck Options"),
        "optimize": quoted.format(button=optimize),
        "optimize_all": (in_menu if is_oldest else quoted).format(
            button=pgettext("Anki", "Optimize All Presets"), save=pgettext("Anki", "Save")
        ),
        "update": quoted.format(button=pgettext("Anki", "Update")),
    }

"""The sentences of the advice below the headline, with the names of Anki's buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Sequence

from ..science import report as reports
from ..science import sanitize_text
from ..text import Counted, _, pgettext
from ..text.errors import error_sentence
from ..text.numbers import decimals
from ..text.phrases import add_label, all_of, paragraph
from .cells import whole_percent

if TYPE_CHECKING:
    from evaluator.report import Advice, Report

#: Maximum number of presets that advice names. Advice on more presets names none.
_MAX_NAMES = 3

#: Label of the advice.
WHAT_TO_DO = _("What to do")

#: Sentences by the code of advice, for codes with only one sentence.
SENTENCES = {
    "hard": _(
        "When you have forgotten a card, press {again}, not {hard}. You forget so often after {hard} that you seem to "
        "press it for forgotten cards (experimental check). For past reviews, see “{remedy}” in the add-on FSRS Helper."
    ),
    "scheduler": _(
        "Update the scheduler first: choose {update} above the list of decks. Then turn on FSRS in {deck_options}."
    ),
    "turn_on": _("Turn on FSRS in {deck_options}."),
    "turn_on_and_optimize": _("Turn on FSRS in {deck_options}, then choose {optimize_all}."),
    "choose": _("Turn on FSRS if you want to choose how much you remember (your desired retention)."),
    "stay": _("Nothing; check again in a few months."),
    "keep_on": _("Keep FSRS on, and check again in a few weeks."),
}
#: Sentences added to "keep_on" if Anki leaves out all cards of every preset, by reason. {ignore} is an option of Anki.
NOTHING_TO_OPTIMIZE = {
    "deleted": _("Anki would find nothing to optimize: all cards that you reviewed are deleted."),
    "ignored": _("Anki would find nothing to optimize: “{ignore}” leaves out every card that is not suspended."),
    "suspended": _("Anki would find nothing to optimize: all cards that you reviewed are suspended."),
}
#: Advice to optimize all presets, by whether the change of predictions is given.
OPTIMIZE = {
    True: _(
        "Optimize FSRS with {optimize_all}: predictions for single cards would change by {points} percentage points on "
        "average, probably for the better."
    ),
    False: _("Optimize FSRS with {optimize_all}: newly optimized parameters would have predicted better."),
}
#: Advice to optimize some presets, by whether the change of predictions is given.
OPTIMIZE_PRESETS = {
    True: Counted(
        "Optimize the preset {names} with {optimize}: its predictions would change by {points} percentage points on "
        "average, probably for the better.",
        "Optimize the presets {names}, each with {optimize}: their predictions would change by {points} percentage "
        "points on average, probably for the better.",
    ),
    False: Counted(
        "Optimize the preset {names} with {optimize}: newly optimized parameters would have predicted better there.",
        "Optimize the presets {names}, each with {optimize}: newly optimized parameters would have predicted better "
        "there.",
    ),
}
SHARE = _(
    "Or, if their other options match, give all decks the preset {shared} and optimize only that: one set of "
    "parameters predicts about as well."
)
#: Advice to optimize if the user likes. Keys: whether presets are named, and whether the only reason against it is the
#: small number of reviews.
IF_YOU_LIKE = {
    (True, False): _(
        "Optimize {names} if you like, but predictions would change by only {points} percentage points on average."
    ),
    (False, False): _(
        "Optimize if you like, but predictions would change by only {points} percentage points on average."
    ),
    (True, True): _(
        "Optimize {names} if you like (predictions would change by {points} percentage points on average), but with so "
        "few reviews it may not help."
    ),
    (False, True): _(
        "Optimize if you like (predictions would change by {points} percentage points on average), but with so few "
        "reviews it may not help."
    ),
}
#: Advice on the desired retention. Keys: whether to lower it, and whether a preset is named.
DESIRED_RETENTION = {
    (True, False): _(
        "If remembering {old} is enough for you, lower your desired retention to {new} in {deck_options}, and check "
        "again in a few weeks. It means fewer reviews."
    ),
    (True, True): _(
        "If remembering {old} is enough for you, lower the desired retention of the preset {names} to {new} in "
        "{deck_options}, and check again in a few weeks. It means fewer reviews."
    ),
    (False, False): _(
        "To remember {old}, raise your desired retention to {new} in {deck_options}, and check again in a few weeks. "
        "It means more reviews."
    ),
    (False, True): _(
        "To remember {old}, raise the desired retention of the preset {names} to {new} in {deck_options}, and check "
        "again in a few weeks. It means more reviews."
    ),
}
#: Codes of advice that the user follows in the deck options of Anki.
IN_DECK_OPTIONS = (
    *("optimize", "optimize_if_you_like", "desired_retention"),
    *("turn_on", "turn_on_and_optimize", "choose"),
)


def what_to_do(report: Report, version: str = "") -> str:
    """Return the advice in a few sentences. The text is empty if the numbers support no advice.

    Args:
        report: the report.
        version: version of Anki whose buttons are named. Empty: the newest.
    """
    return paragraph(*(_advice_sentence(advice, report, version) for advice in report.advice))


def advice_line(report: Report) -> str:
    """Return the advice after its label. The text is empty if there is no advice."""
    text = what_to_do(report)
    return add_label(WHAT_TO_DO, text) if text else ""


def _advice_sentence(advice: Advice, report: Report, version: str) -> str:
    if advice.code == "update":
        error = report.result(advice.algorithm or "").error
        return error_sentence(error) if error else ""
    names = advice.presets if len(advice.presets) <= _MAX_NAMES else ()
    change = advice.change or 0.0
    present_retention, suggested = advice.desired_retention or 0.0, advice.suggested_retention or 0.0
    facts = {
        "names": _quoted(names),
        "shared": _quoted([advice.shared_preset or ""]),
        "points": decimals(100 * change, 1),
        "old": whole_percent(present_retention),
        "new": whole_percent(suggested),
        "again": pgettext("Anki", "Again"),
        "hard": pgettext("Anki", "Hard"),
        "ignore": pgettext("Anki", "Ignore cards reviewed before"),
        "remedy": "Remedy Hard Misuse",
        **anki_words(version),
    }
    if advice.code == "optimize":
        is_changed = change >= reports.LITTLE_CHANGE
        text = OPTIMIZE_PRESETS[is_changed](len(names), **facts) if names else OPTIMIZE[is_changed].format(**facts)
        return paragraph(text, SHARE.format(**facts) if advice.shared_preset else "")
    if advice.code == "optimize_if_you_like":
        return IF_YOU_LIKE[bool(names), change >= reports.MUCH_CHANGE].format(**facts)
    if advice.code == "desired_retention":
        return DESIRED_RETENTION[suggested < present_retention, bool(names)].format(**facts)
    if advice.code == "nothing":
        return _nothing_sentence(report, facts["points"])
    presets = report.presets if advice.code == "keep_on" else ()
    # "ignored" holds besides "suspended" as well, and nothing is said unless each preset has a reason.
    reason = min((preset.nothing_to_optimize or "" for preset in presets), default="")
    return paragraph(SENTENCES[advice.code].format(**facts), NOTHING_TO_OPTIMIZE.get(reason, "").format(**facts))


def _nothing_sentence(report: Report, points: str) -> str:
    """Say that optimizing is not worth it.

    If the headline or a preset is off, the sentence asks to check again soon, unless optimizing would make predictions
    worse.
    """
    accuracies = (report.accuracy, *(preset.accuracy for preset in report.presets))
    ruled_out = [preset for preset in report.presets if reports.is_ruled_out(preset)]
    if any((preset.change or 0.0) >= reports.LITTLE_CHANGE for preset in ruled_out):
        return _("Nothing. On your reviews, newly optimized parameters would have predicted worse.")
    if any(item is not None and (item.state == "off" or item.elsewhere is not None) for item in accuracies):
        return _("Optimizing now would not help; check again in a few weeks.")
    if points == decimals(0, 1):
        return _("Nothing. Optimizing now would not change predictions.")
    text = _("Nothing. Optimizing now would barely change predictions (by {points} percentage points on average).")
    return text.format(points=points)


def _quoted(names: Sequence[str]) -> str:
    # Translators: The name of a preset in a sentence.
    return all_of([_("“{name}”").format(name=sanitize_text(name, whole=False)) for name in names])


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
        "deck_options": pgettext("Anki", "Deck Options"),
        "optimize": quoted.format(button=optimize),
        "optimize_all": (in_menu if is_oldest else quoted).format(
            button=pgettext("Anki", "Optimize All Presets"), save=pgettext("Anki", "Save")
        ),
        "update": quoted.format(button=pgettext("Anki", "Update")),
    }

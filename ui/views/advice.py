"""The advice, one line under the headline: the text of each code, and the place in Anki to do it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Dict, Sequence

from ..science import sanitize_text
from ..text import _, ngettext, pgettext
from ..text.errors import error_sentence
from ..text.numbers import decimals
from ..text.phrases import all_of, labeled, paragraph
from .cells import whole_percent

if TYPE_CHECKING:
    from evaluator.report import Advice, Report

#: Maximum number of presets that are named.
_MAX_NAMES = 3

#: Before the sentences.
WHAT_TO_DO = _("What to do")


def what_to_do(report: Report) -> str:
    """Return what to do, in a few sentences; empty if the numbers support nothing."""
    return paragraph(*(_SENTENCES[advice.code](advice, report) for advice in report.advice))


def advice_line(report: Report) -> str:
    """Return the advice as one line: label, colon, sentence."""
    text = what_to_do(report)
    return labeled(WHAT_TO_DO, text) if text else ""


def _hard(_advice: Advice, _report: Report) -> str:
    return _(
        "When you have forgotten a card, press {again}, not {hard}. You forget so often after {hard} that you seem to "
        "press it for forgotten cards (experimental). For the past, see “{remedy}” in the add-on FSRS Helper."
    ).format(again=pgettext("Anki", "Again"), hard=pgettext("Anki", "Hard"), remedy="Remedy Hard Misuse")


def _scheduler(_advice: Advice, _report: Report) -> str:
    return _(
        "Update the scheduler first: in Anki's Preferences > Review > Scheduling. Then turn on FSRS in Deck Options."
    )


def _update(advice: Advice, report: Report) -> str:
    error = report.result(advice.algorithm or "").error
    return error_sentence(error) if error else ""


def _turn_on(_advice: Advice, _report: Report) -> str:
    return _("Turn on FSRS in {deck_options}.").format(**_in_anki())


def _turn_on_and_optimize(_advice: Advice, _report: Report) -> str:
    return _("Turn on FSRS in {deck_options}, then choose “{optimize_all}” there.").format(**_in_anki())


def _choose(_advice: Advice, _report: Report) -> str:
    return _("Turn on FSRS if you want to choose how much you remember.")


def _stay(_advice: Advice, _report: Report) -> str:
    return _("Nothing; look again in some months.")


def _optimize(advice: Advice, _report: Report) -> str:
    names = advice.presets if len(advice.presets) <= _MAX_NAMES else ()
    changes = advice.change is not None and float(_points(advice)) >= 0.5
    if not names:
        text = (
            _(
                "Optimize FSRS: predictions would change by {points} percentage points on average, probably for the "
                "better."
            )
            if changes
            else _("Optimize FSRS: newly optimized parameters would have predicted better.")
        )
    else:
        text = (
            ngettext(
                "Optimize the preset {names}: its predictions would change by {points} percentage points on average, "
                "probably for the better.",
                "Optimize the presets {names}: their predictions would change by {points} percentage points on "
                "average, probably for the better.",
                len(names),
            )
            if changes
            else ngettext(
                "Optimize the preset {names}: newly optimized parameters would have predicted better there.",
                "Optimize the presets {names}: newly optimized parameters would have predicted better there.",
                len(names),
            )
        )
    shared = (
        _("Or give all decks the preset {name}, and optimize only that: one set of parameters predicts about as well.")
        if advice.shared_preset
        else ""
    )
    return paragraph(
        text.format(names=_quoted(names), points=_points(advice)),
        shared.format(name=_quoted([advice.shared_preset or ""])),
    )


def _optimize_if_you_like(advice: Advice, _report: Report) -> str:
    names = advice.presets if len(advice.presets) <= _MAX_NAMES else ()
    text = (
        _("Optimize {names} if you like, but predictions would change by only {points} percentage points on average.")
        if names
        else _("Optimize if you like, but predictions would change by only {points} percentage points on average.")
    )
    return text.format(names=_quoted(names), points=_points(advice))


def _nothing(advice: Advice, report: Report) -> str:
    if _is_something_off(report):
        return _("Optimizing would not change this; look again in some weeks.")
    if not float(_points(advice)):
        return _("Nothing. Optimizing now would not change predictions.")
    text = _("Nothing. Optimizing now would barely change predictions (by {points} percentage points on average).")
    return text.format(points=_points(advice))


def _is_something_off(report: Report) -> bool:
    """Return whether the headline, or some preset, is off or not right everywhere."""
    headline, presets = report.headline, report.scheduler.presets if report.scheduler else ()
    accuracies = [preset.accuracy for preset in presets]
    if headline is not None and headline.accuracy is not None:
        accuracies.append(headline.accuracy)
    return any(item.state == "off" or item.elsewhere is not None for item in accuracies)


def _desired_retention(advice: Advice, _report: Report) -> str:
    new, old = advice.suggested_retention or 0.0, advice.desired_retention or 0.0
    if new < old:
        text = (
            _(
                "If {old} is enough for you, lower the desired retention of the preset {names} from {old} to {new} in "
                "{deck_options}, and check again in some weeks. It means fewer reviews."
            )
            if advice.presets
            else _(
                "If {old} is enough for you, lower your desired retention from {old} to {new} in {deck_options}, and "
                "check again in some weeks. It means fewer reviews."
            )
        )
    else:
        text = (
            _(
                "To remember {old}, raise the desired retention of the preset {names} to {new} in {deck_options}, and "
                "check again in some weeks. It means more reviews."
            )
            if advice.presets
            else _(
                "To remember {old}, raise your desired retention to {new} in {deck_options}, and check again in some "
                "weeks. It means more reviews."
            )
        )
    return text.format(new=whole_percent(new), old=whole_percent(old), names=_quoted(advice.presets), **_in_anki())


def _keep_on(_advice: Advice, _report: Report) -> str:
    return _("Keep FSRS on, and look again in some weeks.")


def _points(advice: Advice) -> str:
    return decimals(100 * (advice.change or 0.0), 1)


def _quoted(names: Sequence[str]) -> str:
    # Translators: The name of a preset in a sentence.
    return all_of([_("“{name}”").format(name=sanitize_text(name, whole=False)) for name in names])


def _in_anki() -> Dict[str, str]:
    return {"deck_options": pgettext("Anki", "Deck Options"), "optimize_all": pgettext("Anki", "Optimize All Presets")}


#: By the code.
_SENTENCES: Dict[str, Callable[[Advice, Report], str]] = {
    "hard": _hard,
    "scheduler": _scheduler,
    "update": _update,
    "turn_on": _turn_on,
    "turn_on_and_optimize": _turn_on_and_optimize,
    "choose": _choose,
    "stay": _stay,
    "optimize": _optimize,
    "optimize_if_you_like": _optimize_if_you_like,
    "desired_retention": _desired_retention,
    "nothing": _nothing,
    "keep_on": _keep_on,
}

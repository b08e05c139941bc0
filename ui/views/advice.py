"""The advice, one line under the headline: the text of each code, and the place in Anki to do it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Dict

from ..text import Counted, _, ngettext, pgettext, strings
from ..text.errors import error_sentence
from ..text.numbers import decimals
from ..text.phrases import all_of, labeled, paragraph
from .cells import whole_percent

if TYPE_CHECKING:
    from evaluator.report import Advice, Report

#: Maximum number of presets that are named.
_MAX_NAMES = 3

KEEP_ON = Counted(
    "Keep FSRS on, and look again in about {count:,} day.", "Keep FSRS on, and look again in about {count:,} days."
)

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
        "If you forgot, press {again}, not {hard}: you forget so often after {hard} that you seem to press it for "
        "some forgotten cards (experimental)."
    ).format(again=pgettext("Anki", "Again"), hard=pgettext("Anki", "Hard"))


def _update(advice: Advice, report: Report) -> str:
    error = report.result(advice.algorithm or "").error
    return error_sentence(error) if error else ""


def _turn_on(_advice: Advice, _report: Report) -> str:
    return _("Turn on FSRS in Anki's {deck_options}.").format(**_in_anki())


def _turn_on_and_optimize(_advice: Advice, _report: Report) -> str:
    return _(
        "Turn on FSRS: in Anki's {deck_options}, enable FSRS, then choose “{optimize_all}” from the menu next to "
        "“{save}”."
    ).format(**_in_anki())


def _optimize(advice: Advice, report: Report) -> str:
    if advice.change is not None:
        text = (
            _(
                "Optimize FSRS, which still uses its default parameters: predictions would change by {points} points "
                "on average, probably for the better."
            )
            if _uses_defaults(report)
            else _("Optimize FSRS: predictions would change by {points} points on average, probably for the better.")
        )
        return text.format(points=_points(advice))
    if 0 < len(advice.presets) <= _MAX_NAMES:
        return ngettext(
            "Optimize FSRS in the preset {names}: optimized parameters would have predicted your last {reviews} there "
            "better. In Anki: {deck_options} > FSRS > {optimize}.",
            "Optimize FSRS in the presets {names}: optimized parameters would have predicted your last {reviews} there "
            "better. In Anki, for each: {deck_options} > FSRS > {optimize}.",
            len(advice.presets),
        ).format(names=all_of(advice.presets), reviews=strings.REVIEWS(advice.reviews or 0), **_in_anki())
    if _uses_defaults(report):
        text = _(
            "Optimize FSRS, which still uses its default parameters: in Anki's {deck_options}, choose “{optimize_all}” "
            "from the menu next to “{save}”."
        )
    elif advice.reviews is not None:
        text = _(
            "Optimize FSRS (your last {reviews} would have been predicted better): in Anki's {deck_options}, choose "
            "“{optimize_all}” from the menu next to “{save}”."
        )
    else:
        text = _("Optimize FSRS: in Anki's {deck_options}, choose “{optimize_all}” from the menu next to “{save}”.")
    return text.format(reviews=strings.REVIEWS(advice.reviews or 0), **_in_anki())


def _uses_defaults(report: Report) -> bool:
    return report.accuracy is not None and report.accuracy.source == "default"


def _optimize_if_you_like(advice: Advice, _report: Report) -> str:
    text = _("Optimize if you like, but predictions would change by only {points} points on average.")
    return text.format(points=_points(advice))


def _nothing(advice: Advice, _report: Report) -> str:
    if advice.change is None:
        text = _("Nothing. Optimized parameters would not have predicted your last {reviews} noticeably better.")
        return text.format(reviews=strings.REVIEWS(advice.reviews or 0))
    if not float(_points(advice)):
        return _("Nothing. Optimizing now would not change predictions.")
    text = _("Nothing. Optimizing now would barely change predictions (by {points} points on average).")
    return text.format(points=_points(advice))


def _points(advice: Advice) -> str:
    return decimals(100 * (advice.change or 0.0), 1)


def _desired_retention(_advice: Advice, report: Report) -> str:
    accuracy = report.accuracy
    new, aim = (accuracy.suggested_retention or 0.0, accuracy.desired_retention or 0.0) if accuracy else (0.0, 0.0)
    text = (
        _("In {deck_options}, set your desired retention to {new}: you would remember about {aim} and review less.")
        if new < aim
        else _(
            "In {deck_options}, set your desired retention to {new}: you would remember about {aim} and review more."
        )
    )
    return text.format(new=whole_percent(new), aim=whole_percent(aim), **_in_anki())


def _keep_on(advice: Advice, _report: Report) -> str:
    if advice.more_days is None:
        return _("Keep FSRS on, and look again when you have more reviews.")
    return KEEP_ON(about(advice.more_days))


def about(count: int) -> int:
    """Return the number, rounded up to two digits."""
    unit: int = 10 ** max(len(str(count)) - 2, 0)
    return -(-count // unit) * unit


def _in_anki() -> Dict[str, str]:
    return {
        "deck_options": pgettext("Anki", "Deck Options"),
        "optimize": pgettext("Anki", "Optimize Current Preset"),
        "optimize_all": pgettext("Anki", "Optimize All Presets"),
        "save": pgettext("Anki", "Save"),
    }


#: By the code.
_SENTENCES: Dict[str, Callable[[Advice, Report], str]] = {
    "hard": _hard,
    "update": _update,
    "turn_on": _turn_on,
    "turn_on_and_optimize": _turn_on_and_optimize,
    "optimize": _optimize,
    "optimize_if_you_like": _optimize_if_you_like,
    "desired_retention": _desired_retention,
    "nothing": _nothing,
    "keep_on": _keep_on,
}

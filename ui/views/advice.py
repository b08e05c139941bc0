"""What to do about it, in a line under the verdict: each code's words, and where in Anki it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Dict

from ..science import interval
from ..text import Counted, _, ngettext, pgettext, strings
from ..text.errors import error_sentence
from ..text.phrases import all_of, labelled, of_100, paragraph

if TYPE_CHECKING:
    from evaluator.report import Advice, Report

#: More presets than so many are not named.
_MOST_NAMES = 3

MORE_DAYS = Counted("about {count:,} more day", "about {count:,} more days")

#: Before the sentences.
WHAT_TO_DO = _("What to do")


def what_to_do(report: Report) -> str:
    """What to do, in a few sentences; empty where the numbers support nothing."""
    return paragraph(*(_SENTENCES[advice.code](advice, report) for advice in report.advice))


def advice_line(report: Report) -> str:
    """The same, after what it is about and a colon."""
    said = what_to_do(report)
    return labelled(WHAT_TO_DO, said) if said else ""


def _hard(_advice: Advice, _report: Report) -> str:
    return _(
        "If you press {hard} when you have forgotten, press {again}: after {hard} you forget as if some of these cards "
        "had been forgotten (experimental)."
    ).format(again=pgettext("Anki", "Again"), hard=pgettext("Anki", "Hard"))


def _update(advice: Advice, report: Report) -> str:
    error = report.result(advice.algorithm or "").error
    return error_sentence(error) if error else ""


def _switch_on(_advice: Advice, report: Report) -> str:
    verdict = report.verdict
    if any(c.code == interval.BETTER and c.baseline == verdict.untrained for c in verdict.comparisons):
        return _(
            "Switch FSRS on and let it learn from your reviews: in Anki's {deck_options} turn on FSRS, then choose "
            "“{optimise_all}” in the menu beside “{save}”."
        ).format(**_in_anki())
    return _("Switch FSRS on, in Anki's {deck_options}.").format(**_in_anki())


def _optimise(advice: Advice, _report: Report) -> str:
    on_reviews = strings.REVIEWS(advice.reviews or 0)
    if 0 < len(advice.presets) <= _MOST_NAMES:
        return ngettext(
            "Optimise FSRS in the preset {names}: optimised parameters would have predicted your last {reviews} there "
            "better. In Anki: {deck_options} > FSRS > {optimise}.",
            "Optimise FSRS in the presets {names}: optimised parameters would have predicted your last {reviews} there "
            "better. In Anki, for each: {deck_options} > FSRS > {optimise}.",
            len(advice.presets),
        ).format(names=all_of(advice.presets), reviews=on_reviews, **_in_anki())
    return _("Optimise FSRS: in Anki's {deck_options} choose “{optimise_all}” in the menu beside “{save}”.").format(
        **_in_anki()
    )


def _nothing_to_do(_advice: Advice, _report: Report) -> str:
    return _("Nothing: your FSRS is in good order.")


def _probably_optimise(_advice: Advice, _report: Report) -> str:
    return _(
        "Optimise FSRS: it probably helps, and it costs nothing (the log loss of others became about 0.03 lower). In "
        "Anki's {deck_options} choose “{optimise_all}” in the menu beside “{save}”."
    ).format(**_in_anki())


def _too_early(advice: Advice, _report: Report) -> str:
    return paragraph(_("It is too early to decide."), _come_back(advice))


def _too_early_to_optimise(advice: Advice, report: Report) -> str:
    total = report.scheduler.trained_anew[0].comparison if report.scheduler and report.scheduler.trained_anew else None
    if total is None or total.chance is None:
        said = _(
            "It is too early to say whether optimising FSRS would help you: it takes more reviews that your parameters "
            "were not trained on."
        )
    else:
        said = _(
            "Optimise FSRS or wait, as you like: optimising helped {count} of 100 people with about as many reviews; "
            "your own reviews cannot tell yet."
        ).format(count=of_100(total.chance.better_for / total.chance.others.collections))
    return paragraph(said, _come_back(advice))


def _come_back(advice: Advice) -> str:
    """When there will be enough reviews; empty where that is not known."""
    if advice.more_days is None:
        return ""
    days = MORE_DAYS(about(advice.more_days))
    if advice.more_reviews is None:
        # Translators: {days} is such as "about 30 more days".
        return _("Come back after {days} with reviews.").format(days=days)
    reviews = strings.REVIEWS(about(advice.more_reviews))
    # Translators: {days} is such as "about 30 more days", {reviews} such as "1,200 reviews".
    return _("Come back after {days} with reviews (about {reviews} that can be scored).").format(
        days=days, reviews=reviews
    )


def about(count: int) -> int:
    """The number, rounded up to two digits."""
    unit: int = 10 ** max(len(str(count)) - 2, 0)
    return -(-count // unit) * unit


def _in_anki() -> Dict[str, str]:
    """What Anki calls the places where something is done."""
    return {
        "deck_options": pgettext("Anki", "Deck Options"),
        "optimise": pgettext("Anki", "Optimize Current Preset"),
        "optimise_all": pgettext("Anki", "Optimize All Presets"),
        "save": pgettext("Anki", "Save"),
    }


#: By the code.
_SENTENCES: Dict[str, Callable[[Advice, Report], str]] = {
    "hard": _hard,
    "update": _update,
    "switch_on": _switch_on,
    "optimise": _optimise,
    "nothing_to_do": _nothing_to_do,
    "probably_optimise": _probably_optimise,
    "too_early": _too_early,
    "too_early_to_optimise": _too_early_to_optimise,
}

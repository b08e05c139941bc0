from __future__ import annotations

from dataclasses import replace
from typing import Any

import fake
import pytest
from sentence_matching import no_leftovers

from evaluator.interval import ConfidenceInterval
from evaluator.report import (
    Accuracy,
    Advice,
    Comparison,
    Failure,
    Headline,
    PresetInUse,
    Report,
    Rivalry,
    SchedulerInUse,
)
from evaluator.report import advice as codes
from tools.output.table import render
from ui.page import page
from ui.views.advice import advice_line, what_to_do
from ui.views.headline import headline_text

REPORT = fake.report()
HARD = (
    "When you have forgotten a card, press Again, not Hard. You forget so often after Hard that you seem to press it "
    "for forgotten cards (experimental check). For past reviews, see “Remedy Hard Misuse” in the add-on FSRS Helper."
)
LOWER = "If remembering 90% is enough for you, lower {what} to 88% in Deck Options, and check again in a few weeks."
RAISE = "To remember 90%, raise {what} to 93% in Deck Options, and check again in a few weeks. It means more reviews."
RETENTION = {"desired_retention": 0.9, "suggested_retention": 0.88}
ALL, ONE = "Optimize FSRS with “Optimize All Presets”", "“Optimize Current Preset”"
PROBABLY = "predictions would change by 2.4 percentage points on average, probably for the better."
SINGLE = PROBABLY.replace("predictions would", "predictions for single cards would")
BARELY = "predictions would change by only 0.7 percentage points on average."

SAID = [
    (Advice("hard"), HARD),
    (Advice("update", "Your parameters"), "FSRS-8"),
    (Advice("turn_on_and_optimize"), "Turn on FSRS in Deck Options, then choose “Optimize All Presets”."),
    (Advice("turn_on"), "Turn on FSRS in Deck Options."),
    (Advice("choose"), "Turn on FSRS if you want to choose how much you remember (your desired retention)."),
    (Advice("stay"), "Nothing; check again in a few months."),
    (Advice("optimize", change=0.0242), f"{ALL}: {SINGLE}"),
    (Advice("optimize"), f"{ALL}: newly optimized parameters would have predicted better."),
    (Advice("optimize", presets=("A",), change=0.0242), f"Optimize the preset “A” with {ONE}: its {PROBABLY}"),
    (
        Advice("optimize", presets=("A", "B"), change=0.0242),
        f"Optimize the presets “A” and “B”, each with {ONE}: their {PROBABLY}",
    ),
    (
        Advice("optimize", presets=("A",)),
        f"Optimize the preset “A” with {ONE}: newly optimized parameters would have predicted better",
    ),
    (Advice("optimize", presets=tuple("ABCD"), change=0.0242), f"{ALL}: {SINGLE}"),
    (
        Advice("optimize", change=0.0242, shared_preset="A"),
        f"{ALL}: {SINGLE} Or, if their other options match, give all decks the preset “A”",
    ),
    (Advice("optimize_if_you_like", change=0.007), f"Optimize if you like, but {BARELY}"),
    (Advice("optimize_if_you_like", presets=("A",), change=0.007), f"Optimize “A” if you like, but {BARELY}"),
    (
        Advice("nothing", change=0.003),
        "Nothing. Optimizing now would barely change predictions (by 0.3 percentage points",
    ),
    (Advice("nothing", change=0.0004), "Nothing. Optimizing now would not change predictions."),
    (Advice("keep_on"), "Keep FSRS on, and check again in a few weeks."),
    (
        Advice("desired_retention", **RETENTION),
        LOWER.format(what="your desired retention") + " It means fewer reviews.",
    ),
    (
        Advice("desired_retention", presets=("A",), **RETENTION),
        LOWER.format(what="the desired retention of the preset “A”"),
    ),
    (
        Advice("desired_retention", desired_retention=0.9, suggested_retention=0.93),
        RAISE.format(what="your desired retention"),
    ),
    (
        Advice("desired_retention", presets=("A",), desired_retention=0.9, suggested_retention=0.93),
        RAISE.format(what="the desired retention of the preset “A”"),
    ),
    (
        Advice("scheduler"),
        "Update the scheduler first: choose “Update” above the list of decks. Then turn on FSRS in Deck Options.",
    ),
]


def advised(*advice: Advice, **facts: Any) -> Report:
    """A report with this advice, and a row that failed as a preset has parameters of a newer FSRS."""
    error = Failure("newer_parameters", {"version": 8, "preset": "Law"})
    failed = replace(REPORT.results[0], algorithm="Your parameters", error=error)
    return replace(REPORT, results=(*REPORT.results, failed), advice=advice, **facts)


@pytest.mark.parametrize(("advice", "words"), SAID)
def test_each_code_has_its_sentence(advice: Advice, words: str) -> None:
    line = advice_line(advised(advice))
    assert line.startswith("What to do: ")
    assert words in line
    no_leftovers(line.replace(" (", " "))


def test_every_code_has_its_sentence() -> None:
    known = {codes.HARD, codes.SCHEDULER, codes.UPDATE, codes.OPTIMIZE, codes.DESIRED_RETENTION, codes.KEEP_ON}
    known |= {codes.OPTIMIZE_IF_YOU_LIKE, codes.NOTHING}
    known |= {codes.TURN_ON, codes.TURN_ON_AND_OPTIMIZE, codes.CHOOSE, codes.STAY}
    assert known == {advice.code for advice, _ in SAID}
    assert all(code in (codes.__doc__ or "") for code in known)


@pytest.mark.parametrize(
    ("headline", "preset"), [("off", "right"), ("right", "off"), ("elsewhere", "right"), ("right", "elsewhere")]
)
def test_nothing_is_not_praise_if_something_is_off(headline: str, preset: str) -> None:
    right = Accuracy("right", "unseen", "Your parameters", 0.9, 1000)
    by_name = {"right": right, "off": replace(right, state="off"), "elsewhere": replace(right, elsewhere=object())}  # type: ignore[arg-type]
    in_use = PresetInUse(1, "A", 1000, None, by_name[preset])
    facts = {"headline": Headline(by_name[headline]), "scheduler": SchedulerInUse(True, 3, (in_use,))}
    expected = "What to do: Optimizing now would not help; check again in a few weeks."
    assert advice_line(advised(Advice("nothing", change=0.003), **facts)) == expected


@pytest.mark.parametrize("second", [False, True])
def test_nothing_to_optimize_is_said_if_anki_leaves_out_all_cards_of_every_preset(second: bool) -> None:
    accuracy = Accuracy("open", "unseen", "Your parameters", 0.9, 1000)
    presets = tuple(PresetInUse(1, "A", 1000, None, accuracy, has_reviews_to_optimize=has) for has in (False, second))
    line = advice_line(advised(Advice("keep_on"), scheduler=SchedulerInUse(True, 3, presets)))
    assert line.partition("in a few weeks.")[2] == (
        "" if second else " Anki would find nothing to optimize: “Ignore cards reviewed before” leaves out every card."
    )


def test_buttons_are_named_as_in_the_version_of_anki() -> None:
    sentence = what_to_do(advised(Advice("optimize", change=0.0242)), "24.11")
    assert sentence == f"Optimize FSRS with “Optimize All Presets” in the menu next to “Save”: {SINGLE}"
    assert "with “Optimize”: its" in what_to_do(advised(Advice("optimize", presets=("A",), change=0.0242)), "24.11")


def test_reviews_that_decide_against_optimizing_are_named() -> None:
    right = Accuracy("right", "unseen", "Your parameters", 0.9, 1000)
    difference = ConfidenceInterval(0.01, 0.005, 0.015, 0.0025)
    against = Rivalry(
        Comparison("FSRS-6 optimized", "Your parameters", difference, "worse", 0.01), difference, "worse", 900
    )
    in_use = PresetInUse(1, "A", 1000, None, right, optimized_against_own=against, change=0.03)
    facts = {"headline": Headline(right), "scheduler": SchedulerInUse(True, 3, (in_use,))}
    expected = "What to do: Nothing. On your reviews, newly optimized parameters would have predicted worse."
    assert advice_line(advised(Advice("nothing", change=0.03), **facts)) == expected


def test_two_pieces_of_advice_share_a_line() -> None:
    line = advice_line(advised(Advice("hard"), Advice("optimize", change=0.0242)))
    assert line == f"What to do: {HARD} {ALL}: {SINGLE}"


def test_without_advice_there_is_no_sentence() -> None:
    assert not advice_line(advised())
    assert "What to do" not in render(advised())
    assert 'class="advice"' not in page(advised())


def test_advice_is_below_the_headline_and_names_are_escaped() -> None:
    report = advised(Advice("optimize", presets=("<b>\x1b[31mLaw",), change=0.03))
    text, html = render(report), page(report)
    index = [text.index(part) for part in (headline_text(report).heading[:20], "What to do", "RMSE (bins)")]
    assert index == sorted(index)
    assert "\x1b" not in text + html
    header = html[html.index("<header>") : html.index("</header>")]
    assert all(part in header for part in ("<h1>", 'class="advice"', "What to do", "&lt;b&gt;"))

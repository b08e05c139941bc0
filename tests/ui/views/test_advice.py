from __future__ import annotations

from dataclasses import replace
from typing import Any

import fake
import pytest
from expected_texts import expected_texts
from sentence_matching import no_leftovers

from evaluator.interval import ConfidenceInterval
from evaluator.report import (
    OWN,
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
from evaluator.report.accuracy import NOTHING_TESTED
from tools.output.table import render
from ui.page import page
from ui.views.advice import advice_line, what_to_do
from ui.views.headline import headline_text

REPORT = fake.report()
LOWER = {"code": "desired_retention", "desired_retention": 0.9, "suggested_retention": 0.88}
RAISE = {**LOWER, "suggested_retention": 0.93}
ONE, ALL = {"presets": ("A",)}, Advice("optimize", change=0.0242)

#: Pieces of advice by their cases in advice.txt.
ADVICE = {
    "hard": Advice("hard"),
    "update": Advice("update", OWN),
    "turn on, then optimize": Advice("turn_on_and_optimize"),
    "turn on": Advice("turn_on"),
    "choose": Advice("choose"),
    "stay": Advice("stay"),
    "optimize": ALL,
    "optimize, change unknown": replace(ALL, change=None),
    "optimize one preset": replace(ALL, **ONE),
    "optimize two presets": replace(ALL, presets=("A", "B")),
    "optimize one preset, change unknown": replace(ALL, change=None, **ONE),
    "optimize four presets": replace(ALL, presets=tuple("ABCD")),
    "optimize, or share": replace(ALL, shared_preset="A"),
    "if you like": Advice("optimize_if_you_like", change=0.007),
    "if you like, one preset": Advice("optimize_if_you_like", change=0.007, **ONE),
    "if you like, few reviews": Advice("optimize_if_you_like", change=0.03),
    "if you like, one preset with few reviews": Advice("optimize_if_you_like", change=0.03, **ONE),
    "little change": Advice("nothing", change=0.003),
    "no change": Advice("nothing", change=0.0004),
    "keep on": Advice("keep_on"),
    "lower": Advice(**LOWER),
    "lower, one preset": Advice(**LOWER, **ONE),
    "raise": Advice(**RAISE),
    "raise, one preset": Advice(**RAISE, **ONE),
    "scheduler": Advice("scheduler"),
}
SENTENCES = expected_texts("advice.txt")

RIGHT = Accuracy("right", "unseen", OWN, 0.9, 1000)


def scheduler(*presets: PresetInUse) -> SchedulerInUse:
    return SchedulerInUse(True, 3, presets)


def advised(*advice: Advice, **facts: Any) -> Report:
    """Return a report with this advice. One row failed because a preset has parameters of a newer FSRS."""
    error = Failure("newer_parameters", {"version": 8, "preset": "Law"})
    failed = replace(REPORT.results[0], algorithm=OWN, error=error)
    return replace(REPORT, results=(*REPORT.results, failed), advice=advice, **facts)


@pytest.mark.parametrize("case", ADVICE)
def test_each_case_has_its_sentence(case: str) -> None:
    line = advice_line(advised(ADVICE[case]))
    assert line == f"What to do: {SENTENCES[case]}"
    no_leftovers(line.replace(" (", " "))


def test_cases_cover_every_code() -> None:
    assert list(SENTENCES) == list(ADVICE)
    expected = {codes.HARD, codes.SCHEDULER, codes.UPDATE, codes.OPTIMIZE, codes.DESIRED_RETENTION, codes.KEEP_ON}
    expected |= {codes.TURN_ON, codes.TURN_ON_AND_OPTIMIZE, codes.CHOOSE, codes.STAY}
    expected |= {codes.OPTIMIZE_IF_YOU_LIKE, codes.NOTHING}
    assert expected == {advice.code for advice in ADVICE.values()}
    assert all(code in (codes.__doc__ or "") for code in expected)


@pytest.mark.parametrize(
    ("headline", "preset"), [("off", "right"), ("right", "off"), ("elsewhere", "right"), ("right", "elsewhere")]
)
def test_advice_does_not_praise_what_is_off(headline: str, preset: str) -> None:
    elsewhere = replace(RIGHT, elsewhere=NOTHING_TESTED)
    by_name = {"right": RIGHT, "off": replace(RIGHT, state="off"), "elsewhere": elsewhere}
    in_use = scheduler(PresetInUse(1, "A", 1000, None, by_name[preset]))
    report = advised(Advice("nothing", change=0.003), headline=Headline(by_name[headline]), scheduler=in_use)
    expected = "What to do: Optimizing now would not help; check again in a few weeks."
    assert advice_line(report) == expected


@pytest.mark.parametrize("reason", ["deleted", "ignored", "suspended"])
def test_advice_says_nothing_of_a_preset_without_reviews_to_optimize_if_another_has_some(reason: str) -> None:
    presets = [PresetInUse(1, "A", 1000, None, RIGHT, nothing_to_optimize=item) for item in (reason, None)]
    line = advice_line(advised(Advice("keep_on"), scheduler=scheduler(*presets)))
    assert line == "What to do: Keep FSRS on, and check again in a few weeks."


@pytest.mark.parametrize("version", ["24.11", "25.02.7", "26.09.3", ""])
def test_buttons_are_named_as_in_the_version_of_anki(version: str) -> None:
    is_old = version == "24.11"
    menu = " in the menu next to “Save”" if is_old else ""
    assert what_to_do(advised(ALL), version) == SENTENCES["optimize"].replace("Presets”", f"Presets”{menu}")
    button = "“Optimize”" if is_old else "“Optimize Current Preset”"
    assert f"with {button}: its" in what_to_do(advised(replace(ALL, **ONE)), version)


def test_reviews_that_decide_against_optimizing_are_named() -> None:
    difference = ConfidenceInterval(0.01, 0.005, 0.015, 0.0025)
    comparison = Comparison("FSRS-6 optimized", OWN, difference, "worse")
    rivalry = Rivalry(comparison, difference, "worse", 900)
    preset = PresetInUse(1, "A", 1000, None, RIGHT, optimized_against_own=rivalry, change=0.03)
    report = advised(Advice("nothing", change=0.03), headline=Headline(RIGHT), scheduler=scheduler(preset))
    expected = "What to do: Nothing. On your reviews, newly optimized parameters would have predicted worse."
    assert advice_line(report) == expected


def test_two_pieces_of_advice_share_a_line() -> None:
    line = advice_line(advised(Advice("hard"), ALL))
    assert line == f"What to do: {SENTENCES['hard']} {SENTENCES['optimize']}"


def test_missing_advice_has_no_sentence() -> None:
    assert not advice_line(advised())
    assert "What to do" not in render(advised())
    assert 'class="advice"' not in page(advised())


def test_advice_is_below_the_headline_and_names_are_escaped() -> None:
    report = advised(Advice("optimize", presets=("<b>\x1b[31mLaw",), change=0.03))
    text, html = render(report), page(report)
    positions = [text.index(part) for part in (headline_text(report).heading[:20], "What to do", "RMSE (bins)")]
    assert positions == sorted(positions)
    assert "\x1b" not in text + html
    header = html[html.index("<header>") : html.index("</header>")]
    assert all(part in header for part in ("<h1>", 'class="advice"', "What to do", "&lt;b&gt;"))

from __future__ import annotations

from dataclasses import replace
from typing import List

import fake
import pytest
from sentence_matching import assert_says, no_leftovers

from evaluator.report import Accuracy, Advice, Failure, Report
from evaluator.report import advice as codes
from tools.output.table import render
from ui.page import page
from ui.text.phrases import all_of
from ui.views.advice import _SENTENCES, about, advice_line
from ui.views.headline import headline_and_details

REPORT = fake.report()
OPTIMIZE_ALL = ["Deck Options", "Optimize All Presets", "Save"]

SAID = [
    (Advice("hard"), ["If you forgot, press Again, not Hard", "press it for some forgotten cards"]),
    (Advice("update", "Your parameters"), ["FSRS-8", "preset: Law", "Update SRS Evaluator"]),
    (
        Advice("turn_on_and_optimize", "FSRS-6", reviews=1234),
        ["Turn on FSRS:", *OPTIMIZE_ALL[:1], "enable FSRS", *OPTIMIZE_ALL[1:]],
    ),
    (Advice("turn_on", "FSRS-6", reviews=99), ["Turn on FSRS", "Deck Options"]),
    (Advice("optimize"), ["Optimize FSRS:", *OPTIMIZE_ALL]),
    (
        Advice("optimize", "FSRS-6", reviews=1234),
        ["Optimize FSRS (your last 1,234 reviews would have been predicted better):", *OPTIMIZE_ALL],
    ),
    (Advice("optimize", "FSRS-6", ("Law",), 9), ["the preset Law", "9 reviews", "FSRS > Optimize Current Preset"]),
    (Advice("optimize", "FSRS-6", ("A", "B"), 9), ["the presets", all_of(["A", "B"]), "each", "Current Preset"]),
    (Advice("optimize", "FSRS-6", tuple("ABC"), 9), ["the presets", all_of(["A", "B", "C"]), "Current Preset"]),
    (Advice("optimize", "FSRS-6", tuple("ABCD"), 9), OPTIMIZE_ALL),
    (Advice("optimize", reviews=9, change=0.0184), ["by 1.8 points on average, probably for the better"]),
    (Advice("optimize_if_you_like", reviews=9, change=0.007), ["if you like: predictions would change by 0.7 points"]),
    (Advice("nothing", reviews=9, change=0.003), ["Nothing. Optimizing now", "(0.3 points on average)"]),
    (Advice("nothing", reviews=9, change=0.0004), ["Nothing. Optimizing now would not change predictions."]),
    (Advice("nothing", "FSRS-6", reviews=1234), ["Nothing.", "not have predicted your last 1,234 reviews"]),
    (Advice("desired_retention"), ["Deck Options", "desired retention to 86", "about 90", "and review less"]),
    (Advice("keep_on", more_days=131), ["Keep FSRS on", "in about 140 days."]),
    (Advice("keep_on", more_days=1), ["Keep FSRS on", "in about 1 day."]),
    (Advice("keep_on"), ["Keep FSRS on", "when you have more reviews"]),
]


def advised(*advice: Advice) -> Report:
    """A report with this advice, and a row that failed as a preset has parameters of a newer FSRS."""
    error = Failure("newer_parameters", {"version": 8, "preset": "Law"})
    failed = replace(REPORT.results[0], algorithm="Your parameters", error=error)
    accuracy = Accuracy("target", "FSRS-6", desired_retention=0.9, suggested_retention=0.86)
    return replace(REPORT, results=(*REPORT.results, failed), advice=advice, accuracy=accuracy)


@pytest.mark.parametrize(("advice", "words"), SAID)
def test_each_code_has_its_sentence(advice: Advice, words: List[str]) -> None:
    line = advice_line(advised(advice))
    assert_says(line, ["What to do:", *words])
    no_leftovers(line.replace(" (", " "))


def test_every_code_has_its_sentence() -> None:
    known = {codes.HARD, codes.UPDATE, codes.TURN_ON, codes.TURN_ON_AND_OPTIMIZE, codes.KEEP_ON}
    known |= {codes.OPTIMIZE, codes.OPTIMIZE_IF_YOU_LIKE, codes.NOTHING, codes.DESIRED_RETENTION}
    assert set(_SENTENCES) == known == {advice.code for advice, _ in SAID}
    assert all(f'"{code}"' in (Advice.__doc__ or "") for code in known)


def test_a_higher_desired_retention_means_more_reviews() -> None:
    accuracy = Accuracy("target", "FSRS-6", desired_retention=0.9, suggested_retention=0.935)
    line = advice_line(replace(advised(Advice("desired_retention")), accuracy=accuracy))
    assert_says(line, ["desired retention to 93.5", "about 90", "and review more"])


def test_more_presets_than_can_be_named() -> None:
    assert "A" not in advice_line(advised(Advice("optimize", "FSRS-6", tuple("ABCD"), 9))).split()


def test_two_pieces_of_advice_share_a_line() -> None:
    line = advice_line(advised(Advice("hard"), Advice("optimize", "FSRS-6", reviews=5)))
    assert_says(line, ["What to do:", "Again", "Optimize FSRS"])
    assert line.count("What to do") == 1


def test_without_advice_there_is_no_sentence() -> None:
    assert not advice_line(advised())
    assert "What to do" not in render(advised())
    assert 'class="advice"' not in page(advised())


def test_it_is_below_the_verdict() -> None:
    report = advised(Advice("optimize", "FSRS-6", ("<b>\x1b[31mLaw",), 9))
    text, html = render(report), page(report)
    index = [text.index(part) for part in (headline_and_details(report)[0][0][:20], "What to do", "RMSE (bins)")]
    assert index == sorted(index)
    assert "\x1b" not in text + html
    header = html[html.index("<header>") : html.index("</header>")]
    assert_says(header, ["<h1>", 'class="advice"', "What to do", "&lt;b&gt;"])


@pytest.mark.parametrize(
    ("count", "rounded"), [(0, 0), (7, 7), (99, 99), (100, 100), (101, 110), (1234, 1300), (99_001, 100_000)]
)
def test_numbers_are_rounded_up_to_two_digits(count: int, rounded: int) -> None:
    assert about(count) == rounded

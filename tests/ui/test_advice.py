"""What to do, in words: each code's sentence with its numbers, names and places, and where the line is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import List

import fake
import pytest
from test_wording import no_leftovers
from test_wording_of_results import assert_says

from evaluator.report import Advice, Basis, Comparison, Failure, Interval, Report, Scheduler, TrainedAnew
from evaluator.report import advice as codes
from tools.table import render
from ui.page import page
from ui.text.phrases import all_of
from ui.views.advice import _SENTENCES, about, advice_line
from ui.views.headline import headline_and_details

REPORT = fake.report()
OPTIMISE_ALL = ["Deck Options", "Optimize All Presets", "Save"]

SAID = [
    (Advice("hard"), ["If", "Hard", "Again", "forgotten"]),
    (Advice("update", "Your parameters"), ["FSRS-8", "preset: Law", "Update SRS Evaluator"]),
    (Advice("switch_on", "FSRS-6", reviews=1234), ["FSRS", "learn", *OPTIMISE_ALL]),
    (Advice("switch_on", "FSRS-6 default", reviews=1234), ["FSRS", "Deck Options"]),
    (Advice("optimise", "FSRS-6", reviews=1234), ["Optimise", *OPTIMISE_ALL]),
    (Advice("optimise", "FSRS-6", ("Law",), 9), ["the preset Law", "9 reviews", "FSRS > Optimize Current Preset"]),
    (Advice("optimise", "FSRS-6", ("A", "B"), 9), ["the presets", all_of(["A", "B"]), "each", "Current Preset"]),
    (Advice("optimise", "FSRS-6", tuple("ABC"), 9), ["the presets", all_of(["A", "B", "C"]), "Current Preset"]),
    (Advice("optimise", "FSRS-6", tuple("ABCD"), 9), OPTIMISE_ALL),
    (Advice("nothing_to_do", "FSRS-6", reviews=1234), ["Nothing", "good order"]),
    (Advice("probably_optimise", "FSRS-6", reviews=50), ["probably", "0.03", *OPTIMISE_ALL]),
    (Advice("too_early", reviews=50, more_reviews=1234, more_days=31), ["about 31 more days", "about 1,300 reviews"]),
    (Advice("too_early", reviews=50, more_reviews=1, more_days=1), ["about 1 more day ", "about 1 review "]),
    (Advice("too_early_to_optimise", reviews=1, more_reviews=99, more_days=8), ["too early", "8 more days", "99"]),
    (Advice("too_early_to_optimise", reviews=2000, more_reviews=999, more_days=120), ["120", "1,000"]),
    (Advice("too_early_to_optimise", reviews=0, more_days=8), ["not trained on", "about 8 more days"]),
]


def advised(*advice: Advice) -> Report:
    """A report with this advice, and a row that failed as a preset has parameters of a newer FSRS."""
    error = Failure("newer_parameters", {"version": 8, "preset": "Law"})
    failed = replace(REPORT.results[0], algorithm="Your parameters", error=error)
    return replace(REPORT, results=(*REPORT.results, failed), advice=advice)


@pytest.mark.parametrize(("advice", "words"), SAID)
def test_what_to_do(advice: Advice, words: List[str]) -> None:
    """With Anki's own words for where it is done; numbers that are estimates are rounded up."""
    line = advice_line(advised(advice))
    assert_says(line, ["What to do:", *words])
    no_leftovers(line.replace(" (", " "))


@pytest.mark.parametrize(
    ("code", "difference", "words"),
    [
        ("better", -0.01, "better (log loss 0.0100 lower)."),
        ("equivalent", -0.001, "as well as optimized ones would have."),
    ],
)
def test_details_tell_how_own_parameters_did(code: str, difference: float, words: str) -> None:
    compared = Comparison("FSRS-6", "Your parameters", Interval(difference, -1, 1, 0.5), code, 2.0)
    scheduler = Scheduler(True, None, (TrainedAnew(None, None, Basis(9, 9, 9), compared),))
    _headline, details = headline_and_details(replace(REPORT, scheduler=scheduler))
    assert_says(" ".join(details), [words])


def test_every_code_has_its_sentence() -> None:
    """And every sentence its code."""
    known = {codes.HARD, codes.UPDATE, codes.SWITCH_ON, codes.OPTIMISE, codes.NOTHING_TO_DO, codes.PROBABLY_OPTIMISE}
    known |= {codes.TOO_EARLY, codes.TOO_EARLY_TO_OPTIMISE}
    assert set(_SENTENCES) == known == {advice.code for advice, _ in SAID}
    assert all(f'"{code}"' in (Advice.__doc__ or "") for code in known)


def test_more_presets_than_can_be_named() -> None:
    assert "A" not in advice_line(advised(Advice("optimise", "FSRS-6", tuple("ABCD"), 9))).split()


def test_two_in_one_line() -> None:
    line = advice_line(advised(Advice("hard"), Advice("optimise", "FSRS-6", reviews=5)))
    assert_says(line, ["What to do:", "Again", "Optimise FSRS"])
    assert line.count("What to do") == 1


def test_nothing_is_said_without_advice() -> None:
    assert not advice_line(advised())
    assert "What to do" not in render(advised())
    assert 'class="advice"' not in page(advised())


def test_it_stands_under_the_verdict() -> None:
    """In the terminal and on the page; names of presets are made harmless there."""
    report = advised(Advice("optimise", "FSRS-6", ("<b>\x1b[31mLaw",), 9))
    text, html = render(report), page(report)
    place = [text.index(part) for part in (headline_and_details(report)[0][0][:20], "What to do", "RMSE (bins)")]
    assert place == sorted(place)
    assert "\x1b" not in text + html
    header = html[html.index("<header>") : html.index("</header>")]
    assert_says(header, ["<h1>", 'class="advice"', "What to do", "&lt;b&gt;"])


@pytest.mark.parametrize(
    ("count", "rounded"), [(0, 0), (7, 7), (99, 99), (100, 100), (101, 110), (1234, 1300), (99_001, 100_000)]
)
def test_about(count: int, rounded: int) -> None:
    assert about(count) == rounded

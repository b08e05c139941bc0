"""How our verdicts fared: what the sentences and the table say, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import fake
import pytest
from made_forecasts import JUDGED, OUTCOME, WAITING
from told import reads, says

from evaluator.report import Interval
from evaluator.sections.forecasts import Forecasts
from ui.views import load, page_of
from ui.views.forecasts import FARED, WHY_NOT
from ui.views.view import Block


def block(found: Forecasts) -> Block:
    (one,) = load("forecasts").blocks(found, fake.report(), ())
    return one


def open_with(*made: Any, reviews: int = 0, days: int = 0, code: str = "open") -> Block:
    return block(Forecasts(code, made, days, reviews))


def test_what_waits_is_not_judged() -> None:
    shown = open_with(WAITING, reviews=120, days=31)
    assert says(shown.caption, "What was found on 2027-03-01 is still open: FSRS-6 and SM-2 will be compared once.")
    assert says(shown.caption, "This needs at least 300 reviews on 60 days; so far there are 120 reviews on 31 days.")
    assert not shown.table.rows
    assert not shown.notes


def test_a_verdict_that_held() -> None:
    shown = open_with(JUDGED, WAITING, reviews=7, days=2)
    assert reads(
        shown.caption,
        "On 2026-11-22 FSRS-6 was ahead of SM-2 by 0.0190 (0.0120 to 0.0250) of log loss. On the 1,320 reviews from "
        "then to 2027-03-01 it was ahead by 0.0160 (0.0040 to 0.0280). The verdict held: 0.0050 to 0.0330 ahead was "
        "to be expected.",
    )
    minus = "\N{MINUS SIGN}"
    ends = f"{minus}0.0190 ({minus}0.0250 to {minus}0.0120)"
    assert shown.table.rows == (
        ("2027-03-01", "FSRS-6, SM-2", ends, "7", "–", "–", "still open"),
        (
            *("2026-11-22", "FSRS-6, SM-2", ends, "1,320", f"{minus}0.0160"),
            f"{minus}0.0330 to {minus}0.0050",
            "as expected",
        ),
    )
    assert says(shown.notes[0], "What was found on 2027-03-01 is still open. So far there are 7 reviews on 2 days.")
    assert says(shown.notes[1], "The earlier difference comes from earlier, smaller trainings.")
    assert len(shown.notes) == 2


@pytest.mark.parametrize(
    ("code", "difference", "words"),
    [
        ("lower", -0.04, "it was ahead by 0.0400 (0.0300 to 0.0500). That is better for FSRS-6 than what was to be"),
        ("higher", -0.001, "it was ahead by 0.0010 (−0.0090 to 0.0110). That is worse for FSRS-6 than what was to be"),
        ("higher", 0.02, "it was behind by 0.0200 (0.0100 to 0.0300). That is worse for FSRS-6 than what was to be"),
    ],
)
def test_a_verdict_that_did_not_hold(code: str, difference: float, words: str) -> None:
    since = Interval(difference, difference - 0.01, difference + 0.01, 0.005)
    shown = open_with(replace(JUDGED, outcome=replace(OUTCOME, difference=since, code=code)), WAITING)
    assert says(shown.caption, words)
    assert shown.table.rows[1][-1] == FARED[code]
    assert "held" not in shown.caption


def test_expected_is_given_in_the_direction_of_what_was_found() -> None:
    since = Interval(0.02, 0.01, 0.03, 0.005)
    shown = open_with(replace(JUDGED, outcome=replace(OUTCOME, difference=since, code="higher")), WAITING)
    assert says(shown.caption, "what was to be expected: 0.0050 to 0.0330 ahead.")


def test_one_that_was_behind() -> None:
    behind = replace(JUDGED, difference=Interval(0.01, 0.002, 0.018, 0.004))
    assert says(open_with(behind, WAITING).caption, "On 2026-11-22 FSRS-6 was behind SM-2 by 0.0100 (0.0020 to 0.0180)")
    assert says(open_with(behind, WAITING).caption, "The verdict held: −0.0330 to −0.0050 behind was to be expected.")


def test_a_switch_of_schedulers_is_said_where_it_is_known() -> None:
    def notes(before: Any, after: Any) -> str:
        outcome = replace(OUTCOME, fsrs=after)
        return " ".join(open_with(replace(JUDGED, fsrs=before, outcome=outcome), WAITING).notes)

    assert says(notes(False, True), "You have switched from SM-2 to FSRS since.")
    for before, after in ((False, False), (True, True), (None, True), (False, None)):
        assert "switched" not in notes(before, after)


def test_later_reviews_that_cannot_judge() -> None:
    shown = open_with(WAITING, reviews=800, days=70, code="too_few")
    assert says(shown.caption, "So far these are 800 reviews on 70 days: of too few cards, or too few were forgotten.")


@pytest.mark.parametrize("code", sorted(WHY_NOT))
def test_why_nothing_waits(code: str) -> None:
    """Without and with earlier verdicts."""
    assert block(Forecasts(code, ())).caption == WHY_NOT[code]
    assert WHY_NOT[code] in block(Forecasts(code, (JUDGED,))).notes


def test_where_nothing_is_kept_nothing_is_shown() -> None:
    assert load("forecasts").of(fake.report()) == []
    assert page_of("forecasts").views[0] == "forecasts"

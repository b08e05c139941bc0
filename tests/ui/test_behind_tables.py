"""Each algorithm against another, and what is behind the numbers: what the sentences claim, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import List, Optional, Tuple

import fake
import pytest
from test_wording_of_results import assert_says
from told import says

from evaluator.interval import TOO_FEW
from evaluator.report import CalibrationLine, Comparison, Interval
from evaluator.sections.comparisons import Comparisons
from ui.text import strings
from ui.text.phrases import all_of
from ui.views import load, skill
from ui.views.cells import percent
from ui.views.comparisons import COMPARISON_CODES, COMPARISONS_FOUND
from ui.views.skill import LINE_REASONS
from ui.views.view import Block

NBSP = "\N{NO-BREAK SPACE}"


def against(name: str, difference: float, code: str, *, interval: bool = True) -> Comparison:
    return Comparison(
        name, "SM-2", estimate(difference, 0.01 if interval else None), code, 0.0141 if interval else None
    )


def estimate(value: float, reach: Optional[float]) -> Interval:
    return Interval(value, reason=TOO_FEW) if reach is None else Interval(value, value - reach, value + reach)


def compared(*found: Comparison, in_sample: bool = False) -> Block:
    by_sm2 = Comparisons("SM-2", in_sample, found)
    table, *_ = load("comparisons").of(fake.report().with_section("comparisons", (by_sm2,)))
    return table


class TestComparisons:
    def test_a_verdict_for_each(self) -> None:
        table = compared(against("FSRS-6", -0.0634, "better"), against("AVG", 0.0001, "too_few", interval=False))
        assert says(table.heading, "Against SM-2")
        assert table.table.rows == (
            ("FSRS-6", "−0.0634", "−0.0734", "−0.0534", "–", COMPARISON_CODES["better"], "0.0141"),
            ("AVG", "+0.0001", "–", "–", "–", COMPARISON_CODES["too_few"], "–"),
        )

    def test_the_sentence_names_each_once(self) -> None:
        names = ("A", "B", "C", "D", "E")
        codes = ("better", "worse", "equivalent", "cannot_tell", "better")
        said = compared(*(against(name, 0.0, code) for name, code in zip(names, codes, strict=True))).caption
        found = {"better": all_of(["A", "E"]), "equivalent": "C", "worse": "B", "cannot_tell": "D"}
        assert said == " ".join(
            COMPARISONS_FOUND[code].format(reference="SM-2", margin="0.002", names=them) for code, them in found.items()
        )

    def test_rows_that_may_have_seen_the_reviews_are_named(self) -> None:
        """Else what was fitted on these reviews would stand there as fairly better."""
        report = fake.report((*fake.NAMES, "Your parameters"))
        found = Comparisons("SM-2", False, (against("Your parameters", -0.05, "better"),))
        table, *_ = load("comparisons").of(report.with_section("comparisons", (found,)))
        assert table.notes == (strings.MAY_BE_IN_SAMPLE.format(algorithm="Your parameters"),)

    def test_every_code_has_words(self) -> None:
        assert set(COMPARISON_CODES) == set(COMPARISONS_FOUND)

    def test_what_may_know_the_answers_is_said(self) -> None:
        assert compared(against("A", 0.0, "worse")).notes == ()
        (note,) = compared(against("A", 0.0, "worse"), in_sample=True).notes
        assert "SM-2: these parameters may have been optimised on the very reviews" in note


def skill_and_line(line: Optional[CalibrationLine] = None) -> List[Block]:
    report = fake.report(("FSRS-6",), asked=("FSRS-6",))
    metrics = {"skill_average": 0.045, "skill_interval_average": -0.00001}
    row = replace(report.results[0], metrics=metrics, calibration_line=line)
    return list(skill.blocks(replace(report, results=(row,))))


def test_skill_and_no_minus_zero() -> None:
    assert skill_and_line()[0].table.rows == (("FSRS-6", f"4.5{NBSP}%", f"0.0{NBSP}%"),)
    assert percent(-0.0004) == f"0.0{NBSP}%"
    assert percent(-0.0006) == f"−0.1{NBSP}%"


class TestLine:
    @pytest.mark.parametrize(
        ("slope", "level", "words"),
        [
            ((1.0, 0.1), (0.0, 0.1), []),
            ((0.8, 0.1), (0.3, 0.1), ["too sure", "too low"]),
            ((1.3, 0.1), (-0.3, 0.1), ["too timid", "too high"]),
            ((0.8, None), (0.3, None), []),
        ],
    )
    def test_only_what_is_beyond_doubt(
        self, slope: Tuple[float, Optional[float]], level: Tuple[float, Optional[float]], words: List[str]
    ) -> None:
        line = CalibrationLine(estimate(0.0, 0.1), estimate(*slope), estimate(*level))
        said = skill_and_line(line)[1].table.rows[0][-1]
        assert (said == "–") == (not words)
        assert_says(said, words)

    @pytest.mark.parametrize("reason", ["constant", "one_outcome", "separated"])
    def test_why_there_is_none(self, reason: str) -> None:
        line = CalibrationLine(*[Interval(None, reason=reason)] * 3)
        row = skill_and_line(line)[1].table.rows[0]
        assert row == ("FSRS-6", LINE_REASONS[reason])

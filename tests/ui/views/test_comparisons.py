from __future__ import annotations

from dataclasses import replace
from typing import Optional

import fake
from sentence_matching import contains_sentence

from evaluator.interval import TOO_FEW
from evaluator.report import Comparison, ConfidenceInterval, PeerGroup, ProbabilityBetter
from evaluator.sections.comparisons import Comparisons
from ui.text import strings
from ui.views import load
from ui.views.labels import row_label
from ui.views.tables import COMPARISON_CODES
from ui.views.view import Block


def against(name: str, difference: float, code: str, *, interval: bool = True) -> Comparison:
    return Comparison(
        name, "SM-2", estimate(difference, 0.01 if interval else None), code, 0.0141 if interval else None
    )


def estimate(value: float, reach: Optional[float]) -> ConfidenceInterval:
    return (
        ConfidenceInterval(value, reason=TOO_FEW)
        if reach is None
        else ConfidenceInterval(value, value - reach, value + reach)
    )


def compared(*result: Comparison) -> Block:
    by_sm2 = Comparisons("SM-2", result)
    table, *_ = load("comparisons").of(fake.report().with_section("comparisons", (by_sm2,)))
    return table


class TestComparisons:
    def test_each_row_has_a_verdict(self) -> None:
        table = compared(against("FSRS-6", -0.0634, "better"), against("AVG", 0.0001, "too_few", interval=False))
        assert contains_sentence(table.heading, "Against SM-2")
        assert table.table.rows == (
            (row_label("FSRS-6"), "−0.0634", "−0.0734 to −0.0534", COMPARISON_CODES["better"]),
            (row_label("AVG"), "+0.0001", "–", COMPARISON_CODES["too_few"]),
        )

    def test_the_chance_has_a_column_only_if_one_is_known(self) -> None:
        unknown = against("FSRS-6", -0.06, "better")
        chance = ProbabilityBetter(0.99, "almost_certainly", -0.06, PeerGroup(1_000, 2_000, 100), 90, "FSRS-5", "SM-2")
        for comparison, columns in ((replace(unknown, chance=chance), 5), (unknown, 4)):
            assert len(compared(comparison).table.columns) == columns

    def test_rows_that_may_have_seen_the_reviews_are_named(self) -> None:
        report = fake.report((*fake.NAMES, "Your parameters"))
        for reference, other in (("SM-2", "Your parameters"), ("Your parameters", "SM-2")):
            result = Comparisons(reference, (against(other, -0.05, "better"),))
            table, *_ = load("comparisons").of(report.with_section("comparisons", (result,)))
            assert table.notes == (strings.MAY_BE_IN_SAMPLE.format(algorithm="Your parameters"),)
        assert compared(against("A", 0.0, "worse")).notes == ()

    def test_parameters_that_are_the_defaults_are_not_compared_twice(self) -> None:
        row = replace(fake.report().results[0], algorithm="Your parameters", note="published")
        report = replace(fake.report(), results=(row,))
        result = Comparisons("Your parameters", (against("SM-2", 0.05, "worse"),))
        assert not load("comparisons").of(report.with_section("comparisons", (result,)))

from __future__ import annotations

from dataclasses import replace
from typing import Optional, Tuple

import fake
import pytest
from sentence_matching import contains_sentence, matches_sentence

from evaluator.interval import TOO_FEW
from evaluator.report import Comparison, ConfidenceInterval, PeerGroup, ProbabilityBetter
from evaluator.sections.comparisons import Comparisons
from ui.text import strings
from ui.views import load
from ui.views.comparisons import pair_sentence
from ui.views.labels import row_label
from ui.views.view import COMPARISON_CODES, Block


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
    table, *_ = load("comparisons").of(fake.report().with_section("comparisons", by_sm2))
    return table


class TestComparisons:
    def test_each_row_has_a_verdict(self) -> None:
        table = compared(against("FSRS-6", -0.0634, "better"), against("AVG", 0.0001, "too_few", interval=False))
        assert contains_sentence(table.heading, "Against SM-2")
        assert table.table.rows == (
            (row_label("FSRS-6"), "−0.0634", "−0.0734 to −0.0534", COMPARISON_CODES["better"]),
            (row_label("AVG"), "+0.0001", "–", COMPARISON_CODES["too_few"]),
        )

    def test_rows_that_may_have_seen_the_reviews_are_named(self) -> None:
        report = fake.report((*fake.NAMES, "Your parameters"))
        result = Comparisons("SM-2", (against("Your parameters", -0.05, "better"),))
        (table,) = load("comparisons").of(report.with_section("comparisons", result))
        assert table.notes == (strings.MAY_BE_IN_SAMPLE.format(algorithm="Your parameters"),)
        assert compared(against("A", 0.0, "worse")).notes == ()

    def test_baseline_that_may_have_seen_the_reviews_gets_no_table(self) -> None:
        report = fake.report((*fake.NAMES, "Your parameters"))
        result = Comparisons("Your parameters", (against("SM-2", 0.05, "worse"),))
        assert load("comparisons").of(report.with_section("comparisons", result)) == []

    @pytest.mark.parametrize(("known_count", "columns"), [(0, 4), (1, 4), (2, 5)])
    def test_column_that_is_mostly_empty_is_left_out(self, known_count: int, columns: int) -> None:
        unknown = against("FSRS-6", -0.06, "better")
        chance = ProbabilityBetter(0.99, -0.06, PeerGroup(1_000, 2_000, 100), 90, "FSRS-5", "SM-2")
        rows = [replace(unknown, chance=chance if number < known_count else None) for number in range(4)]
        assert len(compared(*rows).table.columns) == columns

    def test_label_says_that_own_parameters_are_the_defaults(self) -> None:
        row = replace(fake.report().results[0], algorithm="Your parameters", note="published")
        report = replace(fake.report(), results=(row,))
        result = Comparisons("Your parameters", (against("SM-2", 0.05, "worse"),))
        (block,) = load("comparisons").of(report.with_section("comparisons", result))
        assert matches_sentence(block.heading, "Against Your parameters (default)")

    @pytest.mark.parametrize(
        ("difference", "code", "expected"),
        [
            ((-0.0002, -0.0011, 0.0007), "cannot_tell", "−0.0002 (−0.0011 to 0.0007): too close to call."),
            ((-0.0102, -0.0111, -0.0087), "better", "−0.0102 (−0.0111 to −0.0087): FSRS-6 recency is better."),
            ((0.0102, 0.0087, 0.0111), "worse", "0.0102 (0.0087 to 0.0111): FSRS-6 is better."),
            ((0.0001, -0.0002, 0.0003), "equivalent", "0.0001 (−0.0002 to 0.0003): too small a difference to notice."),
            ((0.0102,), "too_few", "0.0102: too few cards or days."),
        ],
    )
    def test_two_selected_rows_get_one_sentence(self, difference: Tuple[float, ...], code: str, expected: str) -> None:
        c = Comparison("FSRS-6 recency", "FSRS-6", ConfidenceInterval(*difference), code, None)
        assert matches_sentence(pair_sentence(c, fake.report()), f"FSRS-6 recency minus FSRS-6: {expected}")

    def test_pair_sentence_names_rows_that_may_have_seen_the_reviews(self) -> None:
        c = Comparison("Your parameters", "FSRS-6", ConfidenceInterval(-0.01, -0.02, -0.005), "better", None)
        assert contains_sentence(
            pair_sentence(c, fake.report((*fake.NAMES, "Your parameters"))),
            "Your parameters is better. Your parameters may have been fitted to these reviews",
        )

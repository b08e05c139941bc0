from __future__ import annotations

from dataclasses import replace
from typing import List, Optional

import fake
import pytest
from sentence_matching import contains_sentence, matches_sentence

from evaluator.interval import TOO_FEW, ConfidenceInterval
from evaluator.report import Comparison, PeerGroup, ProbabilityBetter, Report
from ui.text import strings
from ui.views import load
from ui.views.comparisons_view import pair_sentence
from ui.views.labels import row_label
from ui.views.view import COMPARISON_CODES, Block

IN_SAMPLE = fake.report((*fake.NAMES, "Your parameters"))


def compare(name: str, difference: float, code: str) -> Comparison:
    """Return a comparison with SM-2, whose interval reaches 0.01 to either side or is missing for "too_few"."""
    if code == "too_few":
        return Comparison(name, "SM-2", ConfidenceInterval(difference, reason=TOO_FEW), code)
    interval = ConfidenceInterval(difference, difference - 0.01, difference + 0.01)
    return Comparison(name, "SM-2", interval, code)


def blocks(*comparisons: Comparison, baseline: str = "SM-2", report: Optional[Report] = None) -> List[Block]:
    """Return the blocks about a report with these comparisons and the row of the baseline."""
    report = report or fake.report()
    rows = (replace(fake.result(item.algorithm), against_baseline=item) for item in comparisons)
    baseline_row = replace(report.result(baseline), against_baseline=None)
    return load("comparisons").of(replace(report, baseline=baseline, results=(*rows, baseline_row)))


class TestComparisons:
    def test_each_row_has_a_verdict(self):
        (block,) = blocks(compare("FSRS-6", -0.0634, "better"), compare("AVG", 0.0001, "too_few"))
        assert contains_sentence(block.heading, "Against SM-2")
        assert block.table.rows == (
            (row_label("FSRS-6"), "−0.0634", "−0.0734 to −0.0534", COMPARISON_CODES["better"]),
            (row_label("AVG"), "+0.0001", "–", COMPARISON_CODES["too_few"]),
        )
        assert block.notes == ()

    def test_in_sample_algorithm_is_noted_and_is_no_baseline(self):
        (block,) = blocks(compare("Your parameters", -0.05, "better"), report=IN_SAMPLE)
        assert block.notes == (strings.MAY_BE_IN_SAMPLE.format(algorithm="Your parameters"),)
        assert blocks(compare("SM-2", 0.05, "worse"), baseline="Your parameters", report=IN_SAMPLE) == []

    @pytest.mark.parametrize(("known_count", "columns"), [(0, 4), (1, 4), (2, 5)])
    def test_column_that_is_mostly_empty_is_left_out(self, known_count, columns):
        comparison = compare("FSRS-6", -0.06, "better")
        chance = ProbabilityBetter(0.99, PeerGroup(1_000, 2_000, 100), 90, "FSRS-5", "SM-2")
        rows = [replace(comparison, chance=chance if number < known_count else None) for number in range(4)]
        (block,) = blocks(*rows)
        assert len(block.table.columns) == columns

    @pytest.mark.parametrize(
        ("difference", "code", "expected"),
        [
            ((-0.0002, -0.0011, 0.0007), "cannot_tell", "−0.0002 (−0.0011 to +0.0007): too close to call."),
            (
                (-0.0102, -0.0111, -0.0087),
                "better",
                "−0.0102 (−0.0111 to −0.0087): FSRS-6 recency predicted better on these reviews.",
            ),
            (
                (0.0102, 0.0087, 0.0111),
                "worse",
                "+0.0102 (+0.0087 to +0.0111): FSRS-5 predicted better on these reviews.",
            ),
            (
                (0.0001, -0.0002, 0.0003),
                "equivalent",
                "+0.0001 (−0.0002 to +0.0003): too small a difference to notice.",
            ),
            ((0.0102,), "too_few", "+0.0102: too few cards or days."),
        ],
    )
    def test_two_selected_rows_get_one_sentence(self, difference, code, expected):
        comparison = Comparison("FSRS-6 recency", "FSRS-5", ConfidenceInterval(*difference), code)
        assert matches_sentence(pair_sentence(comparison, fake.report(), 6), f"FSRS-6 recency minus FSRS-5: {expected}")

    @pytest.mark.parametrize(("newest", "not_yet"), [(6, " Anki does not have FSRS-7 yet."), (7, "")])
    def test_pair_sentence_says_what_anki_lacks(self, newest, not_yet):
        comparison = Comparison("FSRS-6 recency", "FSRS-7", ConfidenceInterval(-0.0002, -0.0011, 0.0007), "cannot_tell")
        report = fake.report(["FSRS-6 recency", "FSRS-7"])
        sentence = pair_sentence(comparison, report, newest)
        difference = "−0.0002 (−0.0011 to +0.0007): too close to call."
        assert matches_sentence(sentence, f"FSRS-6 recency minus FSRS-7: {difference}{not_yet}")
        # Users may give the name of a version to parameters of another one.
        row = replace(report.result("FSRS-7"), description="FSRS-6 with parameters that you entered")
        pasted = replace(report, results=(row,))
        assert matches_sentence(pair_sentence(comparison, pasted, newest), f"FSRS-6 recency minus FSRS-7: {difference}")

    def test_pair_sentence_names_in_sample_algorithm(self):
        sentence = pair_sentence(compare("Your parameters", -0.01, "better"), IN_SAMPLE, 6)
        expected = (
            "Your parameters predicted better on these reviews. Your parameters may have been fitted to these reviews"
        )
        assert contains_sentence(sentence, expected)

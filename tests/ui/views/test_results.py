from __future__ import annotations

from dataclasses import replace

import fake
import pytest
from sentence_matching import assert_says

from evaluator.interval import TOO_FEW, ConfidenceInterval
from evaluator.report import AlgorithmResult, CalibrationLine
from ui.views import results_table_cells
from ui.views.metric_views import USUAL, bias_sentence, chance_sentence, skill_sentence
from ui.views.results_table_cells import rows

ROW = AlgorithmResult("FSRS-6", "FSRS", "", True, 21, ("ratings",), 1234)


def test_odd_average_is_explained_in_legend_and_tooltip():
    report = fake.report()
    first, *remaining = report.results
    table_rows = rows(replace(report, results=(replace(first, note="certain"), *remaining)))
    row = table_rows[0]
    sentence = (
        "predicts 100% until a review is forgotten (0% until one is remembered), as in the benchmark, so each miss "
        "adds much to its log loss."
    )
    assert row.notes == (f"{row.label}: {sentence}",)
    assert row.notes[0] in row.tip.splitlines()
    assert row.notes[0] in results_table_cells.legend(table_rows)
    assert row.notes[0] not in results_table_cells.notes(table_rows)
    assert row.notes[0] in results_table_cells.as_text(table_rows, USUAL)


def test_unknown_facts_are_not_mentioned():
    for sentence in (bias_sentence, chance_sentence, skill_sentence):
        assert not sentence(ROW)


def test_floor_and_excess_are_described():
    name = "rmse_bins_benchmark"
    metrics = {name: 0.05, f"{name}_floor": 0.03, f"{name}_excess": 0.04}
    assert_says(chance_sentence(replace(ROW, metrics=metrics)), ["chance", "3.00%", "4.00%"])


@pytest.mark.parametrize(
    ("algorithm", "metrics", "words"),
    [
        ("FSRS-6", {"skill_average": 0.071, "skill_interval_average": -0.02}, ["7.1% lower", "2.0% higher"]),
        # Guessing the average is compared only with the guess that knows the interval.
        ("AVG", {"skill_average": 0.0, "skill_interval_average": -0.015}, ["1.5% higher"]),
    ],
)
def test_skill_is_described_in_words(algorithm, metrics, words):
    assert_says(skill_sentence(replace(ROW, algorithm=algorithm, metrics=metrics)), words)


@pytest.mark.parametrize(
    ("height", "slope", "words"),
    [
        ((-0.3, -0.1), (0.7, 0.9), ["too high", "overconfident"]),
        ((0.1, 0.3), (1.1, 1.2), ["too low", "underconfident"]),
        ((-0.1, 0.1), (0.9, 1.1), ["neither"]),
        (None, None, []),
    ],
)
def test_bias_is_described_in_words(height, slope, words):
    intervals = [
        ConfidenceInterval(0.0, *ends) if ends else ConfidenceInterval(0.0, reason=TOO_FEW) for ends in (slope, height)
    ]
    text = bias_sentence(replace(ROW, calibration_line=CalibrationLine(*intervals)))
    assert bool(text) == bool(words)
    assert_says(text, words)


def test_bias_needs_a_calibration_line():
    unknown = CalibrationLine(*[ConfidenceInterval(None, reason="one_outcome")] * 2)
    assert not bias_sentence(replace(ROW, calibration_line=unknown))

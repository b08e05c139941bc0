from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any, Iterator

import pytest
from reference_sets import USUAL, evaluation, snapshot

from evaluator.evaluation import evaluate
from evaluator.interval import ConfidenceInterval
from evaluator.options import Options
from evaluator.report import Comparison, Report, to_json
from evaluator.report.json_form import to_dict
from evaluator.sections import SECTIONS
from evaluator.statistics.paired import compare, paired_difference, realized_difference
from evaluator.statistics.published_results import probability_better


def report() -> Report:
    """Return the report of the smallest simulated log with the usual algorithms."""
    return evaluation("sim-c").report


def leaves(value: Any) -> Iterator[Any]:
    """Yield all values of a JSON tree that are neither objects nor arrays."""
    if isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def test_every_field_is_in_the_json():
    assert {field.name for field in fields(Report)} - {"sections"} | set(SECTIONS) == set(to_dict(report()))


def test_two_runs_are_equal_byte_for_byte():
    repeated = evaluate(snapshot("sim-c"), Options(algorithms=USUAL))
    assert to_json(repeated.report) == to_json(report())
    assert repeated.timing.keys() == evaluation("sim-c").timing.keys()


def test_timing_is_last_under_its_own_key():
    tree = json.loads(to_json(report(), {"preparing": 0.123456, "AVG": 2.0}))
    assert tree["version"] == 1
    keys = list(tree)
    assert (keys[0], keys[-1]) == ("version", "timing")
    assert tree.pop("timing") == {"preparing": 0.123, "AVG": 2.0}
    assert tree == json.loads(to_json(report()))


def test_numbers_are_finite_and_rounded():
    tree = json.loads(to_json(report()), parse_constant=pytest.fail)
    for value in leaves(tree):
        if isinstance(value, float):
            assert value == round(value, 9)
            assert str(value) != "-0.0"
    for row in tree["results"]:
        assert list(leaves(row["parameters_per_fold"])) == [round(v, 6) for v in leaves(row["parameters_per_fold"])]


def test_nan_is_refused():
    row = replace(report().results[0], log_loss=float("nan"))
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json(replace(report(), results=(row,)))


def test_minus_zero_is_zero():
    compared = Comparison("a", "b", ConfidenceInterval(-1e-12, -1e-15, 0.0, 0.0), "equivalent")
    row = replace(report().results[0], against_baseline=compared)
    result = to_dict(replace(report(), results=(row,)))["results"][0]["against_baseline"]
    assert [str(result["difference"][key]) for key in ("estimate", "low", "high")] == ["0.0", "0.0", "0.0"]


def test_all_but_the_baseline_are_compared_with_it():
    """The difference is about these reviews. The probability of being better allows for drift."""
    predicted = evaluation("sim-c").predictions.predicted
    scoring = evaluation("sim-c").evidence.scoring
    for row in report().results:
        if row.algorithm == "SM-2":
            assert row.against_baseline is None
            continue
        difference = scoring.loss(predicted[row.algorithm]) - scoring.loss(predicted["SM-2"])
        would = paired_difference(difference, scoring.clusters)
        expected = compare(row.algorithm, "SM-2", difference, scoring.clusters)
        assert expected.difference == realized_difference(difference, scoring.clusters) != would
        chance = probability_better(row.algorithm, "SM-2", would, len(difference))
        assert row.against_baseline == replace(expected, chance=chance)


def test_scope_counts_scored_reviews():
    result = report().scope
    predictions = evaluation("sim-c").predictions
    assert result.reviews == len(predictions.review_id) == 440
    assert result.cards == len(set(predictions.card_id.tolist()))
    assert result.recalled == pytest.approx(predictions.recalled.mean())
    assert result.first_day < result.last_day
    assert result.day_cutoff >= snapshot("sim-c").revlog.review_id.max() / 1000


def test_table_and_verdict_have_the_same_baseline():
    names = ("FSRS-6 default", "Ebisu v2")
    for baseline, expected in ((None, "Ebisu v2"), ("ebisu v2", "Ebisu v2"), ("FSRS-6 default", "FSRS-6 default")):
        result = evaluate(snapshot("sim-c"), Options(algorithms=names, baseline=baseline)).report
        assert result.baseline == result.verdict.baseline == expected
        assert [row.against_baseline is None for row in result.results] == [
            row.algorithm == expected for row in result.results
        ]

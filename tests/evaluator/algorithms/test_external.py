from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from reference_sets import snapshot

from evaluator.algorithms.external import ExternalPredictions
from evaluator.errors import NameTaken
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.report import Failure, to_json
from evaluator.scoring.report_builder import Evaluation
from evaluator.sections import add_sections

ALGORITHMS = ("AVG", "SM-2", "FSRS-6")


@cache
def evaluate_without_external() -> Evaluation:
    return evaluate(snapshot("sim-c"), Options(ALGORITHMS))


def fsrs_predictions(*, without: slice = slice(0)) -> ExternalPredictions:
    """Return the predictions of FSRS-6 as external ones with the name "Mine", without those of some reviews."""
    p = evaluate_without_external().predictions
    return ExternalPredictions(
        "Mine", review_id=np.delete(p.review_id, without), predicted=np.delete(p.predicted["FSRS-6"], without)
    )


def evaluate_with(external: ExternalPredictions) -> Evaluation:
    return evaluate(snapshot("sim-c"), Options(ALGORITHMS, external=(external,)))


def test_predictions_of_fsrs_from_a_file_score_as_fsrs():
    report = evaluate_with(fsrs_predictions()).report
    mine, fsrs = report.result("Mine"), report.result("FSRS-6")
    excluded = {"algorithm", "family", "description", "trained", "parameter_count", "uses", "note"}
    excluded |= {"parameters_per_fold", "against_baseline"}
    assert {k: v for k, v in vars(mine).items() if k not in excluded} == {
        k: v for k, v in vars(fsrs).items() if k not in excluded
    }
    assert mine.against_baseline == replace(fsrs.against_baseline, algorithm="Mine", chance=None)
    assert mine.family == "External"
    assert mine.note == "external"
    assert report.result("SM-2") == evaluate_without_external().report.result("SM-2")
    assert report.verdict == evaluate_without_external().report.verdict


def test_uncovered_reviews_are_counted():
    report = evaluate_with(fsrs_predictions(without=slice(3, 20))).report
    without = evaluate_without_external()
    row = report.result("Mine")
    assert row.log_loss is None
    facts = {"reviews": without.report.scope.reviews, "uncovered": 17, "first": int(without.predictions.review_id[3])}
    assert row.error == Failure("reviews_uncovered", facts)
    assert report.result("FSRS-6") == without.report.result("FSRS-6")


def test_predictions_without_a_scored_review_are_an_error():
    other = ExternalPredictions("Other", review_id=np.array([5]), predicted=np.array([0.5]))
    none = ExternalPredictions("Other", review_id=np.zeros(0, dtype=np.int64), predicted=np.zeros(0))
    for external in (other, none):
        report = evaluate_with(external).report
        facts = report.result("Other").error.facts
        assert facts["reviews"] == facts["uncovered"] == report.scope.reviews


def test_external_row_can_be_the_baseline():
    options = Options(ALGORITHMS, baseline=" mine", external=(fsrs_predictions(),))
    report = evaluate(snapshot("sim-c"), options).report
    assert report.baseline == report.scope.baseline == "Mine"
    assert report.verdict.baseline == "Mine"
    assert report.result("FSRS-6").against_baseline.difference.estimate == 0


@pytest.mark.parametrize("name", ["FSRS-6", "fsrs-6", "default", "Mine", ""])
def test_names_in_use_are_refused(name):
    with pytest.raises(NameTaken):
        Options(ALGORITHMS, external=(ExternalPredictions("mine"), ExternalPredictions(name))).algorithms_to_run()


def test_sections_include_external_rows():
    report = add_sections(evaluate_with(fsrs_predictions()), ["all"], snapshot("sim-c")).report
    assert to_json(report)
    assert "Mine" in {graphs.algorithm for graphs in report.section("graphs")}

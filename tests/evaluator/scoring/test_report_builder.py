from __future__ import annotations

from dataclasses import replace
from typing import Dict, Optional, Tuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from made_logs import learner
from reference_sets import data, evaluation, snapshot

from evaluator.algorithms import CATALOG
from evaluator.evaluation import evaluate
from evaluator.fitting.fit import Fitted
from evaluator.options import Options
from evaluator.report import Report
from evaluator.scoring.evidence import Evidence
from evaluator.scoring.report_builder import ReportBuilder
from evaluator.statistics.paired import realized_difference

NAMES = ("AVG", "SM-2", "FSRS-6")


def fitted(name: str) -> Fitted:
    return Fitted(evaluation("sim-a").predictions.predicted[name], np.zeros((5, 0)), np.ones(5, dtype=bool))


def build_reports(names: Tuple[str, ...], **predictions: Optional[Fitted]) -> Dict[str, Report]:
    """Return the report after each algorithm.

    Args:
        names: the algorithms.
        **predictions: other predictions by name, with underscores for dashes. None makes the algorithm fail.
    """
    log = snapshot("sim-a")
    builder = ReportBuilder(Evidence.of(log, Options(), data("sim-a")), (), names, {})
    reports = {}
    for name in names:
        key = name.replace("-", "_")
        result = predictions[key] if key in predictions else fitted(name)
        if result is None:
            builder.fail(CATALOG[name], "no")
        else:
            builder.add(CATALOG[name], result)
        reports[name] = builder.evaluation().report
    return reports


def test_best_set_is_found_when_the_last_row_has_finished():
    reports = build_reports(NAMES)
    assert [report.best_set for report in reports.values()] == [(), (), ("FSRS-6",)]


def test_in_sample_rows_get_no_star():
    in_sample = replace(fitted("FSRS-6"), in_sample=True)
    report = build_reports(NAMES, FSRS_6=in_sample)["FSRS-6"]
    assert report.results[0].algorithm == "FSRS-6"
    assert report.best in {"SM-2", "AVG"}
    assert "FSRS-6" not in report.best_set


def test_rows_that_cannot_be_distinguished_share_the_star():
    log_loss = evaluation("sim-a").report.result("FSRS-6").log_loss + 0.001
    report = build_reports(NAMES, SM_2=uneven_predictions(log_loss))["FSRS-6"]
    assert report.best_set == ("FSRS-6", "SM-2")


def uneven_predictions(log_loss: float) -> Fitted:
    """Return predictions with this mean log loss, sure and right in the first half of the reviews and unsure later."""
    recalled = evaluation("sim-a").predictions.recalled
    right = np.where(np.arange(len(recalled)) < len(recalled) // 2, 0.9999, np.exp(-2 * log_loss))
    return Fitted.without_parameters(np.where(recalled == 1, right, 1 - right), 5)


def test_no_row_gets_a_star_if_the_average_would():
    assert build_reports(NAMES, AVG=fitted("FSRS-6"))["FSRS-6"].best_set == ()


@given(st.lists(st.tuples(st.floats(0, 3), st.floats(-1, 1)), min_size=2, max_size=5), st.integers(0, 2**32 - 1))
def test_no_starred_row_is_worse_than_the_best(rows, seed):
    random = np.random.default_rng(seed)
    best = fitted("FSRS-6").predicted
    names = ("SM-2", "Anki-SM-2", "FSRS-5", "FSRS-6", "LSTM")[: len(rows)]
    predicted = {
        name: 1 / (1 + np.exp(-(np.log(best / (1 - best)) + shift + noise * random.normal(size=len(best)))))
        for name, (noise, shift) in zip(names, rows, strict=True)
    }
    given_rows = {name.replace("-", "_"): Fitted.without_parameters(value, 5) for name, value in predicted.items()}
    report = build_reports(names, **given_rows)[names[-1]]
    scoring = evaluation("sim-a").evidence.scoring
    for name in report.best_set:
        difference = scoring.loss(predicted[name]) - scoring.loss(predicted[report.best])
        interval = realized_difference(difference, scoring.clusters)
        assert interval.low <= 0 or interval.high <= report.margin


def test_failed_rows_get_no_star():
    assert build_reports(NAMES, AVG=None)["FSRS-6"].best_set == ("FSRS-6",)
    assert build_reports(NAMES, AVG=None, SM_2=None)["FSRS-6"].best_set == ()


def test_requested_metrics_equal_those_of_a_full_report():
    requested = ("rmse_bins", "smece", "mbe")
    full, part = (
        evaluate(learner(), Options(("AVG", "SM-2"), metrics=metrics)).report for metrics in (None, requested)
    )
    for row, other in zip(full.results, part.results, strict=True):
        assert other.metrics == {key: row.metrics[key] for key in requested}
        assert other.log_loss == row.log_loss
        assert other.calibration_line is other.against_baseline is None
    assert full.verdict.rivalry is not None
    assert part.verdict.rivalry is None

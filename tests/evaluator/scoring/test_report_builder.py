from __future__ import annotations

from dataclasses import replace
from typing import Dict, Optional, Tuple

import numpy as np
from made_logs import learner
from reference_sets import data, evaluation, snapshot

from evaluator.algorithms import CATALOG
from evaluator.evaluation import evaluate
from evaluator.fitting.fit import Fitted
from evaluator.options import Options
from evaluator.report import Report
from evaluator.scoring.evidence import Evidence
from evaluator.scoring.report_builder import ReportBuilder

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


def test_best_set_is_found_when_the_last_row_has_finished() -> None:
    reports = build_reports(NAMES)
    assert [report.best_set for report in reports.values()] == [None, None, ("FSRS-6",)]


def test_in_sample_rows_get_no_star() -> None:
    knowing = replace(fitted("FSRS-6"), in_sample=True)
    report = build_reports(NAMES, FSRS_6=knowing)["FSRS-6"]
    assert report.results[0].algorithm == "FSRS-6"
    assert report.best in {"SM-2", "AVG"}
    assert "FSRS-6" not in report.best_set


def test_equal_rows_share_the_star() -> None:
    assert build_reports(NAMES, SM_2=fitted("FSRS-6"))["FSRS-6"].best_set == ("SM-2", "FSRS-6")


def test_worse_row_of_the_pair_gets_no_star() -> None:
    recalled = evaluation("sim-a").predictions.recalled
    right = np.where(recalled == 1, 0.999, 0.001)
    wild = np.where(np.arange(len(right)) < len(right) // 2, right, np.where(recalled == 1, 0.49, 0.51))
    report = build_reports(NAMES, AVG=Fitted.without_parameters(wild, 5))["FSRS-6"]
    assert (report.best, report.verdict.code) == ("AVG", "better")
    assert report.best_set is not None
    assert "SM-2" not in report.best_set


def lucky(log_loss: float) -> Fitted:
    """Return predictions with this mean log loss, sure and right in the first half of the reviews and unsure later."""
    recalled = evaluation("sim-a").predictions.recalled
    right = np.where(np.arange(len(recalled)) < len(recalled) // 2, 0.9999, np.exp(-2 * log_loss))
    return Fitted.without_parameters(np.where(recalled == 1, right, 1 - right), 5)


def test_rows_behind_the_worse_of_the_pair_get_no_star() -> None:
    worse_row = lucky(evaluation("sim-a").report.result("SM-2").log_loss + 0.01)
    report = build_reports(NAMES, AVG=worse_row)["FSRS-6"]
    assert [row.algorithm for row in report.results] == ["FSRS-6", "SM-2", "AVG"]
    assert report.result("AVG").against_baseline.difference.compare_with() == 0
    assert report.best_set == ("FSRS-6",)


def test_rows_below_a_clearly_worse_one_get_no_star() -> None:
    best, recalled = fitted("FSRS-6").predicted, evaluation("sim-a").predictions.recalled
    loss_higher = np.where(recalled == 1, best * np.exp(-0.005), 1 - (1 - best) * np.exp(-0.005))
    worse = Fitted.without_parameters(loss_higher, 5)
    tied = lucky(evaluation("sim-a").report.result("FSRS-6").log_loss + 0.01)
    report = build_reports((*NAMES[:2], "FSRS-6 default", "FSRS-6"), **{"AVG": worse, "FSRS_6 default": tied})["FSRS-6"]
    assert [row.algorithm for row in report.results] == ["FSRS-6", "AVG", "FSRS-6 default", "SM-2"]
    assert report.best_set == ("FSRS-6",)


def test_best_set_needs_reviews_that_decide() -> None:
    """The peers' results alone decide nothing, however clear they are."""
    loss = evaluation("sim-a").report.result("FSRS-6").log_loss
    report = build_reports(NAMES, AVG=lucky(loss - 0.002), SM_2=lucky(loss - 0.001))["FSRS-6"]
    probability = report.verdict.comparisons[0].chance
    assert (report.verdict.code, probability.better > 0.95) == ("cannot_tell", True)
    assert report.best_set is None


def test_best_set_needs_a_better_row_than_ankis_sm_2() -> None:
    loss = evaluation("sim-a").report.result("FSRS-6").log_loss
    names = (*NAMES, "Anki-SM-2")
    report = build_reports(names, Anki_SM_2=lucky(loss + 0.001))["Anki-SM-2"]
    assert report.result("SM-2").against_baseline is not None
    assert report.best_set is None
    assert build_reports(names, Anki_SM_2=fitted("SM-2"))["Anki-SM-2"].best_set == ("FSRS-6",)


def test_failed_rows_get_no_star() -> None:
    assert build_reports(NAMES, AVG=None)["FSRS-6"].best_set == ("FSRS-6",)
    assert build_reports(NAMES, AVG=None, SM_2=None)["FSRS-6"].best_set is None


def test_rare_outcome_leaves_no_best_set() -> None:
    """Only eight of 45 reviews were forgotten, but ten are needed."""
    assert evaluate(learner(cards=30, reviews=2), Options(algorithms=NAMES)).report.best_set is None


def test_requested_metrics_equal_those_of_a_full_report() -> None:
    requested = ("rmse_bins", "smece", "mbe")
    full, part = (
        evaluate(learner(), Options(("AVG", "SM-2"), metrics=metrics)).report for metrics in (None, requested)
    )
    for row, other in zip(full.results, part.results, strict=True):
        assert other.metrics == {key: row.metrics[key] for key in requested}
        assert other.log_loss == row.log_loss
        assert other.calibration_line is other.against_baseline is None
    assert full.verdict.comparisons
    assert not part.verdict.comparisons

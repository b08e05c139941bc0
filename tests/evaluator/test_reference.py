from __future__ import annotations

import numpy as np
import pytest
from reference_sets import (
    SETS,
    SETS_WITH_PREDICTIONS,
    data,
    evaluation,
    reference,
    reference_predictions,
    reference_states_of_fsrs_7,
    snapshot,
)

from evaluator.algorithms import CATALOG
from evaluator.fitting.predictor import predict_tested, states_before
from evaluator.progress import SILENT


@pytest.mark.parametrize("name", SETS)
def test_rows_and_folds_equal_the_benchmarks(name):
    expected = reference(name)
    folds = data(name).folds
    assert len(snapshot(name).revlog) == expected["rows"]
    assert len(data(name).reviews) == expected["scored_rows"]
    assert [[fold.test_start, fold.test_stop - fold.test_start] for fold in folds] == expected["fold_sizes_train_test"]


@pytest.mark.parametrize("name", SETS)
def test_row_accounting_leaves_the_rows_of_the_benchmark(name):
    excluded = {"not_answered", "unknown_button", "cram", "never_learned", "before_relearned_from_new"}
    steps = evaluation(name).report.funnel
    assert sum(step.rows for step in steps if step.step not in excluded) == reference(name)["dataset_rows"]
    assert sum(step.rows for step in steps) == reference(name)["rows"]


@pytest.mark.parametrize("name", SETS_WITH_PREDICTIONS)
def test_table_equals_the_benchmarks_row_by_row(name):
    expected = reference_predictions(name)
    result = evaluation(name).predictions
    tested = data(name).reviews.take(np.arange(len(data(name).reviews)) >= data(name).folds[0].test_start)
    np.testing.assert_array_equal(result.recalled, expected["y"])
    np.testing.assert_array_equal(result.elapsed_days, expected["delta_t"])
    np.testing.assert_array_equal(tested.review_number, expected["i"])
    np.testing.assert_array_equal(result.fold, expected["fold"])


@pytest.mark.parametrize("name", SETS_WITH_PREDICTIONS)
@pytest.mark.parametrize(
    ("algorithm", "column", "tolerance"),
    [
        ("AVG", "p_AVG", 1e-12),
        ("SM-2", "p_SM2", 1e-12),
        # The reference computes FSRS in single precision.
        ("FSRS-5 default", "p_FSRS-5-dry-run", 1e-6),
        ("FSRS-6 default", "p_FSRS-6-default", 1e-6),
    ],
)
def test_predictions_equal_the_benchmarks(name, algorithm, column, tolerance):
    predicted = evaluation(name).predictions.predicted[algorithm]
    np.testing.assert_allclose(predicted, reference_predictions(name)[column], rtol=0, atol=tolerance)


@pytest.mark.parametrize("name", SETS_WITH_PREDICTIONS)
def test_fsrs_7_equals_the_benchmarks_row_by_row(name):
    expected = reference_states_of_fsrs_7(name)
    algorithm = CATALOG["FSRS-7 default"]
    w = np.array([[p.default for p in algorithm.parameters]])
    states = states_before(algorithm, data(name), w, SILENT)
    for column, result in zip(("stability_long", "stability_short", "difficulty"), states, strict=True):
        np.testing.assert_allclose(result, expected[column], rtol=5e-6)
    np.testing.assert_allclose(predict_tested(algorithm, data(name), w), expected["p"], rtol=0, atol=5e-7)

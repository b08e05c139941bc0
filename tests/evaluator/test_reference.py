"""Our numbers against those of the public SRS Benchmark's own code, on simulated logs."""

from __future__ import annotations

import numpy as np
import pytest
from reference_sets import SETS, SETS_WITH_PREDICTIONS, data, evaluation, reference, reference_predictions, snapshot

UNTRAINED = ("AVG", "SM-2", "FSRS-5 default", "FSRS-6 default")
TRAINED = ("FSRS-5", "FSRS-6", "FSRS-6 recency")

#: Our field -> the reference's, and how near it must be.
METRICS = {
    "log_loss": ("log_loss", 1e-6),
    "rmse_bins": ("rmse_bins_page", 1e-6),
    "rmse_bins_benchmark": ("rmse_bins_benchmark", 1e-6),
    "brier": ("brier", 1e-6),
    "auc": ("auc", 1e-3),  # single precision in the reference breaks ties between equal predictions
    "rmse_prediction_bins": ("rmse_bins_old20", 1e-6),
}

#: A trained algorithm may be worse than the reference by this much log loss, on one set and on average.
ROOM, ROOM_SMALL_SET, ROOM_MEAN = 0.004, 0.008, 0.0005


@pytest.mark.parametrize("name", SETS)
def test_rows_and_folds_are_those_of_the_benchmark(name: str) -> None:
    """As many rows in the log, in the data set and in the table, and folds of the same sizes."""
    known = reference(name)
    folds = data(name).folds
    assert len(snapshot(name).revlog) == known["rows"]
    assert len(data(name).reviews) == known["scored_rows"]
    assert [[fold.test_start, fold.test_stop - fold.test_start] for fold in folds] == known["fold_sizes_train_test"]


@pytest.mark.parametrize("name", SETS)
def test_funnel_leaves_the_benchmarks_data_set(name: str) -> None:
    """What the funnel has not left out before the outlier filter and the 128 rows is the benchmark's data set."""
    before = {"not_answered", "unknown_button", "cram", "never_learned", "before_relearned_from_new"}
    steps = evaluation(name).report.funnel
    assert sum(step.rows for step in steps if step.step not in before) == reference(name)["dataset_rows"]
    assert sum(step.rows for step in steps) == reference(name)["rows"]


@pytest.mark.parametrize("name", SETS_WITH_PREDICTIONS)
def test_table_is_the_benchmarks_row_by_row(name: str) -> None:
    """The same reviews in the same order and the same folds, with the same outcome, interval and number."""
    known, found = reference_predictions(name), evaluation(name).predictions
    tested = data(name).reviews.take(np.arange(len(data(name).reviews)) >= data(name).folds[0].test_start)
    np.testing.assert_array_equal(found.recalled, known["y"])
    np.testing.assert_array_equal(found.elapsed_days, known["delta_t"])
    np.testing.assert_array_equal(tested.review_number, known["i"])
    np.testing.assert_array_equal(found.fold, known["fold"])


@pytest.mark.parametrize("name", SETS_WITH_PREDICTIONS)
@pytest.mark.parametrize(
    ("algorithm", "column", "near"),
    [
        ("AVG", "p_AVG", 1e-12),
        ("SM-2", "p_SM2", 1e-12),
        ("FSRS-5 default", "p_FSRS-5-dry-run", 1e-6),  # single precision in the reference
        ("FSRS-6 default", "p_FSRS-6-default", 1e-6),
    ],
)
def test_predictions_are_the_benchmarks(name: str, algorithm: str, column: str, near: float) -> None:
    """Every single probability of the untrained algorithms."""
    found = evaluation(name).predictions.predicted[algorithm]
    np.testing.assert_allclose(found, reference_predictions(name)[column], rtol=0, atol=near)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("algorithm", UNTRAINED)
def test_metrics_of_untrained_algorithms_are_the_benchmarks(name: str, algorithm: str) -> None:
    known, found = reference(name)["results"][algorithm], evaluation(name).report.result(algorithm)
    assert found.size == known["size"]
    for ours, (theirs, near) in METRICS.items():
        assert found.value(ours) == pytest.approx(known[theirs], abs=near, rel=0), ours


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("algorithm", TRAINED)
def test_trained_algorithms_are_no_worse_than_the_benchmarks(name: str, algorithm: str) -> None:
    known, found = reference(name)["results"][algorithm], evaluation(name).report.result(algorithm)
    assert found.size == known["size"]
    assert found.log_loss <= known["log_loss"] + (ROOM if known["size"] > 2000 else ROOM_SMALL_SET)
    assert all(found.converged_per_fold)


@pytest.mark.parametrize("algorithm", TRAINED)
def test_trained_algorithms_are_no_worse_on_average(algorithm: str) -> None:
    losses = [evaluation(name).report.result(algorithm).log_loss or np.nan for name in SETS]
    known = [reference(name)["results"][algorithm]["log_loss"] for name in SETS]
    assert np.mean(np.subtract(losses, known)) <= ROOM_MEAN


@pytest.mark.parametrize("name", ["sim-a", "sim-b"])
def test_training_pays(name: str) -> None:
    """On the larger logs trained parameters predict better than published ones, and both better than the average."""
    loss = {row.algorithm: row.log_loss or np.nan for row in evaluation(name).report.results}
    assert loss["FSRS-6"] < loss["FSRS-6 default"] < loss["AVG"]
    assert loss["FSRS-5"] < loss["FSRS-5 default"]

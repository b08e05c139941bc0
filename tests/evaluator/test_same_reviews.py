from __future__ import annotations

import functools

import numpy as np
import pytest
from catalog_helpers import equipped, ids, optimizer, ready, reference_evaluation
from reference_sets import data, reference

from evaluator.algorithms import CATALOG
from evaluator.algorithms.algorithm import Algorithm
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.scoring.report_builder import Evaluation


@functools.cache
def equipped_evaluation() -> Evaluation:
    """A log with decks, presets and Anki's optimizer: nothing is in any algorithm's way."""
    return evaluate(equipped(), Options(algorithms=tuple(CATALOG), folds=2), optimizer=optimizer())


@pytest.mark.parametrize("algorithm", CATALOG.values(), ids=ids)
def test_each_row_is_of_all_reviews(algorithm: Algorithm) -> None:
    on = ready(equipped())
    tested = on.reviews.take(np.arange(len(on.reviews)) >= on.folds[0].test_start)
    assert len(tested) > 200
    evaluation = equipped_evaluation()
    row = evaluation.report.result(algorithm.name)
    assert row.error is None
    assert row.size == evaluation.report.scope.reviews == len(tested)
    predictions = evaluation.predictions
    np.testing.assert_array_equal(predictions.review_id, tested.review_id)
    np.testing.assert_array_equal(predictions.recalled, tested.recalled)
    assert predictions.predicted[algorithm.name].shape == tested.review_id.shape
    assert row.value("brier") == pytest.approx(np.mean((predictions.predicted[algorithm.name] - tested.recalled) ** 2))


def test_exact_times_are_included() -> None:
    has_exact_times = [name for name, algorithm in CATALOG.items() if algorithm.inputs.fractional]
    assert has_exact_times
    predictions = equipped_evaluation().predictions
    assert (predictions.elapsed_days >= 1).all()
    assert set(has_exact_times) <= set(predictions.predicted)
    on = ready(equipped())
    inputs = CATALOG[has_exact_times[0]].inputs
    assert len(on.training(inputs)[0]) > len(on.training(CATALOG["FSRS-6"].inputs)[0])


def test_all_algorithms_score_the_same_reviews() -> None:
    evaluation = reference_evaluation("sim-c", tuple(CATALOG))
    assert {row.size for row in evaluation.report.results} == {reference("sim-c")["results"]["AVG"]["size"]}
    missing = {row.algorithm for row in evaluation.report.results if row.error is not None}
    assert missing == {"Your parameters", "FSRS-6 preset", "FSRS-7 preset"}
    assert set(evaluation.predictions.predicted) == set(CATALOG) - missing
    for predicted in evaluation.predictions.predicted.values():
        assert len(predicted) == len(data("sim-c").reviews) - data("sim-c").folds[0].test_start
        assert ((predicted >= 0) & (predicted <= 1)).all()

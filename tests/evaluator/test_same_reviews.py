from __future__ import annotations

import functools

import numpy as np
import pytest
from catalog_helpers import dataset_of, ids, optimizer, snapshot_with_presets

from evaluator.algorithms import CATALOG
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.scoring.report_builder import Evaluation


@functools.cache
def evaluation_of_all() -> Evaluation:
    """Evaluate all algorithms on a log with decks, presets and Anki's optimizer, so that none of them fails."""
    return evaluate(snapshot_with_presets(), Options(algorithms=tuple(CATALOG), folds=2), optimizer=optimizer())


@pytest.mark.parametrize("algorithm", CATALOG.values(), ids=ids)
def test_every_algorithm_is_scored_on_all_reviews(algorithm):
    dataset = dataset_of(snapshot_with_presets())
    tested = dataset.reviews.take(np.arange(len(dataset.reviews)) >= dataset.folds[0].test_start)
    assert len(tested) > 200
    evaluation = evaluation_of_all()
    row = evaluation.report.result(algorithm.name)
    assert row.error is None
    assert row.size == evaluation.report.scope.reviews == len(tested)
    predictions = evaluation.predictions
    np.testing.assert_array_equal(predictions.review_id, tested.review_id)
    np.testing.assert_array_equal(predictions.recalled, tested.recalled)
    assert predictions.predicted[algorithm.name].shape == tested.review_id.shape
    assert row.value("brier") == pytest.approx(np.mean((predictions.predicted[algorithm.name] - tested.recalled) ** 2))

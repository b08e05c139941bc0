from __future__ import annotations

import numpy as np
import pytest
from made_logs import six_reviews
from reference_sets import data, evaluation

from evaluator.evaluation import evaluate
from evaluator.metrics import METRICS
from evaluator.metrics.scores import log_loss_per_review
from evaluator.metrics.skill import running_average
from evaluator.options import Options
from evaluator.scoring.context import ScoredPredictions, ScoringContext


def test_squares_of_floor_and_excess_add_up():
    """The excess is 0 if the value is below the floor."""
    for row in evaluation("sim-a").report.results:
        value, floor, excess = (row.value("rmse_bins_benchmark" + end) for end in ("", "_floor", "_excess"))
        assert 0 < floor < 0.1
        assert excess == pytest.approx(max(0.0, value**2 - floor**2) ** 0.5)


def test_running_average_has_no_skill():
    """The average is also over the reviews before the first fold."""
    reviews = data("sim-a").reviews
    start = data("sim-a").folds[0].test_start
    tested = reviews.take(slice(start, None))
    before = reviews.take(slice(start))
    average = running_average(tested.recalled, before.recalled)
    result = ScoredPredictions(average, ScoringContext(tested, before, has_peers=False))
    assert METRICS["skill_average"].compute(result) == 0
    assert result.log_loss == log_loss_per_review(average, tested.recalled).mean()


def test_skill_matches_hand_calculation():
    row = evaluate(six_reviews(), Options(algorithms=("SM-2",))).report.result("SM-2")
    # One review was recalled before the outcomes 1, 1, 0, 1, 0. The average is (k + 1/2) / (N + 1).
    reference = -np.log([1.5 / 2, 2.5 / 3, 1 - 3.5 / 4, 3.5 / 5, 1 - 4.5 / 6]).mean()
    assert row.value("skill_average") == pytest.approx(1 - row.log_loss / reference)  # type: ignore[operator]
    # All intervals are one day. The average of their class is (k + average of all) / (N + 1).
    reference = -np.log([1.75 / 2, (2 + 5 / 6) / 3, 1 - 3.875 / 4, 3.7 / 5, 1 - 4.75 / 6]).mean()
    assert row.value("skill_interval_average") == pytest.approx(1 - row.log_loss / reference)  # type: ignore[operator]


def test_old_rmse_is_over_groups_of_equal_width():
    """The prediction 0.51 of a recalled review and 0.54 of a forgotten one fall into one group."""
    reviews = data("sim-a").reviews
    start = int(np.flatnonzero((reviews.recalled[:-1] == 1) & (reviews.recalled[1:] == 0))[0])
    context = ScoringContext(reviews.take(slice(start, start + 2)), reviews.take(slice(0)), has_peers=False)
    result = ScoredPredictions(np.array([0.51, 0.54]), context)
    assert METRICS["rmse_prediction_bins"].compute(result) == pytest.approx(0.525 - 0.5)

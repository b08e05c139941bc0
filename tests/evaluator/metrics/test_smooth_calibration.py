from __future__ import annotations

from math import erf, sqrt

import numpy as np
import pytest
from reference_sets import reference_predictions

from evaluator.metrics.smooth_calibration import smooth_calibration_error

#: Errors of the reference's predictions, computed with relplot 1.0.3.
PUBLISHED = {
    ("sim-a", "p_AVG"): 0.0067806848,
    ("sim-a", "p_SM2"): 0.1247223314,
    ("sim-a", "p_FSRS-6-default"): 0.0169925252,
    ("sim-c", "p_AVG"): 0.0151676318,
    ("sim-c", "p_SM2"): 0.0571385167,
    ("sim-c", "p_FSRS-6-default"): 0.0200358424,
}


@pytest.mark.parametrize(("log", "column"), PUBLISHED)
def test_error_matches_relplot(log, column):
    columns = reference_predictions(log)
    value = smooth_calibration_error(columns[column], columns[column] - columns["y"])
    assert value == pytest.approx(PUBLISHED[log, column], abs=1e-9)


@pytest.mark.parametrize("count", [1, 1000])
def test_constant_prediction_has_its_own_error(count):
    """The prediction is 0.75 and the recall 0.5. The smoothing width does not matter."""
    predicted = np.full(2 * count, 0.75)
    difference = predicted - np.tile([0, 1], count)
    assert smooth_calibration_error(predicted, difference) == pytest.approx(0.25, abs=0.0002)


def test_nearby_errors_in_opposite_directions_cancel():
    """Errors of a at 0.5 - h and -a at 0.5 + h have the smooth error a erf(h / (s sqrt 2)) at the smoothing width s.

    The width is chosen so that it equals the error. As h is a quarter of it here, a = s / erf(0.25 / sqrt 2). The
    reflections at 0 and 1 are far away.
    """
    width = 0.04
    count = 500
    off = width / erf(0.25 / sqrt(2))
    predicted = np.repeat([0.5 - 0.25 * width, 0.5 + 0.25 * width], count)
    difference = np.repeat([off, -off], count)
    assert smooth_calibration_error(predicted, difference) == pytest.approx(width, abs=0.0002)


def test_order_and_direction_do_not_matter():
    random = np.random.default_rng(5)
    predicted = random.beta(8, 1, 700)
    difference = predicted - (random.random(700) < predicted**2)
    order = random.permutation(700)
    value = smooth_calibration_error(predicted, difference)
    assert smooth_calibration_error(predicted[order], difference[order]) == pytest.approx(value, abs=1e-12)
    assert smooth_calibration_error(predicted, -difference) == pytest.approx(value, abs=1e-12)


def test_error_of_certain_predictions_is_0_or_1():
    predicted = np.tile([0.0, 1.0], 200)
    assert smooth_calibration_error(predicted, np.zeros(400)) == 0
    assert smooth_calibration_error(np.ones(400), np.ones(400)) == pytest.approx(1, abs=0.001)

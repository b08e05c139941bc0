from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Optional

import numpy as np
import pytest
from reference_sets import evaluation, reference_predictions

from evaluator.data.revlog import Ints
from evaluator.derivatives import Floats
from evaluator.metrics import METRICS

#: Precision and recall at 90%, and mean bias error, of the reference's predictions.
PUBLISHED = {
    ("sim-a", "p_SM2"): (0.8699186992, 0.3200717918, -0.1209222507),
    ("sim-a", "p_FSRS-6-default"): (0.9147869674, 0.2183667365, -0.0130941356),
    ("sim-c", "p_AVG"): (0.8409090909, 0.1922077922, 0.0054708055),
    ("sim-c", "p_SM2"): (0.8778625954, 0.5974025974, 0.0021131267),
    ("sim-c", "p_FSRS-6-default"): (0.9230769231, 0.6233766234, 0.0106620156),
}


def precision(predicted: Floats, recalled: Ints) -> Optional[float]:
    return METRICS["precision_90"].compute(scored(predicted, recalled))


def recall(predicted: Floats, recalled: Ints) -> Optional[float]:
    return METRICS["recall_90"].compute(scored(predicted, recalled))


def scored(predicted: Floats, recalled: Ints) -> Any:
    """Return what these metrics read of scored predictions."""
    return SimpleNamespace(predicted=predicted, recalled=recalled)


def test_ratios_match_hand_calculation():
    predicted = np.array([0.9, 0.95, 1.0, 0.8999, 0.2])
    recalled = np.array([1, 0, 1, 1, 0])
    assert (precision(predicted, recalled), recall(predicted, recalled)) == (2 / 3, 2 / 3)


def test_undefined_ratios_are_none():
    low, high = np.array([0.5, 0.6]), np.array([0.95, 0.96])
    assert (precision(low, np.array([1, 1])), recall(low, np.array([1, 1]))) == (None, 0)
    assert (precision(high, np.array([0, 0])), recall(high, np.array([0, 0]))) == (0, None)


@pytest.mark.parametrize(("log", "column"), PUBLISHED)
def test_numbers_match_the_benchmark(log, column):
    reference = reference_predictions(log)
    predicted = reference[column]
    recalled = reference["y"].astype(np.int64)
    result = precision(predicted, recalled), recall(predicted, recalled), (predicted - recalled).mean()
    assert result == pytest.approx(PUBLISHED[log, column], abs=1e-9)


def test_report_has_the_values():
    report = evaluation("sim-a").report
    assert (report.result("AVG").value("precision_90"), report.result("AVG").value("recall_90")) == (None, 0)
    assert report.result("SM-2").value("mbe") == pytest.approx(-0.1209222507, abs=1e-6)

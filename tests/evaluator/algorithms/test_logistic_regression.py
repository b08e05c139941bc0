"""Compare predictions of logistic regression with hand calculations.

All features are compared with the benchmark's own code in ``test_reference_catalog.py``.
"""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from catalog_helpers import fittable, predict_answers
from made_logs import LEARN, Answer

from evaluator.algorithms.logistic_regression import DEVIATIONS, MEANS


def test_days_are_those_of_the_calendar():
    """A second answer after an hour counts otherwise if it is on the next day."""
    # Half an hour before the day ends.
    late = 16 * 60 - 30
    on_one_day = [Answer(1, 0, 3, LEARN, minute=late - 100), Answer(1, 0, 3, minute=late - 40), Answer(1, 9)]
    on_two_days = [Answer(1, 0, 3, LEARN, minute=late), Answer(1, 1, 3, minute=late + 60 - 24 * 60), Answer(1, 9)]
    first, second = (
        predict_answers("Logistic Regression default", answers)[-1] for answers in (on_one_day, on_two_days)
    )
    assert first != pytest.approx(second, abs=1e-3)


def test_first_prediction_matches_hand_calculation():
    """Predict 3 days after a first Good, when only the first rating and the elapsed time matter."""
    by_time = MEANS[0] + MEANS[2] + MEANS[5]
    # These features are for Good, for a first Good (two features) and for a pass.
    shift = MEANS[11] + MEANS[14] + MEANS[17] + MEANS[25] + MEANS[33]
    # There is no earlier interval and no time since the first review.
    no_time = (log(1e-5) + 1.3) / 5
    shift += no_time * (MEANS[21] + MEANS[26] + MEANS[28])
    # The first answer counts as one answer on the previous day of study.
    shift += MEANS[31] * log(2)
    days = 3 + 1 / 1440
    logit = by_time * (log(days + 1e-5) + 1.3) / 5 + shift
    answers = [Answer(1, 0, 3, LEARN), Answer(1, 3, 3, minute=1)]
    assert predict_answers("Logistic Regression default", answers) == pytest.approx([1 / (1 + exp(-logit))], rel=1e-9)


def test_prior_widths_are_three_deviations():
    widths = [p.width for p in fittable("Logistic Regression").parameters]
    np.testing.assert_allclose(np.divide(widths, DEVIATIONS), 3.0)

from __future__ import annotations

from itertools import pairwise
from typing import List, Tuple

import numpy as np
import pytest
from catalog_helpers import central_differences, defaults, fittable
from reference_sets import data

from evaluator.fitting.fit import fit_and_predict

ALGORITHM = fittable("FSRS-7 sched. penalties")


def penalty(w: np.ndarray) -> Tuple[float, np.ndarray]:
    """Return the penalty and its gradient."""
    return ALGORITHM.penalty(w)


def with_changes(**values: float) -> np.ndarray:
    """Return the published parameters with some changed, such as ``w23=0.2``."""
    w = np.array(defaults(ALGORITHM))
    for name, value in values.items():
        w[int(name[1:])] = value
    return w


def test_penalty_of_the_published_parameters_equals_that_of_fsrs_rs():
    """The number is from the test of FSRS-rs, which has the parameters in single precision."""
    w = np.array(defaults(ALGORITHM), dtype=np.float32).astype(np.float64)
    assert penalty(w)[0] == pytest.approx(14.998915973553904, rel=1e-12)


def intervals(w: np.ndarray, target: float) -> List[float]:
    """Return ten intervals of a card that is answered Good when its recall has fallen to the target, by bisection."""
    good = np.array([3])
    state = ALGORITHM.first(list(w), good)
    result = []
    for _ in range(10):
        low, high = 1 / 86_400, 36_500.0
        for _ in range(100):
            middle = np.array([np.sqrt(low * high)])
            # Predictions are squeezed into 1e-5 to 1 - 1e-5.
            recall = (ALGORITHM.recall(list(w), state, middle)[0] - 1e-5) / (1 - 2e-5)
            low, high = (middle[0], high) if recall > target else (low, middle[0])
        result.append(low)
        state = ALGORITHM.step(list(w), state, np.array([low]), good)
    return result


def test_penalty_follows_from_the_intervals():
    """The penalty has two terms.

    They are half the square of the largest growth of an interval of at least a day, and 0.0015 (1/x - 144), where x is
    the mean of the intervals within a day.
    """
    w = with_changes(w0=0.01, w1=0.02, w2=0.03, w3=0.04)
    long, short = intervals(w, 0.9), intervals(w, 0.99)
    growth = max(following / interval for interval, following in pairwise(long) if interval >= 1)
    within_a_day = [days for days in short if days < 1]
    expected = 0.5 * growth**2 + 0.0015 * (max(1 / np.mean(within_a_day), 144) - 144)
    assert 1 / np.mean(within_a_day) > 144
    assert penalty(w)[0] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    "w", [with_changes(), with_changes(w0=0.01, w1=0.02, w2=0.03, w3=0.04), with_changes(w7=3.0, w25=0.6, w32=0.1)]
)
def test_gradient_matches_finite_differences(w):
    _, gradient = penalty(w)
    expected = np.array(central_differences(lambda at: penalty(at)[0], w))
    np.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-5 * np.abs(expected).max())


def test_intervals_within_a_day_have_no_growth_penalty():
    w = with_changes(w7=0.0, w15=0.0, w2=1e-4, w1=1e-4, w0=1e-4)
    assert max(intervals(w, 0.9)) < 1
    short = [days for days in intervals(w, 0.99) if days < 1]
    assert penalty(w)[0] == pytest.approx(0.0015 * (1 / np.mean(short) - 144), rel=1e-4)


def test_training_with_the_penalty_halves_it():
    with_penalty = fit_and_predict(ALGORITHM, data("sim-c"))
    without_penalty = fit_and_predict(fittable("FSRS-7"), data("sim-c"))
    assert sum(penalty(w)[0] for w in with_penalty.parameters) < 0.5 * sum(
        penalty(w)[0] for w in without_penalty.parameters
    )

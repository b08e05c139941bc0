"""P-values of Student's t, and several of them at once."""

from __future__ import annotations

from typing import List

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluator.statistics.student_t import holm, student_t_p_value, student_t_quantile


@pytest.mark.parametrize("degrees", [1, 1.3, 2.5, 5.99, 9, 10, 39, 333.3, 20_000, 100_000])
@pytest.mark.parametrize("probability", [0.5001, 0.6, 0.8, 0.975, 0.995, 1 - 1e-6])
def test_agrees_with_scipy(probability: float, degrees: float) -> None:
    """To 1e-9, for fractions of degrees, too."""
    t = student_t_quantile(probability, degrees)
    assert t == pytest.approx(stats.t.ppf(probability, degrees), rel=1e-9)
    assert student_t_quantile(1 - probability, degrees) == pytest.approx(-t, rel=1e-9)
    for x in (0.01, 0.7, 2.0, 12.0, 40.0):
        assert student_t_p_value(x, degrees) == pytest.approx(2 * stats.t.sf(x, degrees), rel=1e-9)


def test_ends() -> None:
    """1 at 0, 0 at infinity; no degrees are refused."""
    assert student_t_p_value(0.0, 39) == 1
    assert student_t_p_value(float("inf"), 39) == pytest.approx(0, abs=1e-15)
    with pytest.raises(ValueError, match="0 degrees of freedom; at least 1 is needed"):
        student_t_p_value(1.0, 0)


def test_holm_by_hand() -> None:
    """0.01 * 4, 0.02 * 3, 0.03 * 2 which is not less than 0.06, and 0.9 * 1."""
    assert holm([0.03, 0.9, 0.01, 0.02]) == pytest.approx([0.06, 0.9, 0.04, 0.06])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_keeps_the_order(p_values: List[float]) -> None:
    adjusted = holm(p_values)
    for p, a in zip(p_values, adjusted, strict=True):
        assert p <= a <= 1
    assert [adjusted[k] for k in np.argsort(p_values, kind="stable")] == sorted(adjusted)


def test_holm_holds_its_promise() -> None:
    """Of ten uniform p-values one is below 0.05 after the adjustment in 5 % of cases."""
    random = np.random.default_rng(3)
    wrong = sum(min(holm(random.random(10).tolist())) < 0.05 for _ in range(40_000))
    assert wrong / 40_000 == pytest.approx(1 - (1 - 0.05 / 10) ** 10, abs=0.005)

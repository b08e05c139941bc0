from __future__ import annotations

import pytest
from scipy import stats

from evaluator.statistics.student_t import student_t_p_value, student_t_quantile


@pytest.mark.parametrize("degrees", [1, 1.3, 2.5, 5.99, 9, 10, 39, 333.3, 20_000, 100_000])
@pytest.mark.parametrize("probability", [0.5001, 0.6, 0.8, 0.975, 0.995, 1 - 1e-6])
def test_agrees_with_scipy(probability: float, degrees: float) -> None:
    assert student_t_quantile(probability, degrees) == pytest.approx(stats.t.ppf(probability, degrees), rel=1e-9)
    for x in (0.01, 0.7, 2.0, 12.0, 40.0):
        assert student_t_p_value(x, degrees) == pytest.approx(2 * stats.t.sf(x, degrees), rel=1e-9)

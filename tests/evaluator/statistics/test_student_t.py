from __future__ import annotations

import pytest
from scipy import stats

from evaluator.statistics.student_t import student_t_quantile


@pytest.mark.parametrize("degrees", [1, 1.3, 2.5, 5.99, 9, 10, 39, 333.3, 20_000, 100_000])
def test_quantile_agrees_with_scipy(degrees):
    assert student_t_quantile(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=1e-9)

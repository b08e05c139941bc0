"""The signed-rank test against SciPy's, by hand, and where SciPy's p-value is 0."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tools.summarise.wilcoxon import log_two_sided, signed_ranks


def test_by_hand() -> None:
    """Ranks 1 to 3, of which 2 is below 0: sums of 4 and 2. Of 8 ways to give signs 3 have a sum of at most 2."""
    found = signed_ranks(np.array([0.1, -0.2, 0.3]))
    assert found.n == 3
    assert found.rank_biserial == pytest.approx((4 - 2) / 6)
    assert found.effect == pytest.approx((3 - 2) / sqrt(3 * 4 * 7 / 24) / sqrt(3))
    assert found.log_p == pytest.approx(log(2 * 3 / 8))


@pytest.mark.parametrize("n", [1, 5, 20, 50])
def test_few_are_exact_as_scipy(n: int) -> None:
    differences = np.random.default_rng(n).normal(0.2, 1, n)
    theirs = stats.wilcoxon(differences, method="exact")
    assert signed_ranks(differences).log_p == pytest.approx(log(theirs.pvalue), abs=1e-12)


@pytest.mark.parametrize("decimals", [1, 2, 12])
@pytest.mark.parametrize("n", [60, 400])
def test_many_and_tied_as_scipy(n: int, decimals: int) -> None:
    differences = np.round(np.random.default_rng(n).normal(0.2, 1, n), decimals)
    theirs = stats.wilcoxon(differences, method="asymptotic")
    found = signed_ranks(differences)
    assert found.log_p == pytest.approx(log(theirs.pvalue), rel=1e-10)
    assert found.effect == pytest.approx(abs(theirs.zstatistic) / sqrt(found.n))


@pytest.mark.parametrize("z", [0.0, 0.5, 3.0, 11.999, 12.0, 12.001, 30.0, 38.0, 87.0, 1e4])
def test_far_tail(z: float) -> None:
    """Beyond 38 the p-value itself is 0 in floating point."""
    assert log_two_sided(z) == log_two_sided(-z) == pytest.approx(log(2) + stats.norm.logsf(z), rel=1e-13, abs=1e-15)


def test_ten_thousand_collections() -> None:
    """One algorithm wins on all of them: z = -sqrt(3 n (n + 1) / (2 (2 n + 1))), some 87; r = 0.87."""
    found = signed_ranks(np.linspace(0.001, 0.1, 10_000))
    z = sqrt(3 * 10_000 * 10_001 / (2 * 20_001))
    assert found.effect == pytest.approx(z / 100, rel=1e-9)
    assert found.rank_biserial == 1
    assert found.log_p == pytest.approx(log(2) + stats.norm.logsf(z), rel=1e-9)
    assert -3800 < found.log_p < -3700


def test_nothing_differs() -> None:
    found = signed_ranks(np.zeros(5))
    assert (found.n, found.effect, found.rank_biserial, found.log_p) == (0, 0, 0, 0)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=80))
def test_mirrored(differences: list[float]) -> None:
    """Swapped algorithms have the opposite effect and the same p-value."""
    one, other = signed_ranks(np.array(differences)), signed_ranks(-np.array(differences))
    assert one.effect == -other.effect
    assert one.rank_biserial == -other.rank_biserial
    assert one.log_p == other.log_p <= 0

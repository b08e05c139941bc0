from __future__ import annotations

from itertools import product
from math import erfc, log, pi, sqrt

import numpy as np
import pytest

from tools.summarize.pairs import signed_ranks


def _rank_sums(differences: np.ndarray) -> tuple[float, float, float]:
    """Return the sums of the ranks of differences above and below 0, and the variance of each, by definition."""
    sizes = [abs(difference) for difference in differences if difference != 0]
    above = below = 0.0
    for difference in differences[differences != 0]:
        rank = sum(size < abs(difference) for size in sizes) + (sum(size == abs(difference) for size in sizes) + 1) / 2
        above += rank * (difference > 0)
        below += rank * (difference < 0)
    n = len(sizes)
    of_ties = sum(sizes.count(size) ** 3 - sizes.count(size) for size in set(sizes)) / 48
    return above, below, n * (n + 1) * (2 * n + 1) / 24 - of_ties


@pytest.mark.parametrize("zeros", [0, 3])
@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_p_values_of_few_pairs_are_exact(n, zeros):
    differences = np.append(np.random.default_rng(n).normal(0.2, 1, n), np.zeros(zeros))
    above, below, _ = _rank_sums(differences)
    possible = [sum(rank * sign for rank, sign in enumerate(signs, 1)) for signs in product((-1, 1), repeat=n)]
    share = sum(abs(difference) >= abs(above - below) for difference in possible) / len(possible)
    assert signed_ranks(differences).log_p == pytest.approx(log(share), abs=1e-12)


@pytest.mark.parametrize(
    ("n", "decimals"), [(n, decimals) for n in (8, 13, 14, 40, 60, 400) for decimals in (0, 1, 2, 12)]
)
def test_p_values_of_many_or_tied_pairs_match_hand_calculation(n, decimals):
    """Compare with z, from the sums of ranks, and with p = erfc(|z| / sqrt(2)), unless p is exact."""
    differences = np.round(np.random.default_rng(n).normal(0.2, 1, n), decimals)
    above, below, variance = _rank_sums(differences)
    result = signed_ranks(differences)
    z = (above - below) / 2 / sqrt(variance)
    sizes = np.abs(differences[differences != 0])
    assert result.effect == pytest.approx(z / sqrt(len(sizes)), rel=1e-12)
    if len(sizes) > 50 or len(set(sizes)) < len(sizes):
        assert result.log_p == pytest.approx(log(erfc(abs(z) / sqrt(2))), rel=1e-10)


def test_p_value_below_the_smallest_float_matches_the_formula():
    result = signed_ranks(np.linspace(0.001, 0.1, 10_000))
    z = sqrt(3 * 10_000 * 10_001 / (2 * 20_001))
    assert result.effect == pytest.approx(z / 100, rel=1e-9)
    # That far out erfc(x) is exp(-x^2) / (x sqrt(pi)) (1 - 1 / (2 x^2) + ...), with x = z / sqrt(2).
    assert result.log_p == pytest.approx(-z * z / 2 - log(z * sqrt(pi / 2)) + log(1 - 1 / z**2), rel=1e-9)
    assert result.log_p < -3700, "exp of this is 0"


def test_effect_is_0_without_a_difference():
    result = signed_ranks(np.zeros(5))
    assert (result.effect, result.log_p) == (0, 0)

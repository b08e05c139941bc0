from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from tools.summarize import bca


def _values_and_weights(n: int, k: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return k values of n collections (n, k), and weights by reviews and equal weights (n, 2)."""
    random = np.random.default_rng(seed)
    reviews = random.lognormal(6, 1.2, n)
    return random.lognormal(-1, 0.4, (n, k)), np.stack([reviews, np.ones(n)], axis=1)


def _mean(values: np.ndarray, weights: np.ndarray, axis: int) -> np.ndarray:
    return (values * weights).sum(axis) / weights.sum(axis)


@pytest.mark.parametrize("n", [20, 151])
def test_intervals_match_scipy(n):
    values, weights = _values_and_weights(n, 3, seed=n)
    low, high = bca.intervals(values, weights)
    options = {"paired": True, "vectorized": True, "n_resamples": bca.RESAMPLES, "confidence_level": bca.CONFIDENCE}
    for w, k in product(range(2), range(3)):
        random = np.random.default_rng(bca.SEED)
        theirs = stats.bootstrap((values[:, k], weights[:, w]), _mean, **options, method="BCa", rng=random)
        expected = theirs.confidence_interval
        assert (low[w, k], high[w, k]) == pytest.approx((expected.low, expected.high), rel=1e-9)


def test_parts_give_the_same_intervals(monkeypatch):
    values, weights = _values_and_weights(33, 2, seed=1)
    whole = bca.intervals(values, weights)
    monkeypatch.setattr(bca, "_DRAWN_AT_ONCE", 33 * 7)
    parts = bca.intervals(values, weights)
    np.testing.assert_allclose(parts, whole, rtol=1e-12)


def test_equal_values_have_an_empty_interval():
    low, high = bca.intervals(np.full((30, 1), 0.7), np.arange(1.0, 31)[:, None])
    assert low.tolist() == high.tolist() == [[pytest.approx(0.7)]]

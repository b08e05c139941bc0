"""Bias-corrected and accelerated bootstrap intervals of means over collections."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from tools.summarise.results import Floats

CONFIDENCE = 0.99
RESAMPLES = 9_999  #: as many as the published tables rest on
SEED = 2023  #: named in every summary
#: With fewer collections the interval is too short by far: see the test of its coverage.
MIN_COLLECTIONS = 20

#: Numbers drawn at a time: what there is of a resample never needs more than some tens of megabytes.
_AT_ONCE = 5_000_000

_NORMAL = NormalDist()


def weighted_means(values: Floats, weights: Floats) -> Floats:
    """(w, k): the mean of each column of ``values`` (n, k) with each column of ``weights`` (n, w)."""
    means: Floats = weights.T @ values / weights.sum(axis=0)[:, None]
    return means


def intervals(
    values: Floats,
    weights: Floats,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[Floats, Floats]:
    """Lower and upper limits (w, k) of :func:`weighted_means`, all from the same resamples of the n collections.

    A collection is drawn together with its weight and all of its values. Resamples are drawn as
    ``scipy.stats.bootstrap`` draws them from a generator with the same seed, so its intervals are the same. A column in
    which all values are equal has the interval of that one point.

    Reference: Efron (1987), Better bootstrap confidence intervals, J. Am. Stat. Assoc. 82:171. Raises ValueError for
    fewer than two collections.
    """
    if len(values) < 2:
        raise ValueError(f"{len(values)} collections; at least two are needed")
    means = weighted_means(values, weights)
    drawn = _resampled(values, weights, resamples=resamples, seed=seed)
    below = ((drawn < means).mean(axis=0) + (drawn <= means).mean(axis=0)) / 2
    # Where all draws lie on one side, half a draw is taken to lie on the other.
    bias = _normal_quantile(np.clip(below, 0.5 / resamples, 1 - 0.5 / resamples))
    acceleration = _acceleration(values, weights)
    limits = []
    for tail in ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2):
        z = bias + _NORMAL.inv_cdf(tail)
        limits.append(_quantiles(drawn, _normal_cdf(bias + z / (1 - acceleration * z))))
    constant = (values == values[0]).all(axis=0)
    low, high = (np.where(constant, means, limit) for limit in limits)
    return low, high


def _resampled(values: Floats, weights: Floats, *, resamples: int, seed: int) -> Floats:
    """Means in each resample: (resamples, w, k)."""
    n, k = values.shape
    w = weights.shape[1]
    columns = np.concatenate([(weights[:, :, None] * values[:, None, :]).reshape(n, w * k), weights], axis=1)
    random = np.random.default_rng(seed)
    drawn = np.empty((resamples, w, k))
    at_once = max(1, _AT_ONCE // n)
    for start in range(0, resamples, at_once):
        count = min(at_once, resamples - start)
        place = random.integers(0, n, size=(count, n))
        place += np.arange(count)[:, None] * n
        times = np.bincount(place.ravel(), minlength=count * n).reshape(count, n)
        sums = times.astype(np.float64) @ columns
        drawn[start : start + count] = sums[:, : w * k].reshape(count, w, k) / sums[:, w * k :, None]
    return drawn


def _acceleration(values: Floats, weights: Floats) -> Floats:
    """A sixth of the skewness of leave-one-out means (w, k); 0 where they do not differ."""
    found = []
    for weight in weights.T[:, :, None]:
        left_out = ((weight * values).sum(axis=0) - weight * values) / (weight.sum() - weight)
        deviation = left_out.mean(axis=0) - left_out
        spread = (deviation**2).sum(axis=0) ** 1.5
        cubes = (deviation**3).sum(axis=0)
        found.append(np.divide(cubes, 6 * spread, out=np.zeros_like(cubes), where=spread > 0))
    return np.array(found)


def _quantiles(drawn: Floats, share: Floats) -> Floats:
    """A quantile of each column of draws (r, w, k), interpolated as NumPy does by default."""
    ordered = np.sort(drawn, axis=0)
    place = share * (len(drawn) - 1)
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, len(drawn) - 1)
    low, high = (np.take_along_axis(ordered, index[None], axis=0)[0] for index in (below, above))
    return np.asarray(low + (high - low) * (place - below))


def _normal_quantile(share: Floats) -> Floats:
    return np.asarray(np.vectorize(_NORMAL.inv_cdf, otypes=[np.float64])(share))


def _normal_cdf(z: Floats) -> Floats:
    return np.asarray(np.vectorize(_NORMAL.cdf, otypes=[np.float64])(z))

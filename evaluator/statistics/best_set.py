"""Which of many algorithms cannot be told from the best: the model confidence set.

Comparing each algorithm with the one that happens to have the lowest loss would call too much a difference, for the
lowest of many is low by luck too. The model confidence set asks instead whether all of a set could be equally good; if
not, the one that looks worst leaves, and so on until they could.

Reference: Hansen, Lunde & Nason (2011), The model confidence set, Econometrica 79:453, doi 10.3982/ECTA5771.
"""

from __future__ import annotations

from typing import Optional, Tuple

import numpy as np
import numpy.typing as npt

from ..interval import CONFIDENCE
from .paired import Clusters, degrees_of_freedom, p_value, parts_of_variance

Floats = npt.NDArray[np.float64]

#: Where neither a difference of log loss nor its standard error reaches this, the two are the same algorithm but for
#: rounding, as where predictions were written to a file with nine digits and read again.
ROUNDING = 1e-6


def best_set(losses: Floats, clusters: Clusters) -> Optional[Tuple[int, ...]]:
    """The model confidence set of K algorithms, from their losses (K, n) on the same n reviews.

    The members are rows of ``losses``, from the lowest mean to the highest; the lowest is always a member.
    None where a paired interval has too few cards or days, or too few reviews of the rarer outcome.

    With a probability of :data:`CONFIDENCE` or more, all algorithms whose true mean loss is the lowest are in the set,
    however many they are and although the same reviews serve to choose and to judge. An algorithm outside of it is
    worse than one inside; two inside may still differ.

    A set of k algorithms could be equally good unless the smallest p-value of its k (k - 1) / 2 pairs, times their
    number, is below 1 - :data:`CONFIDENCE`; else the one that looks worst in that pair leaves. An algorithm's p-value
    is the largest of those of all sets from the first to that in which it left, and 1 for the last. (This is the
    paper's rule of elimination for its T_R.) The p-value of a pair is that of :func:`paired_difference`, by cards and
    by time that drifts, with its degrees of freedom and its skewness. So for K = 2 the set is the verdict of the paired
    interval.

    The paper resamples the reviews to learn how small the smallest p-value of equally good algorithms is. Multiplying
    by the number of pairs (Bonferroni) needs no draws, and holds however the pairs depend on each other: through the
    cards and the drift that they share nothing is known of that. With few degrees of freedom it costs next to nothing:
    at 6, of as many independent means, the t above which one is told apart is 1 % lower in truth with 40 algorithms,
    and 2 % lower with 10; at 60 degrees 2 and 4 %.

    An algorithm and a copy of it, be it rounded (:data:`ROUNDING`), are both in or both out. Losses may be of any
    proper score; for log loss, predictions are clipped at :data:`evaluator.metrics.scores.CLIP`.

    Raises ValueError for fewer than two algorithms, no reviews, or losses that are not finite.
    """
    p = p_values(losses, clusters)
    if p is None:
        return None
    return tuple(int(i) for i in np.argsort(losses.mean(axis=1), kind="stable") if p[i] >= 1 - CONFIDENCE)


def p_values(losses: Floats, clusters: Clusters) -> Optional[Floats]:
    """The p-value of each algorithm (K,); those at or above 1 - :data:`CONFIDENCE` are in :func:`best_set`."""
    _check(losses, clusters)
    if clusters.lacking is not None:
        return None
    means = losses.mean(axis=1)
    of_pairs, copies = _of_pairs(losses, means, clusters)
    p = np.ones(len(means))
    left, largest = list(range(len(means))), 0.0
    while len(left) > 1:
        smallest = of_pairs[np.ix_(left, left)].min(axis=1)
        # Of equals the last leaves, so that the lowest mean, and the first of equal ones, stays longest.
        leaves = len(left) - 1 - int(smallest[::-1].argmin())
        largest = max(largest, min(1.0, len(left) * (len(left) - 1) / 2 * float(smallest[leaves])))
        p[left.pop(leaves)] = largest
    of_copies: Floats = np.where(copies, p, 0).max(axis=1)
    return of_copies


def _check(losses: Floats, clusters: Clusters) -> None:
    algorithms, reviews = losses.shape
    if algorithms < 2 or not reviews:
        raise ValueError(f"{algorithms} algorithms on {reviews} reviews; at least two on one are needed")
    if len(clusters.card) != reviews:
        raise ValueError(f"losses of {reviews} reviews, clusters of {len(clusters.card)}")
    if not np.isfinite(losses).all():
        raise ValueError("a loss is not finite")


def _of_pairs(losses: Floats, means: Floats, clusters: Clusters) -> Tuple[Floats, npt.NDArray[np.bool_]]:
    """p_ij (K, K), of i being no worse than j: 1 where its mean is no larger; and which are copies of each other.

    What all algorithms have in common is taken out first. It leaves the differences as they are, and a small one would
    drown in the rounding of large sums.
    """
    deviations = losses - means[:, None]
    deviations -= deviations.mean(axis=0)
    parts = parts_of_variance(deviations, clusters)
    card, time, both = (_squared_distances(part) for part in (parts.card, parts.time, parts.both))
    error = np.sqrt(np.maximum(np.maximum(card, time), card + time - both))
    degrees = degrees_of_freedom(card, time, both, *clusters.worth)
    gaps = means[:, None] - means
    copies = (np.abs(gaps) < ROUNDING) & (error < ROUNDING)
    p = np.ones_like(gaps)
    skewness = _sums_of_cubes(parts.by_card / losses.shape[1]) / np.where(error > 0, error, 1.0) ** 3
    for i, j in np.argwhere((gaps > 0) & ~copies):
        p[i, j] = p_value(*(float(of[i, j]) for of in (gaps, error, degrees, skewness)))
    return p, copies


def _sums_of_cubes(shares: Floats) -> Floats:
    """Of what each card adds to the difference of each pair's means, (K, K), from what it adds to each (K, cards)."""
    mixed = shares**2 @ shares.T
    cubes = np.diag(mixed)
    found: Floats = cubes[:, None] - 3 * mixed + 3 * mixed.T - cubes
    return found


def _squared_distances(products: Floats) -> Floats:
    """Of each pair of K vectors (K, K), from their products (K, K)."""
    squares = np.diag(products)
    return np.maximum(squares[:, None] + squares - 2 * products, 0.0)

"""Which of many algorithms cannot be told from the best: the model confidence set.

Comparing each algorithm with the one that happens to have the lowest loss would call too much a difference, for the
lowest of many is low by luck too. The model confidence set asks instead whether all of a set could be equally good; if
not, the one that looks worst leaves, and so on until they could.

Reference: Hansen, Lunde & Nason (2011), The model confidence set, Econometrica 79:453, doi 10.3982/ECTA5771.
"""

from __future__ import annotations

from typing import List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ..interval import CONFIDENCE, MIN_GROUPS
from ..revlog import Ints
from .paired import Clusters, few_groups_factor

Floats = npt.NDArray[np.float64]

#: The seed and the number of draws of the simulated null distribution: a p-value of 0.05 is known to 0.004 (95 %).
SEED = 2011
DRAWS = 10_000

#: Where neither a difference of log loss nor its standard error reaches this, the two are the same algorithm but for
#: rounding, as where predictions were written to a file with nine digits and read again.
ROUNDING = 1e-6

#: Draws held in memory at a time.
BLOCK = 1000


def best_set(losses: Floats, clusters: Clusters, *, draws: int = DRAWS) -> Optional[Tuple[int, ...]]:
    """The model confidence set of K algorithms, from their losses (K, n) on the same n reviews.

    The members are rows of ``losses``, from the lowest mean to the highest; the lowest is always a member.
    None where there are too few cards or days.

    With a probability of :data:`CONFIDENCE` or more, all algorithms whose true mean loss is the lowest are in the set,
    however many they are and although the same reviews serve to choose and to judge. An algorithm outside of it is
    worse than one inside; two inside may still differ.

    For each pair, t_ij = (mean loss of i - mean loss of j) / (two-way clustered standard error of that difference, as
    in :func:`paired_difference`). A set M could be equally good unless max over i, j in M of t_ij is large; else the i
    with the largest t_ij leaves. (This is the paper's T_R with its own rule of elimination; the two are coherent.) An
    algorithm's p-value is the largest of those of all sets from the first to that in which it left, and 1 for the last.
    For K = 2 the set is the verdict of the paired interval.

    How large is large is not resampled from the reviews, as in the paper, but taken from the studentised range of as
    many independent means, each pair with a variance of its own that is estimated with min(cards, days) - 1 degrees
    (Games & Howell 1976, doi 10.3102/10769986001002113). Means that are correlated have a smaller range, so this errs
    on the side of keeping (proven for independent means of unequal variance by Hayter 1984, doi
    10.1214/aos/1176346392, and believed in general). The estimated covariance matrix of 20 means from 60 days, which a
    bootstrap rests on as well, looks more correlated than it is: with it, 20 equal algorithms were all in the set in
    only 89 to 94 % of simulations, and in 93 to 96 % with the range.

    With 40 to 60 cards or days of very unequal size the standard errors themselves are a little short, and 90 to 95 %
    is what is reached. A single best algorithm is in the set more often than all of several.

    An algorithm and a copy of it, be it rounded (:data:`ROUNDING`), are both in or both out. Losses may be of any
    proper score; for log loss, predictions are clipped at :data:`evaluator.metrics.scores.CLIP`.

    Raises ValueError for fewer than two algorithms, no reviews, or losses that are not finite.
    """
    p = p_values(losses, clusters, draws=draws)
    if p is None:
        return None
    return tuple(int(i) for i in np.argsort(losses.mean(axis=1), kind="stable") if p[i] >= 1 - CONFIDENCE)


def p_values(losses: Floats, clusters: Clusters, *, draws: int = DRAWS) -> Optional[Floats]:
    """The p-value of each algorithm (K,); those at or above 1 - :data:`CONFIDENCE` are in :func:`best_set`."""
    _check(losses, clusters)
    means = losses.mean(axis=1)
    groups = min(clusters.cards, clusters.days)
    if groups < MIN_GROUPS:
        return None
    t, copies = _t_statistics(means, _standard_errors(losses, means, clusters))
    order, largest = _elimination(t)
    null = _null_maxima(len(means), groups - 1, draws=draws, seed=SEED)[::-1]
    p = np.ones(len(means))
    p[order[:-1]] = np.maximum.accumulate((null >= largest[:, None]).mean(axis=1))
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


def _standard_errors(losses: Floats, means: Floats, clusters: Clusters) -> Floats:
    """The two-way clustered standard error of the difference of each pair of algorithms, (K, K).

    What all algorithms have in common is taken out first. It leaves the differences as they are, and a small one would
    drown in the rounding of large sums.
    """
    common = losses.mean(axis=0) - means.mean()
    card, day, both = (
        _pair_variances(_cluster_sums(losses, means, common, group))
        for group in (clusters.card, clusters.day, clusters.both)
    )
    error: Floats = np.sqrt(np.maximum(np.maximum(card, day), card + day - both))
    return error


def _cluster_sums(losses: Floats, means: Floats, common: Floats, group: Ints) -> Floats:
    """The sum of each algorithm's deviations from its mean, less the common part, by cluster, / n: (K, clusters)."""
    n = losses.shape[1]
    return np.stack([np.bincount(group, loss - mean - common) / n for loss, mean in zip(losses, means)])


def _pair_variances(sums: Floats) -> Floats:
    """One-way variance of each pair's difference, (K, K): G / (G - 1) * sum over G clusters of (sum of i - of j)^2."""
    factor = few_groups_factor(sums.shape[1])
    variances = np.zeros((len(sums), len(sums)))
    for i in range(1, len(sums)):
        for j in range(i):
            gap = sums[i] - sums[j]
            variances[i, j] = variances[j, i] = factor * (gap @ gap)
    return variances


def _t_statistics(means: Floats, standard_errors: Floats) -> Tuple[Floats, npt.NDArray[np.bool_]]:
    """t_ij (K, K): 0 between copies, infinite where another difference has no spread; and which are copies."""
    gaps = means[:, None] - means
    copies = (np.abs(gaps) < ROUNDING) & (standard_errors < ROUNDING)
    t = np.where(copies, 0.0, np.copysign(np.inf, gaps))
    np.divide(gaps, standard_errors, out=t, where=~copies & (standard_errors > 0))
    return t, copies


def _elimination(t: Floats) -> Tuple[List[int], Floats]:
    """In which order the algorithms leave, the last that stays included, and the set's largest t each time (K - 1,)."""
    left = list(range(len(t)))
    order, largest = [], []
    while len(left) > 1:
        worst = t[np.ix_(left, left)].max(axis=1)
        # Of equals the last leaves, so that the lowest mean, and the first of equal ones, stays longest.
        leaves = len(left) - 1 - int(worst[::-1].argmax())
        largest.append(worst[leaves])
        order.append(left.pop(leaves))
    return [*order, *left], np.array(largest)


def _null_maxima(algorithms: int, degrees: int, *, draws: int, seed: int) -> Floats:
    """Draws of the largest |t| among 2, 3, ... K equally good algorithms: (K - 1, draws).

    The larger sets are the smaller ones with one more algorithm, so each adds the pairs of that one only.
    """
    random = np.random.default_rng(seed)
    starts = range(0, draws, BLOCK)
    blocks = [_block_of_maxima(algorithms, degrees, min(BLOCK, draws - start), random) for start in starts]
    return np.concatenate(blocks, axis=1)


def _block_of_maxima(algorithms: int, degrees: int, draws: int, random: np.random.Generator) -> Floats:
    mean = random.standard_normal((draws, algorithms))
    products = _wishart(algorithms, degrees, draws, random)
    squares = np.einsum("dkk->dk", products)
    maxima = np.empty((algorithms - 1, draws))
    so_far = np.zeros(draws)
    for k in range(1, algorithms):
        variance = (squares[:, :k] + squares[:, k : k + 1] - 2 * products[:, k, :k]) / degrees
        t = np.abs(mean[:, :k] - mean[:, k : k + 1]) / np.sqrt(variance)
        so_far = np.maximum(so_far, t.max(axis=1))
        maxima[k - 1] = so_far
    return maxima


def _wishart(size: int, degrees: int, draws: int, random: np.random.Generator) -> Floats:
    """Sums of squares and products of ``degrees`` draws of independent standard normals: (draws, size, size).

    They are made from their triangular factor, which needs no more than size^2 / 2 numbers for each. Reference:
    Bartlett (1933), Proc. R. Soc. Edinburgh 53:260.
    """
    columns = min(size, degrees)
    factor = np.zeros((draws, size, columns))
    row, column = np.tril_indices(size, -1, columns)
    factor[:, row, column] = random.standard_normal((draws, len(row)))
    place = np.arange(columns)
    factor[:, place, place] = np.sqrt(random.chisquare(degrees - place, (draws, columns)))
    products: Floats = factor @ factor.transpose(0, 2, 1)
    return products

"""Wilcoxon's signed-rank test of paired differences, right in its far tail: the logarithm of p never underflows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from tools.summarise.results import Floats

#: Up to so many differences the p-value is exact, unless two of them are tied.
MOST_EXACT = 50
#: From here on the tail of the normal distribution is taken from its asymptotic series, which is exact to rounding.
_FAR = 12.0


@dataclass(frozen=True)
class SignedRanks:
    """Of n differences that are not 0: is their distribution symmetric around 0?"""

    n: int
    effect: float  #: r = |z| / sqrt(n), with the sign of the differences; the published tables show it without
    rank_biserial: float  #: (sum of the ranks above 0 - of those below) / sum of all: from -1 to 1
    log_p: float  #: natural logarithm of the two-sided p-value


def signed_ranks(differences: Floats) -> SignedRanks:
    """The test; differences of 0 are left out, equal ones share their ranks.

    With W the smaller rank sum, z = (W - n (n + 1) / 4) / sqrt(n (n + 1) (2 n + 1) / 24 - sum(t^3 - t) / 48) over ties
    of t, and p from the normal distribution, without correction for continuity; exact for few differences without ties.
    This is what ``scipy.stats.wilcoxon`` and the published tables do, but that SciPy's p is not exact once a difference
    is 0, and is so with up to 13 tied ones. Without any difference p is 1 and the effect 0.

    References: Wilcoxon (1945), Biometrics Bull. 1:80; Kerby (2014), doi 10.2466/11.IT.3.1 (rank-biserial).
    """
    different = differences[differences != 0]
    n = len(different)
    if not n:
        return SignedRanks(0, 0.0, 0.0, 0.0)
    ranks, ties = _ranks(np.abs(different))
    above, below = float(ranks[different > 0].sum()), float(ranks[different < 0].sum())
    smaller, all_ranks = min(above, below), n * (n + 1) / 2
    tied = float((ties**3 - ties).sum())
    z = (smaller - all_ranks / 2) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24 - tied / 48)
    exact = n <= MOST_EXACT and not tied
    return SignedRanks(
        n,
        math.copysign(z, above - below) / math.sqrt(n) if above != below else 0.0,
        (above - below) / all_ranks,
        _log_exact_p(n, int(smaller)) if exact else log_two_sided(z),
    )


def log_two_sided(z: float) -> float:
    """ln P(|Z| >= |z|) of a standard normal Z, for any z.

    Far out by erfc(x) ~ exp(-x^2) / (x sqrt(pi)) (1 - 1 / (2 x^2) + 3 / (2 x^2)^2 - 15 / (2 x^2)^3 ...), with
    x = |z| / sqrt(2). Reference: Abramowitz & Stegun (1964), 7.1.23.
    """
    x = abs(z) / math.sqrt(2)
    if abs(z) < _FAR:
        return math.log(math.erfc(x))
    term, total = 1.0, 1.0
    for k in range(1, 12):
        term *= -(2 * k - 1) / (2 * x * x)
        total += term
    return -x * x - math.log(x * math.sqrt(math.pi)) + math.log(total)


def _ranks(sizes: Floats) -> tuple[Floats, Floats]:
    """Ranks from 1 on, equal values sharing theirs; and how often each value occurs."""
    order = np.argsort(sizes, kind="stable")
    start = np.flatnonzero(np.diff(sizes[order], prepend=-1.0))
    ties = np.diff(start, append=len(sizes)).astype(np.float64)
    ranks = np.empty(len(sizes))
    ranks[order] = np.repeat(start + (ties + 1) / 2, ties.astype(np.int64))
    return ranks, ties


def _log_exact_p(n: int, smaller: int) -> float:
    """ln of the exact p: twice the share of the 2^n signs of ranks whose positive sum is at most ``smaller``."""
    ways = int(_ways(n)[: smaller + 1].sum())
    return min(0.0, math.log(2 * ways) - n * math.log(2))


@cache
def _ways(n: int) -> npt.NDArray[np.int64]:
    """Number of subsets of the ranks 1 to n, by their sum."""
    ways = np.zeros(n * (n + 1) // 2 + 1, dtype=np.int64)
    ways[0] = 1
    for rank in range(1, n + 1):
        ways[rank:] = ways[rank:] + ways[:-rank]
    return ways

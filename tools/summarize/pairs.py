"""All pairs of algorithms on the collections with results of both: who is better how often, and the evidence."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tools.summarize.results import BenchmarkResults, Floats

#: Up to this many differences the p-value is exact, unless two of them are tied.
MAX_EXACT = 50


@dataclass(frozen=True)
class SignedRanks:
    """Wilcoxon's signed ranks of n nonzero differences: is their distribution symmetric around 0?"""

    effect: float  #: r = |z| / sqrt(n), with the sign of the differences; the published tables show it without
    log_p: float  #: natural logarithm of the two-sided p-value


def signed_ranks(differences: Floats) -> SignedRanks:
    """Run the test. Differences of 0 are left out, and equal ones share their ranks.

    Exact for few differences without ties, otherwise by the normal distribution, without continuity correction. The
    published tables do the same. SciPy needs to be called with the method, because its own choice is not exact once a
    difference is 0, and is exact with up to 13 tied ones. Without any difference p is 1 and the effect 0.

    Reference: Wilcoxon (1945), Biometrics Bull. 1:80.
    """
    from scipy import stats  # type: ignore[import-untyped]  # not at the top: the help is printed without SciPy

    different = differences[differences != 0]
    n = len(different)
    if not n:
        return SignedRanks(0.0, 0.0)
    result = stats.wilcoxon(different, alternative="greater", method="asymptotic")
    z = float(result.zstatistic)
    if n <= MAX_EXACT and len(np.unique(np.abs(different))) == n:
        log_p = math.log(stats.wilcoxon(different, method="exact").pvalue)
    else:
        log_p = math.log(2) + float(stats.norm.logsf(abs(z)))
    return SignedRanks(z / math.sqrt(n), min(0.0, log_p))


#: Differences with a p-value above it, corrected, are shown as no evidence.
LEVEL = 0.01


@dataclass(frozen=True)
class Pair:
    """Log loss of ``algorithm`` against that of ``other``."""

    algorithm: str
    other: str
    collections: int  #: number of collections for which both have a result on the same reviews
    lower: int  #: collections on which the algorithm has the lower log loss
    equal: int
    superiority: float | None  #: lower and half of the equal ones, as a share of all; None without any
    mean_difference: float | None  #: mean difference of the log losses, unweighted; below 0 if the algorithm is better
    effect: float  #: r of Wilcoxon's test, see :class:`SignedRanks`; above 0: it is better
    log10_p: float  #: p-value of Wilcoxon's test, two-sided
    log10_p_holm: float  #: corrected for the number of pairs

    @property
    def significant(self) -> bool:
        """Return whether there is evidence of a difference, allowing for the number of pairs."""
        return self.log10_p_holm < math.log10(LEVEL)


def compare_all(results: BenchmarkResults) -> tuple[Pair, ...]:
    """Compare all ordered pairs, row by row. A pair and its reverse mirror each other."""
    positions = list(itertools.combinations(range(len(results.entrants)), 2))
    tested = {index: _differences(results, *index) for index in positions}
    ranks = {index: signed_ranks(difference) for index, difference in tested.items()}
    adjusted = dict(zip(positions, _log_holm([ranks[index].log_p for index in positions]), strict=True))
    names = results.names
    result = {}
    for (i, j), difference in tested.items():
        for item, other, sign in ((i, j, 1), (j, i, -1)):
            result[item, other] = _pair(names[item], names[other], sign * difference, sign, ranks[i, j], adjusted[i, j])
    return tuple(result[index] for index in sorted(result))


def _log_holm(log_p: Sequence[float]) -> list[float]:
    """Return natural logarithms of p-values, adjusted for m tests by Holm's method.

    The smallest is multiplied by m, the next by m - 1 and so on; none becomes smaller than one before it, or larger
    than 1. Reference: Holm (1979), A simple sequentially rejective multiple test procedure, Scand. J. Stat. 6:65.
    """
    adjusted, largest = [0.0] * len(log_p), -math.inf
    for rank, k in enumerate(sorted(range(len(log_p)), key=lambda k: log_p[k])):
        largest = max(largest, min(0.0, math.log(len(log_p) - rank) + log_p[k]))
        adjusted[k] = largest
    return adjusted


def _differences(results: BenchmarkResults, i: int, j: int) -> Floats:
    both = results.present[:, i] & (results.reviews[:, i] == results.reviews[:, j])
    log_loss = results.metrics["log_loss"]
    return np.asarray(log_loss[both, i] - log_loss[both, j])


def _pair(name: str, other: str, difference: Floats, sign: int, ranks: SignedRanks, log_p_holm: float) -> Pair:
    n, lower, equal = len(difference), int((difference < 0).sum()), int((difference == 0).sum())
    return Pair(
        algorithm=name,
        other=other,
        collections=n,
        lower=lower,
        equal=equal,
        superiority=(lower + equal / 2) / n if n else None,
        mean_difference=float(difference.mean()) if n else None,
        effect=-sign * ranks.effect + 0.0,
        log10_p=ranks.log_p / math.log(10),
        log10_p_holm=log_p_holm / math.log(10),
    )

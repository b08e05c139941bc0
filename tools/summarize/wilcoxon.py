"""Wilcoxon's signed-rank test of paired differences, accurate in its far tail: it computes the logarithm of p."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tools.summarize.results import Floats

#: Up to this many differences the p-value is exact, unless two of them are tied.
MAX_EXACT = 50


@dataclass(frozen=True)
class SignedRanks:
    """Wilcoxon's signed ranks of n nonzero differences: is their distribution symmetric around 0?"""

    n: int
    effect: float  #: r = |z| / sqrt(n), with the sign of the differences; the published tables show it without
    log_p: float  #: natural logarithm of the two-sided p-value


def signed_ranks(differences: Floats) -> SignedRanks:
    """Run the test; differences of 0 are left out, equal ones share their ranks.

    Exact for few differences without ties, otherwise by the normal distribution, without continuity correction. The
    published tables do the same. SciPy needs to be called with the method, because its own choice is not exact once a
    difference is 0, and is exact with up to 13 tied ones. Without any difference p is 1 and the effect 0.

    Reference: Wilcoxon (1945), Biometrics Bull. 1:80.
    """
    from scipy import stats  # type: ignore[import-untyped]  # not at the top: the help is printed without SciPy

    different = differences[differences != 0]
    n = len(different)
    if not n:
        return SignedRanks(0, 0.0, 0.0)
    result = stats.wilcoxon(different, alternative="greater", method="asymptotic")
    z = float(result.zstatistic)
    if n <= MAX_EXACT and len(np.unique(np.abs(different))) == n:
        log_p = math.log(stats.wilcoxon(different, method="exact").pvalue)
    else:
        log_p = math.log(2) + float(stats.norm.logsf(abs(z)))
    return SignedRanks(n, z / math.sqrt(n), min(0.0, log_p))

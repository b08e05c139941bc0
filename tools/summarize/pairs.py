"""Comparison of all pairs of algorithms: how often each one is better, and how strong the evidence is."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tools.summarize.joined_results import BenchmarkResults, Floats
from ui.views.metric_views import VIEWS

#: Maximum number of differences with an exact p-value. If two of them are tied, it is not exact.
MAX_EXACT = 50


@dataclass(frozen=True)
class SignedRanks:
    """Result of Wilcoxon's signed-rank test, whose hypothesis is that differences are symmetric around 0."""

    #: z / sqrt(n) for n nonzero differences. The published tables show it without its sign.
    effect: float
    #: Natural logarithm of the two-sided p-value.
    log_p: float


def signed_ranks(differences: Floats) -> SignedRanks:
    """Run Wilcoxon's signed-rank test. Differences of 0 are left out, and ties share their ranks.

    As in the published tables, the p-value is exact for few differences without ties. Otherwise it comes from the
    normal distribution, without continuity correction. The method is passed explicitly, because by default SciPy would
    not be exact if a difference is 0, and would be with up to 13 ties. If all differences are 0, the p-value is 1 and
    the effect is 0.

    Reference: Wilcoxon (1945), Biometrics Bull. 1:80.
    """
    # Imported here because the command's help is printed without SciPy.
    from scipy import stats  # type: ignore[import-untyped]

    nonzero = differences[differences != 0]
    n = len(nonzero)
    if not n:
        return SignedRanks(0.0, 0.0)
    z = float(stats.wilcoxon(nonzero, alternative="greater", method="asymptotic").zstatistic)
    if n <= MAX_EXACT and len(np.unique(np.abs(nonzero))) == n:
        log_p = math.log(stats.wilcoxon(nonzero, method="exact").pvalue)
    else:
        log_p = math.log(2) + float(stats.norm.logsf(abs(z)))
    return SignedRanks(z / math.sqrt(n), min(0.0, log_p))


#: Significance level of the corrected p-values.
LEVEL = 0.01
#: Names, within a sentence, of the metrics by which pairs are compared.
COMPARED = {"log_loss": "log loss", "rmse_bins_benchmark": "RMSE (bins)", "auc": "AUC"}


@dataclass(frozen=True)
class Pair:
    """Comparison of ``algorithm`` with ``other`` by one metric."""

    #: A key of :data:`COMPARED`.
    metric: str
    algorithm: str
    other: str
    #: Number of collections on which both have a value for the same reviews.
    collections: int
    #: Number of collections on which the algorithm is better.
    better: int
    #: Number of collections on which both have the same value.
    equal: int
    #: Share of the collections on which it is better, in which equal ones count half. None without collections.
    superiority: float | None
    #: Unweighted mean of the differences of the metric. None without collections.
    mean_difference: float | None
    #: Effect size of Wilcoxon's test, see :class:`SignedRanks`. Above 0, the algorithm is better.
    effect: float
    #: Decimal logarithm of the two-sided p-value of Wilcoxon's test.
    log10_p: float
    #: The same after correction for the number of pairs, for each metric by itself.
    log10_p_holm: float

    @property
    def is_significant(self) -> bool:
        """Return whether there is evidence of a difference after correction for the number of pairs."""
        return self.log10_p_holm < math.log10(LEVEL)


def compare_all(results: BenchmarkResults) -> tuple[Pair, ...]:
    """Compare all ordered pairs of algorithms by each metric of :data:`COMPARED`.

    The pairs are sorted by metric, then by the positions of the two algorithms in the results.
    """
    return tuple(pair for metric in COMPARED for pair in _compare_by(metric, results))


def _compare_by(metric: str, results: BenchmarkResults) -> list[Pair]:
    """Return the comparisons by one metric, sorted by the positions of the two algorithms."""
    column_pairs = list(itertools.combinations(range(len(results.algorithms)), 2))
    differences = {index: _differences(results, metric, *index) for index in column_pairs}
    better_sign = -1 if VIEWS[metric].better == "lower" else 1
    ranks = {index: signed_ranks(better_sign * difference) for index, difference in differences.items()}
    adjusted = dict(zip(column_pairs, _log_holm([ranks[index].log_p for index in column_pairs]), strict=True))
    pairs = {}
    # The test runs once for a pair and its reverse, whose results mirror each other.
    for (i, j), difference in differences.items():
        n = len(difference)
        equal = int((difference == 0).sum())
        for item, other, sign in ((i, j, 1), (j, i, -1)):
            wins = int((sign * better_sign * difference > 0).sum())
            pairs[item, other] = Pair(
                metric=metric,
                algorithm=results.names[item],
                other=results.names[other],
                collections=n,
                better=wins,
                equal=equal,
                superiority=(wins + equal / 2) / n if n else None,
                mean_difference=sign * float(difference.mean()) if n else None,
                effect=sign * ranks[i, j].effect + 0.0,
                log10_p=ranks[i, j].log_p / math.log(10),
                log10_p_holm=adjusted[i, j] / math.log(10),
            )
    return [pairs[index] for index in sorted(pairs)]


def _log_holm(log_p: Sequence[float]) -> list[float]:
    """Return natural logarithms of p-values, corrected for their number m by Holm's method.

    The smallest p-value is multiplied by m, the next one by m - 1, and so on. None may become smaller than one before
    it, or larger than 1.

    Reference: Holm (1979), A simple sequentially rejective multiple test procedure, Scand. J. Stat. 6:65.
    """
    adjusted = [0.0] * len(log_p)
    largest = -math.inf
    for rank, k in enumerate(sorted(range(len(log_p)), key=lambda k: log_p[k])):
        largest = max(largest, min(0.0, math.log(len(log_p) - rank) + log_p[k]))
        adjusted[k] = largest
    return adjusted


def _differences(results: BenchmarkResults, metric: str, i: int, j: int) -> Floats:
    """Return the metric of algorithm i minus that of j, on each collection on which both have a value."""
    has_both = results.has_result[:, i] & (results.reviews[:, i] == results.reviews[:, j])
    difference = results.metrics[metric][has_both, i] - results.metrics[metric][has_both, j]
    return np.asarray(difference[np.isfinite(difference)])

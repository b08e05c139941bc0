"""Percentile rank of each algorithm's metrics among people with a similar number of reviews."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence, Tuple

from ..progress import Progress
from ..report import PercentileRank, Report
from ..scoring.evidence import Evidence
from ..statistics.population import quantiles
from .section import Section

#: Shares of other people below the quantiles of a size class.
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True)
class SizeClass:
    """Published results of people with about this many reviews."""

    reviews: float  #: number of scored reviews in the middle of the size class
    values: Tuple[float, ...]  #: quantiles, below which 10, 25, 50, 75 and 90% of these people are


@dataclass(frozen=True)
class PeerDistribution:
    """One metric of an algorithm for the user and for other people."""

    value: float  #: the user's number
    placement: PercentileRank  #: percentile rank of the user's number
    sizes: Tuple[SizeClass, ...]  #: sorted from few reviews to many


@dataclass(frozen=True)
class PeerComparison:
    """One algorithm compared with published results."""

    algorithm: str
    reviews: int  #: the user's scored reviews
    fans: Tuple[PeerDistribution, ...]  #: one for each number with published results


def compute(
    report: Report, _evidence: Evidence, names: Sequence[str], _progress: Progress
) -> Tuple[PeerComparison, ...]:
    """Compare each of these algorithms with its published results, if any."""
    comparisons = []
    for row in map(report.result, names):
        distributions = []
        for rank in row.population:
            sizes = (SizeClass(*size_quantiles) for size_quantiles in quantiles(rank.algorithm, rank.metric, SHARES))
            distributions.append(PeerDistribution(row.value(rank.metric) or 0.0, rank, tuple(sizes)))
        if distributions:
            comparisons.append(PeerComparison(row.algorithm, row.size, tuple(distributions)))
    return tuple(comparisons)


SECTION = Section("population", Tuple[PeerComparison, ...], compute, of="algorithm", whole_day_only=True)

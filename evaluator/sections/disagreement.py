"""What happened where an algorithm and the baseline predicted different things, in two sides and in groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Sequence, Tuple

from ..interval import Interval
from ..metrics.universal import BINS_APART
from ..report import Disagreement
from ..statistics.disagreement import sides_by_group
from .section import Section

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..progress import Progress
    from ..report import Report


@dataclass(frozen=True)
class GroupApart:
    """The reviews for which the predictions of two algorithms are about so far apart."""

    left: float  #: the smaller limit of the group: prediction of the algorithm minus that of the baseline
    right: float  #: the larger limit
    apart: float  #: mean of that difference
    reviews: int
    gap: Interval  #: share that was recalled minus the mean prediction of the algorithm; not known with too few reviews
    gap_of_baseline: Interval  #: likewise of the baseline


@dataclass(frozen=True)
class PairDisagreement:
    """An algorithm and the baseline."""

    algorithm: str
    baseline: str
    in_sample: Tuple[str, ...]  #: those of the two that may have been fitted on the very reviews that are scored
    sides: Disagreement
    groups: Tuple[GroupApart, ...]  #: a twentieth wide, by increasing difference; those that have a review


def compute(
    report: Report, evidence: Evidence, names: Sequence[str], progress: Progress
) -> Tuple[PairDisagreement, ...]:
    """Each of these algorithms that is not the baseline; for the baseline stands the algorithm of the verdict."""
    found = []
    wanted = report.against_baseline(names)
    for number, name in enumerate(wanted):
        progress(number / len(wanted))
        found.append(_pair(report, evidence, name, report.baseline or ""))
    return tuple(found)


def _pair(report: Report, evidence: Evidence, algorithm: str, baseline: str) -> PairDisagreement:
    first, second = (evidence.fitted[name].predicted for name in (algorithm, baseline))
    groups = tuple(
        GroupApart(
            left=(number - 0.5) / BINS_APART,
            right=(number + 0.5) / BINS_APART,
            apart=apart,
            reviews=side.reviews,
            gap=side.gap,
            gap_of_baseline=side.gap_of_baseline,
        )
        for number, apart, side in sides_by_group(first, second, evidence.scoring.recalled, evidence.scoring.clusters)
    )
    return PairDisagreement(
        algorithm=algorithm,
        baseline=baseline,
        in_sample=tuple(name for name in (algorithm, baseline) if report.result(name).in_sample),
        sides=evidence.scoring.disagreement(first, second),
        groups=groups,
    )


SECTION = Section("disagreement", Tuple[PairDisagreement, ...], compute, of="algorithm")

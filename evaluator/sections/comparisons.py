"""Every algorithm against the baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence, Tuple

from ..progress import Progress
from ..report import Comparison, Report
from ..scoring.evidence import Evidence
from .section import Section


@dataclass(frozen=True)
class Comparisons:
    """All others that have a result, in the order of the results, each minus the baseline on the same reviews."""

    reference: str  #: the baseline
    comparisons: Tuple[Comparison, ...]


def compute(report: Report, _evidence: Evidence, _names: Sequence[str], _progress: Progress) -> Optional[Comparisons]:
    """Return the comparisons with the baseline, if there is anything to compare."""
    compared = [row.against_baseline for row in report.results if row.against_baseline is not None]
    return Comparisons(compared[0].baseline, tuple(compared)) if compared else None


SECTION = Section("comparisons", Optional[Comparisons], compute)

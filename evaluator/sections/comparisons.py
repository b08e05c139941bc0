"""Comparison of every algorithm with the baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence, Tuple

from ..progress import Progress
from ..report import Comparison, Report
from ..scoring.evidence import Evidence
from .section import Section


@dataclass(frozen=True)
class Comparisons:
    """Comparisons of all other algorithms with the baseline, on the same reviews."""

    reference: str  #: the baseline
    comparisons: Tuple[Comparison, ...]


def compute(report: Report, _evidence: Evidence, _names: Sequence[str], _progress: Progress) -> Optional[Comparisons]:
    """Return the comparisons with the baseline, or None if no algorithm is compared with it."""
    comparisons = tuple(row.against_baseline for row in report.results if row.against_baseline is not None)
    return Comparisons(comparisons[0].baseline, comparisons) if comparisons else None


SECTION = Section("comparisons", Optional[Comparisons], compute)

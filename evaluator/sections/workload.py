"""Simulated year with each scheduler: see :mod:`evaluator.workload.result`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

from ..workload.result import Workload
from .section import Section

if TYPE_CHECKING:
    from ..progress import Progress
    from ..report import Report
    from ..scoring.evidence import Evidence


def compute(_report: Report, evidence: Evidence, _names: Sequence[str], progress: Progress) -> Workload:
    """Forecast the user's year ahead.

    Raises ValueError if it is not given what was evaluated.
    """
    from ..workload.pipeline import workload

    return workload(evidence, progress)


SECTION = Section("workload", Workload, compute, slow=True, needs_snapshot=True, whole_day_only=True)

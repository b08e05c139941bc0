"""At the desired retention, the one place where a scheduler decides: when it said 90%, how much was remembered?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, List, Sequence, Tuple

from ..scoring.retention import RetentionGroup, RetentionOfAlgorithm, recall_near, retention_groups
from .section import Section

if TYPE_CHECKING:
    from ..progress import Progress
    from ..report import Report
    from ..scoring.evidence import Evidence


def compute(report: Report, evidence: Evidence, names: Sequence[str], progress: Progress) -> Tuple[RetentionGroup, ...]:
    """One group for each desired retention, the one with the most reviews first."""
    wanted = dict.fromkeys((*evidence.presets_own, report.verdict.algorithm, report.best))
    shown = [name for name in wanted if name is not None and name in names]
    groups = retention_groups(evidence) if shown else []
    found = []
    for done, (group, mask) in enumerate(groups):
        progress(done / len(groups))
        own, recalled = evidence.scoring.clusters.take(mask), evidence.scoring.recalled[mask]
        rows: List[RetentionOfAlgorithm] = []
        for name in shown:
            fitted = evidence.fitted[name]
            near = recall_near(fitted.predicted[mask], recalled, own, group.desired_retention)
            rows.append(RetentionOfAlgorithm(name, fitted.in_sample, near))
        found.append(replace(group, algorithms=tuple(rows)))
    return tuple(found)


SECTION = Section("desired_retention", Tuple[RetentionGroup, ...], compute, whole_day_only=True)

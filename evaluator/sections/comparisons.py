"""Every algorithm against the baseline, and against what the person's own scheduler uses now."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Tuple

from ..report import Comparisons

if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..progress import Progress
    from ..report import Report

#: The parameters that are in the presets now.
OWN = "Your parameters"


def comparisons(report: Report, evidence: Evidence, progress: Progress) -> Tuple[Comparisons, ...]:
    """For each reference that has a result, unless there is nothing else to compare with it."""
    finished = [row.algorithm for row in report.results if row.log_loss is not None]
    references = [name for name in dict.fromkeys((report.baseline, OWN)) if name in finished]
    found: List[Comparisons] = []
    for number, reference in enumerate(references):
        others = [name for name in finished if name != reference]
        compared = []
        for done, name in enumerate(others):
            progress((number + done / len(others)) / len(references))
            compared.append(
                evidence.scoring.compare(
                    name, evidence.fitted[name].predicted, reference, evidence.fitted[reference].predicted
                )
            )
        if compared:
            found.append(Comparisons(reference, report.result(reference).in_sample, tuple(compared)))
    return tuple(found)

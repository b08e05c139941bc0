"""Every algorithm against the baseline, and against what the user's own scheduler uses now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, List, Sequence, Tuple

from ..report import Comparison
from .section import Section

if TYPE_CHECKING:
    from ..progress import Progress
    from ..report import Report
    from ..scoring.evidence import Evidence


@dataclass(frozen=True)
class Comparisons:
    """All others that have a result, in the order of the results, each minus the same reference on the same reviews."""

    reference: str  #: the algorithm that they are compared with
    comparisons: Tuple[Comparison, ...]


def compute(report: Report, evidence: Evidence, names: Sequence[str], progress: Progress) -> Tuple[Comparisons, ...]:
    """Return the comparisons with each reference that has a result, if there is anything to compare."""
    references = [name for name in dict.fromkeys((report.baseline, *evidence.presets_own)) if name and name in names]
    result: List[Comparisons] = []
    for number, reference in enumerate(references):
        others = [name for name in names if name != reference]
        compared = []
        for done, name in enumerate(others):
            progress((number + done / len(others)) / len(references))
            compared.append(
                evidence.scoring.compare(
                    name, evidence.fitted[name].predicted, reference, evidence.fitted[reference].predicted
                )
            )
        if compared:
            result.append(Comparisons(reference, tuple(compared)))
    return tuple(result)


SECTION = Section("comparisons", Tuple[Comparisons, ...], compute)

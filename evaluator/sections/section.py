"""Interface of a section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Sequence, get_origin

from ..progress import Progress
from ..report import Report
from ..scoring.evidence import Evidence

Compute = Callable[[Report, Evidence, Sequence[str], Progress], Any]


@dataclass(frozen=True)
class Section:
    """One question about an evaluation, answered only on request."""

    key: str  #: its name in :attr:`evaluator.report.Report.sections`, in the JSON and on the command line
    result: Any  #: the type of the answer: a frozen dataclass, or a tuple of such
    #: Computes it from the report so far and the evidence, for these algorithms, which all have a result. Between two
    #: steps, a fraction of a second each, it reports its progress, from 0 to 1.
    compute: Compute
    #: "report": one answer about all algorithms. "algorithm": a tuple with an item for each of the algorithms that are
    #: given; its field ``algorithm`` says which.
    of: str = "report"
    slow: bool = False  #: takes as long as the evaluation itself, or longer
    needs_snapshot: bool = False  #: gives less information without the snapshot that was evaluated
    whole_day_only: bool = False  #: not available for the same-day table

    @property
    def empty_result(self) -> Any:
        """Return what the report holds until it is made: an empty tuple, or None."""
        return () if get_origin(self.result) is tuple else None

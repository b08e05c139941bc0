"""Interface of a section of the report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Sequence, get_origin

from ..progress import Progress
from ..report import Report
from ..scoring.evidence import Evidence

Compute = Callable[[Report, Evidence, Sequence[str], Progress], Any]


@dataclass(frozen=True)
class Section:
    """A part of the report that is computed only on request."""

    key: str  #: its name in :attr:`evaluator.report.Report.sections`, in the JSON and on the command line
    result: Any  #: the type of the result: a frozen dataclass or a tuple of frozen dataclasses
    #: Function that computes the result from the report so far, the evidence and the names of algorithms that have a
    #: result. It calls the progress, from 0 to 1, every fraction of a second.
    compute: Compute
    #: "report": one result for all algorithms. "algorithm": a tuple with an item for each of the algorithms, whose name
    #: is the item's field ``algorithm``.
    of: str = "report"
    slow: bool = False  #: takes as long as the evaluation itself, or longer
    needs_snapshot: bool = False  #: gives less information without the snapshot that was evaluated
    whole_day_only: bool = False  #: not available for the same-day table

    @property
    def empty_result(self) -> Any:
        """The result in the report until the section is computed: an empty tuple, or None."""
        return () if get_origin(self.result) is tuple else None

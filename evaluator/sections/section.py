"""Interface of a section of the report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, get_origin


@dataclass(frozen=True)
class Section:
    """A part of the report that is computed only on request."""

    key: str  #: its name in :attr:`evaluator.report.Report.sections`, in the JSON and on the command line
    result: Any  #: the type of the result: a frozen dataclass or a tuple of frozen dataclasses
    #: Function that computes the result from the report so far, the evidence and a progress, which it calls, from 0 to
    #: 1, every fraction of a second.
    compute: Callable[..., Any]
    #: "report": one result for all algorithms. "algorithm": a tuple with an item for each algorithm. Then ``compute``
    #: gets the name of an algorithm too, and returns its item, which has the name as its field ``algorithm``.
    of: str = "report"
    slow: bool = False  #: takes as long as the evaluation itself, or longer
    needs_snapshot: bool = False  #: gives less information without the snapshot that was evaluated
    whole_day_only: bool = False  #: not available for the same-day table

    @property
    def empty_result(self) -> Any:
        """The result in the report until the section is computed: an empty tuple, or None."""
        return () if get_origin(self.result) is tuple else None

"""Interface of a section of the report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Union, get_origin

from ..progress import Progress
from ..report import Report
from ..scoring.evidence import Evidence

#: Function that computes a result for all algorithms.
ForAll = Callable[[Evidence, Progress], Any]
#: Function that computes the item of the named algorithm, which has the name as its field ``algorithm``.
ForEach = Callable[[Evidence, Progress, Report, str], Any]


@dataclass(frozen=True)
class Section:
    """A part of the report that is computed only on request."""

    result: Any  #: the type of the result: a frozen dataclass or a tuple of frozen dataclasses
    #: Function that calls its progress, from 0 to 1, every fraction of a second.
    compute: Union[ForAll, ForEach]
    #: "report": one result for all algorithms. "algorithm": a tuple with an item for each algorithm. It decides which
    #: kind of function ``compute`` is.
    of: str = "report"
    slow: bool = False  #: takes as long as the evaluation itself, or longer
    needs_snapshot: bool = False  #: gives less information without the snapshot that was evaluated
    whole_day_only: bool = False  #: not available for the same-day table

    @property
    def empty_result(self) -> Any:
        """The result in the report until the section is computed: an empty tuple, or None."""
        return () if get_origin(self.result) is tuple else None

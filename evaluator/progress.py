"""Progress reports from long work, which can be cancelled between steps."""

from __future__ import annotations

from typing import Callable, Optional

#: Callback with the fraction done, the stage, the algorithm, the number of finished parts and the number of parts.
Reporter = Callable[[float, str, str, int, int], object]


class Cancelled(Exception):
    """Raised by a progress if the result is no longer needed.

    It is not an EvaluatorError, so it ends all of the work.
    """


class Progress:
    """Receiver of progress, called between steps of long work that take a fraction of a second.

    Args:
        report: callback. If it raises an error, the work ends.
    """

    def __init__(self, report: Optional[Reporter] = None) -> None:
        self._report = report
        self._furthest = 0.0

    def __call__(self, fraction: float, stage: str = "", algorithm: str = "", done: int = 0, total: int = 0) -> None:
        """Report the fraction of the work that is done, from 0 to 1.

        If it is less than before, the earlier fraction is reported again.
        """
        if self._report is not None:
            self._furthest = max(self._furthest, fraction)
            self._report(self._furthest, stage, algorithm, done, total)

    def part(
        self, start: float, stop: float, *, stage: str = "", algorithm: str = "", done: int = 0, total: int = 0
    ) -> Progress:
        """Return a progress for the part of the work between two fractions.

        The other arguments replace those that the part reports.
        """

        def report(fraction: float, part_stage: str, part_algorithm: str, part_done: int, part_total: int) -> None:
            overall = start + (stop - start) * fraction
            self(overall, stage or part_stage, algorithm or part_algorithm, done or part_done, total or part_total)

        return Progress(report)


#: A progress without a callback.
SILENT = Progress()

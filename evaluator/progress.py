"""Progress reports from long work, which can be cancelled between steps."""

from __future__ import annotations

from typing import Callable, Optional

#: Callback with the fraction done, the stage, the algorithm, the number of finished parts and the number of parts.
Tell = Callable[[float, str, str, int, int], object]


class Cancelled(Exception):
    """Raised by a progress if the result is no longer needed. Not an EvaluatorError, so it ends all of the work."""


class Progress:
    """Called between steps of long work, a fraction of a second each. What ``tell`` raises ends the work."""

    def __init__(self, tell: Optional[Tell] = None) -> None:
        self._tell = tell
        self._furthest = 0.0

    def __call__(self, fraction: float, stage: str = "", algorithm: str = "", done: int = 0, total: int = 0) -> None:
        """Report the fraction that is done, from 0 to 1. The reported fraction never falls."""
        if self._tell is not None:
            self._furthest = max(self._furthest, fraction)
            self._tell(self._furthest, stage, algorithm, done, total)

    def part(
        self, start: float, stop: float, *, stage: str = "", algorithm: str = "", done: int = 0, total: int = 0
    ) -> Progress:
        """Return a progress for the part of the work between two fractions. Other arguments replace its own."""

        def tell(fraction: float, its_stage: str, its_algorithm: str, its_done: int, its_total: int) -> None:
            done_of_all = start + (stop - start) * fraction
            self(done_of_all, stage or its_stage, algorithm or its_algorithm, done or its_done, total or its_total)

        return Progress(tell)


#: A progress without a callback.
SILENT = Progress()

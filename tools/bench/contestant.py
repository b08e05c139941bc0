"""The interface of what is timed: a contestant, and the score of its run."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol, TypeVar

Found_co = TypeVar("Found_co", covariant=True)


@dataclass(frozen=True)
class Score:
    """How well the tested reviews were predicted."""

    log_loss: float
    rmse_bins: float | None = None  #: with the benchmark's constants; None where it was not asked for


class Contestant(Protocol[Found_co]):
    """Something to time: made once, which reads and prepares a log and is not timed, then run repeatedly."""

    reviews: int  #: of the log, that the time is for
    preparing: dict[str, float]  #: what making it took: seconds by step

    def run(self) -> Found_co:
        """Do the work that is timed. Nothing may be left over from an earlier run."""

    def facts(self) -> dict[str, float]:
        """Further numbers by name; asked once in the end, and not timed."""


class Stopwatch:
    """Seconds of each step."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self.seconds: dict[str, float] = {}

    def lap(self, step: str) -> None:
        """End a step, and begin the next."""
        now = time.perf_counter()
        self.seconds[step] = now - self._last
        self._last = now

"""What can be timed, and what comes of it."""

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
    """Made once, which reads and prepares its log and is not in the time; then run as often as wanted."""

    reviews: int  #: of the log, that the time is for
    preparing: dict[str, float]  #: what making it took: seconds by step

    def run(self) -> Found_co:
        """What is timed. Nothing may be left over from an earlier run."""

    def facts(self) -> dict[str, float]:
        """What else there is to know, by name; asked once in the end, and not timed."""


class Stopwatch:
    """Seconds by step."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self.seconds: dict[str, float] = {}

    def lap(self, step: str) -> None:
        """Say that the step is done."""
        now = time.perf_counter()
        self.seconds[step] = now - self._last
        self._last = now

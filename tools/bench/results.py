"""What was measured, and what follows from it. The text and the JSON are both made from this."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from tools.bench.contestant import Score
from tools.bench.survey import Steps
from tools.bench.worker import Ready, Run


@dataclass(frozen=True)
class Side:
    """How one of the two sides did on one log."""

    name: str
    ready: Ready
    runs: tuple[Run[Score], ...]
    facts: dict[str, float]

    @property
    def seconds(self) -> float:
        """Median seconds of a run."""
        return median(run.seconds for run in self.runs)

    @property
    def cpu_seconds(self) -> float:
        """Median processor seconds of a run."""
        return median(run.cpu_seconds for run in self.runs)

    @property
    def seconds_per_review(self) -> float:
        """Median seconds of a run, divided by the number of reviews."""
        return self.seconds / self.ready.reviews

    @property
    def score(self) -> Score:
        """Score of the last run; all runs agree."""
        return self.runs[-1].found

    @property
    def peak_bytes(self) -> int | None:
        """Peak memory of reading, preparing and one run."""
        return self.runs[0].peak_bytes


@dataclass(frozen=True)
class Duel:
    """Our side and the rival on one log."""

    log: str
    simulated: bool
    ours: Side
    rival: Side

    @property
    def ratio(self) -> float:
        """Our median time divided by the rival's: below 1, ours is faster."""
        return self.ours.seconds / self.rival.seconds


@dataclass(frozen=True)
class Growth:
    """How the time of one side grows with the number of reviews."""

    side: str
    start: str  #: the smallest simulated log
    stop: str  #: the largest
    reviews: float  #: how many times as many
    seconds: float  #: how many times as long

    @property
    def exponent(self) -> float:
        """The power of the number of reviews with which the time grows: 1 is proportional."""
        return math.log(self.seconds) / math.log(self.reviews)


@dataclass(frozen=True)
class Evaluations:
    """Repeated evaluations of one log with some algorithms."""

    log: str
    algorithms: tuple[str, ...]  #: as asked for
    runs: tuple[Run[Steps], ...]

    @property
    def seconds(self) -> dict[str, float]:
        """Median seconds by step, the slowest first; "reporting" is the time outside of all steps."""
        steps = {name: median(run.found.seconds[name] for run in self.runs) for name in self.runs[0].found.seconds}
        reporting = median(run.seconds - sum(run.found.seconds.values()) for run in self.runs)
        together = {**steps, "reporting": reporting}
        return dict(sorted(together.items(), key=lambda step: -step[1]))

    @property
    def whole(self) -> float:
        """Median seconds from the file to the report."""
        return median(run.seconds for run in self.runs)

    @property
    def rows(self) -> int:
        """Number of review-log rows."""
        return self.runs[-1].found.rows

    @property
    def failed(self) -> dict[str, str]:
        """Why an algorithm could not be run, by its name."""
        return self.runs[-1].found.failed

    @property
    def peak_bytes(self) -> int | None:
        """Peak memory of one evaluation."""
        return self.runs[0].peak_bytes


@dataclass(frozen=True)
class Results:
    """Everything one `bench` run measured."""

    machine: dict[str, str | int]
    duels: tuple[Duel, ...] = ()
    evaluations: tuple[Evaluations, ...] = ()

    @property
    def growth(self) -> tuple[Growth, ...]:
        """Growth of both sides, from the smallest simulated log to the largest; empty with fewer than two logs."""
        duels = [duel for duel in self.duels if duel.simulated]
        if len(duels) < 2:
            return ()
        first, last = duels[0], duels[-1]
        return tuple(
            Growth(
                side=start.name,
                start=first.log,
                stop=last.log,
                reviews=stop.ready.reviews / start.ready.reviews,
                seconds=stop.seconds / start.seconds,
            )
            for start, stop in ((first.ours, last.ours), (first.rival, last.rival))
        )


def as_json(results: Results) -> dict[str, Any]:
    """The results in plain lists and dicts, with the medians beside the single runs."""
    return {
        **results.machine,
        "duels": [
            {
                "log": duel.log,
                "reviews": duel.ours.ready.reviews,
                "ratio": duel.ratio,
                "sides": [_side(duel.ours), _side(duel.rival)],
            }
            for duel in results.duels
        ],
        "growth": [{**asdict(growth), "exponent": growth.exponent} for growth in results.growth],
        "evaluations": [
            {
                "log": made.log,
                "algorithms": made.algorithms,
                "rows": made.rows,
                "whole": made.whole,
                "seconds": made.seconds,
                "peak_bytes": made.peak_bytes,
                "failed": made.failed,
                "runs": [asdict(run) for run in made.runs],
            }
            for made in results.evaluations
        ],
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "seconds": side.seconds,
        "cpu_seconds": side.cpu_seconds,
        "seconds_per_review": side.seconds_per_review,
        "log_loss": side.score.log_loss,
        "peak_bytes": side.peak_bytes,
        "facts": side.facts,
        "ready": asdict(side.ready),
        "runs": [asdict(run) for run in side.runs],
    }

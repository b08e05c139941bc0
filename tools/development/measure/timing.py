"""Repeated runs, each in its own process, with its own memory, threads and garbage."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median
from typing import Any, Protocol, TypeVar

from tools.benchmark.executors import processes
from tools.development.measure.logs import Log
from tools.environment import MachineNotReady

Answer = TypeVar("Answer")


class TimedSide(Protocol):
    """A program to time: constructed once, untimed, then run repeatedly; see :mod:`.sides`."""

    reviews: int  #: number of timed reviews

    def run(self) -> Any:
        """Do the timed work. Nothing may be left over from an earlier run."""


@dataclass(frozen=True)
class Run:
    """Result of one run, with its time and memory."""

    seconds: float
    cpu_seconds: float  #: sum over all threads
    peak_bytes: int | None  #: of the process from its start to the end of this run; None if unknown
    found: Any


@dataclass(frozen=True)
class Timed:
    """The runs of one side on one log."""

    log: str
    side: str
    reviews: int
    runs: tuple[Run, ...]

    @property
    def seconds(self) -> float:
        """Median seconds of a run."""
        return median(run.seconds for run in self.runs)


def timed(
    log: Log, sides: dict[str, Callable[[Log], TimedSide]], repeat: int, tell: Callable[[str], object]
) -> list[Timed]:
    """Measure all sides on one log, alternately: ours, theirs, ours, theirs, ...

    Raises:
        EvaluatorError: the log cannot be evaluated.
        MachineNotReady: a process cannot do it.
    """
    with ExitStack() as stack:
        if log.learner is not None:
            tell(f"{log.name}: simulating")
            with processes(1) as process:  # the process's memory is then free again
                _answer(process.submit(log.make))
        workers = {name: stack.enter_context(processes(1)) for name in sides}
        tell(f"{log.name}: reading")
        made = [workers[name].submit(_make, side, log) for name, side in sides.items()]
        reviews = dict(zip(sides, map(_answer, made), strict=True))
        runs: dict[str, list[Run]] = {name: [] for name in sides}
        for turn in range(repeat):
            for name, worker in workers.items():
                tell(f"{log.name}: {name}, {turn + 1} of {repeat}")
                runs[name].append(_answer(worker.submit(_run)))
    return [Timed(log.name, name, reviews[name], tuple(runs[name])) for name in sides]


def _answer(future: Future[Answer]) -> Answer:
    try:
        return future.result()
    except BrokenProcessPool:
        raise MachineNotReady("The process that was measured has ended; there may be too little memory.") from None


#: The side timed in this process, once constructed.
_MADE: list[TimedSide] = []


def _make(side: Callable[[Log], TimedSide], log: Log) -> int:
    _MADE.append(side(log))
    return _MADE[0].reviews


def _run() -> Run:
    """Time one run, after collecting earlier garbage; `timeit` does not report the processor's time."""
    gc.collect()
    cpu, started = time.process_time(), time.perf_counter()
    result = _MADE[0].run()
    seconds = time.perf_counter() - started
    return Run(seconds, time.process_time() - cpu, _peak_bytes(), result)


def _peak_bytes() -> int | None:
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024

"""A process for one contestant, so that its processor time and memory are its own."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tools.bench.contestant import Contestant
from tools.benchmark.executors import processes
from tools.environment import MachineNotReady

Found = TypeVar("Found")

#: The contestant of this process, once it is made.
_MADE: list[Contestant[Any]] = []


@dataclass(frozen=True)
class Ready:
    """Facts about a contestant that has read and prepared its log."""

    reviews: int
    preparing: dict[str, float]
    peak_bytes: int | None  #: until now; None where the system does not say


@dataclass(frozen=True)
class Run(Generic[Found]):
    """The result of one run, with its time and memory."""

    seconds: float
    cpu_seconds: float  #: of all threads together
    peak_bytes: int | None  #: of the process from its start to the end of this run
    found: Found


class Worker(ExitStack, Generic[Found]):
    """Makes the contestant in a process of its own, and runs it when told. A context manager, which ends the process.

    The process is started at once; several workers prepare at the same time. All methods raise as :func:`answer`.
    """

    def __init__(self, make: Callable[[], Contestant[Found]]) -> None:
        super().__init__()
        self._process = self.enter_context(processes(1))
        self._made = self._process.submit(_make, make)

    def ready(self) -> Ready:
        """Wait until the contestant is made. To be called first of all."""
        return answer(self._made)

    def run(self) -> Run[Found]:
        """Run the contestant once."""
        return answer(self._process.submit(_run))

    def facts(self) -> dict[str, float]:
        """Further numbers of the contestant, by name."""
        return answer(self._process.submit(_facts))


def answer(future: Future[Found]) -> Found:
    """What a process answers.

    Raises:
        EvaluatorError: the log cannot be evaluated.
        MachineNotReady: the process cannot do it.
    """
    try:
        return future.result()
    except BrokenProcessPool:
        raise MachineNotReady("The process that was measured has ended; there may be too little memory.") from None
    except OSError as error:
        raise MachineNotReady(str(error)) from None


def _make(make: Callable[[], Contestant[Any]]) -> Ready:
    _MADE.append(make())
    return Ready(_MADE[0].reviews, _MADE[0].preparing, peak_bytes())


def _run() -> Run[Any]:
    """Time one run, after collecting the garbage of earlier ones; `timeit` does not tell the processor's time, too."""
    gc.collect()
    cpu, started = time.process_time(), time.perf_counter()
    found = _MADE[0].run()
    seconds = time.perf_counter() - started
    return Run(seconds, time.process_time() - cpu, peak_bytes(), found)


def _facts() -> dict[str, float]:
    return _MADE[0].facts()


def peak_bytes() -> int | None:
    """Peak resident memory of this process until now."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024

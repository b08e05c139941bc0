"""A process for one contestant, so that its processor time and memory are its own."""

from __future__ import annotations

import gc
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar, cast

from evaluator.errors import EvaluatorError
from tools.bench.contestant import Contestant
from tools.environment import MachineNotReady
from tools.stopping import deaf

Found = TypeVar("Found")


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


@dataclass(frozen=True)
class Failure:
    """An error that is the input's or the machine's fault, to be raised again in the main process."""

    kind: type[EvaluatorError] | None  #: None: :class:`MachineNotReady`
    facts: dict[str, object]

    def raise_again(self) -> None:
        """Raise the error."""
        if self.kind is None:
            raise MachineNotReady(*self.facts.values())
        raise self.kind(**self.facts)


class Worker(Generic[Found]):
    """Makes the contestant in a process of its own, and runs it when told. A context manager, which ends the process.

    The process is started at once; several workers prepare at the same time. It may be ended at any moment, so what it
    leaves in ``scratch``, a copy of a collection perhaps, is for the caller to remove.
    """

    def __init__(self, make: Callable[[], Contestant[Found]], scratch: Path | None = None) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would begin with this process's memory
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, make, scratch), daemon=True)
        with deaf():
            self._process.start()
        theirs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.join()
        self._process.close()
        self._pipe.close()

    def ready(self) -> Ready:
        """Wait until the contestant is made. To be called once, first of all.

        Raises:
            EvaluatorError: the log cannot be evaluated.
            MachineNotReady: the process cannot do it.
        """
        return cast(Ready, self._answer())

    def run(self) -> Run[Found]:
        """Run the contestant once. Raises as :meth:`ready`."""
        self._pipe.send("run")
        return cast(Run[Found], self._answer())

    def facts(self) -> dict[str, float]:
        """Further numbers of the contestant, by name. Raises as :meth:`ready`."""
        self._pipe.send("facts")
        return cast(dict[str, float], self._answer())

    def _answer(self) -> object:
        try:
            answer: object = self._pipe.recv()
        except (EOFError, ConnectionError):
            raise MachineNotReady("The process that was measured has ended; there may be too little memory.") from None
        if isinstance(answer, Failure):
            answer.raise_again()
        return answer


def _serve(pipe: Connection, make: Callable[[], Contestant[Found]], scratch: Path | None) -> None:
    """All that the worker process does."""
    tempfile.tempdir = None if scratch is None else str(scratch)
    try:
        contestant = make()
        pipe.send(Ready(contestant.reviews, contestant.preparing, peak_bytes()))
        while True:
            pipe.send(timed(contestant) if pipe.recv() == "run" else contestant.facts())
    except EvaluatorError as error:
        pipe.send(Failure(type(error), error.facts))
    except (MachineNotReady, OSError) as error:
        pipe.send(Failure(None, {"message": str(error)}))
    except EOFError:  # nothing more is wanted
        pass


def timed(contestant: Contestant[Found]) -> Run[Found]:
    """Time one run, after collecting the garbage of earlier ones."""
    gc.collect()
    cpu, started = time.process_time(), time.perf_counter()
    found = contestant.run()
    seconds = time.perf_counter() - started
    return Run(seconds, time.process_time() - cpu, peak_bytes(), found)


def peak_bytes() -> int | None:
    """Peak resident memory of this process until now."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024

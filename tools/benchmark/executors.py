"""Run the work in processes on this machine, or on a Dask cluster, behind one interface.

By hand is only what both leave open: ending processes at once, and beginning again after one has died.
"""

from __future__ import annotations

import importlib
import logging
import multiprocessing
import os
import shlex
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from tools.environment import MachineNotReady
from ui.files import scratch_folder

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

#: Seconds to look for a scheduler, and to wait for the first worker.
SECONDS_TO_CONNECT = 10
SECONDS_FOR_WORKERS = 60

CONNECTION_LOST = "The connection to the scheduler was lost."


def usable_processors() -> int:
    """Return the number of processors that this process may use, as a function of Python 3.13 does."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Processes:
    """Runs work in processes of this machine."""

    lost = (BrokenProcessPool,)  #: errors of work whose process died, perhaps through other work in it
    gone: tuple[type[BaseException], ...] = ()  #: errors of work when nothing is left to run it

    def __init__(self, width: int, scratch: Path) -> None:
        self.width = width  #: how many pieces of work run at a time
        self._scratch = scratch
        self._executor = self._start()

    def submit(self, work: Callable[Given, Answer], *args: Given.args, **kwargs: Given.kwargs) -> Future[Answer]:
        with _sigint_blocked():
            return self._executor.submit(work, *args, **kwargs)

    def renew(self) -> None:
        """Restore the pool after a lost process."""
        self.stop()
        self._executor = self._start()

    def stop(self) -> None:
        """End the processes at once, including those of this process's other pools."""
        running = multiprocessing.active_children()
        for process in running:
            process.terminate()
        for process in running:
            process.join()
        self._executor.shutdown(cancel_futures=True)  # its thread must have ended before Python does

    def _start(self) -> Executor:
        context = multiprocessing.get_context("spawn")  # a fork would begin with this process's memory and locks
        return ProcessPoolExecutor(self.width, context, initializer=_begin, initargs=(str(self._scratch),))


@contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Delay Ctrl-C to the end of the block, so that a process started in it prints no traceback."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(scratch: str) -> None:
    """Set up a worker process: its temporary files go to ``scratch``, and it ends with the main process."""
    tempfile.tempdir = scratch
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    first = multiprocessing.parent_process()

    def watch() -> None:
        if first is not None:
            first.join()
        os._exit(1)

    threading.Thread(target=watch, name="watch", daemon=True).start()


@contextmanager
def processes(width: int) -> Iterator[Processes]:
    """Yield a pool of processes, which end with the block. Their temporary files are removed."""
    with scratch_folder() as scratch:
        pool = Processes(width, scratch)
        try:
            yield pool
        finally:
            pool.stop()


class Cluster:
    """Runs work on a Dask cluster. Its workers may come and go: another one repeats the work of a lost one."""

    gone = (CancelledError, OSError)

    def __init__(self, client: Any) -> None:
        from distributed import KilledWorker

        self.lost = (KilledWorker,)
        self._client = client
        self._executor: Executor = client.get_executor(pure=False)

    @property
    def width(self) -> int:
        """How many pieces of work run at a time, at present."""
        with self._connected():
            threads: dict[str, int] = self._client.nthreads()
            return max(sum(threads.values()), 1)

    def submit(self, work: Callable[Given, Answer], *args: Given.args, **kwargs: Given.kwargs) -> Future[Answer]:
        with self._connected():
            return self._executor.submit(work, *args, **kwargs)

    @contextmanager
    def _connected(self) -> Iterator[None]:
        try:
            yield
        except self.gone as error:
            raise MachineNotReady(CONNECTION_LOST) from error

    def renew(self) -> None:
        """Do nothing: the cluster renews itself."""


#: What runs the work of a benchmark.
WorkerPool = Processes | Cluster


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """Yield the pool of the Dask cluster of this scheduler.

    Raises:
        MachineNotReady: it does not answer, or has no workers.
    """
    distributed: Any = importlib.import_module("distributed")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # we say ourselves what fails, in a sentence
    try:
        distributed.comm.resolve_address(address)  # a bad one would leave half a client
        client = distributed.Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise MachineNotReady(
            f"There is no Dask scheduler at {address} ({error}). Start one, or check the address."
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=SECONDS_FOR_WORKERS)
        except TimeoutError:
            raise MachineNotReady(
                f"The scheduler at {address} has no workers. Start some: "
                f"python3 tools dask worker {shlex.quote(address)}"
            ) from None
        yield Cluster(client)

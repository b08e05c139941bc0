"""Pools that run work in processes of this machine, or on a Dask cluster, behind one interface.

They add what the executors of Python and Dask lack: ending processes at once, and restarting after one has died.
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

Args = ParamSpec("Args")
Result = TypeVar("Result")

#: Maximum seconds until a scheduler answers.
SECONDS_TO_CONNECT = 10
#: Maximum seconds until the first worker is there.
SECONDS_FOR_WORKERS = 60

CONNECTION_LOST = "The connection to the scheduler was lost."
DIED = "A process died, perhaps for lack of memory. Try again with more memory or fewer --processes."


def usable_processors() -> int:
    """Return the number of processors that this process may use. Python has a function for it from 3.13."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Processes:
    """Pool of processes of this machine."""

    #: Errors that mean that a process died. Its other tasks may be the cause.
    lost = (BrokenProcessPool,)
    #: Errors that mean that nothing is left to run tasks.
    gone: tuple[type[BaseException], ...] = ()

    def __init__(self, width: int, scratch: Path) -> None:
        #: Number of tasks that run at the same time.
        self.width = width
        self._scratch = scratch
        self._executor = self._start()

    def submit(self, work: Callable[Args, Result], *args: Args.args, **kwargs: Args.kwargs) -> Future[Result]:
        with _block_sigint():
            return self._executor.submit(work, *args, **kwargs)

    def renew(self) -> None:
        """Replace all processes after one has died."""
        self.stop()
        self._executor = self._start()

    def stop(self) -> None:
        """End all child processes of this process at once, also those of other pools."""
        children = multiprocessing.active_children()
        for process in children:
            process.terminate()
        for process in children:
            process.join()
        # The executor's thread must have ended before Python does.
        self._executor.shutdown(cancel_futures=True)

    def _start(self) -> Executor:
        # A fork would begin with this process's memory and locks.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.width, context, initializer=_set_up_worker, initargs=(str(self._scratch),))


@contextmanager
def _block_sigint() -> Iterator[None]:
    """Delay Ctrl-C to the end of the block, so that a process started in it prints no traceback."""
    # Windows lacks this function.
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)


def _set_up_worker(scratch: str) -> None:
    """Make a worker process write its temporary files to ``scratch``, and end with the main process."""
    tempfile.tempdir = scratch
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main_process = multiprocessing.parent_process()

    def watch() -> None:
        if main_process is not None:
            main_process.join()
        os._exit(1)

    threading.Thread(target=watch, name="watch", daemon=True).start()


@contextmanager
def processes(width: int) -> Iterator[Processes]:
    """Provide a pool of ``width`` processes, which end with the block. Their temporary files are removed.

    Raises:
        MachineNotReady: if one has died, and the block does not handle that.
    """
    with scratch_folder() as scratch:
        pool = Processes(width, scratch)
        try:
            yield pool
        except BrokenProcessPool:
            raise MachineNotReady(DIED) from None
        finally:
            pool.stop()


class Cluster:
    """Pool of the workers of a Dask cluster, which may come and go. The tasks of a lost worker run on another one."""

    gone = (CancelledError, OSError)

    def __init__(self, client: Any) -> None:
        from distributed import KilledWorker

        self.lost = (KilledWorker,)
        self._client = client
        self._executor: Executor = client.get_executor(pure=False)

    @property
    def width(self) -> int:
        """Number of tasks that run at the same time, at present."""
        with self._connection_errors():
            threads: dict[str, int] = self._client.nthreads()
            return max(sum(threads.values()), 1)

    def submit(self, work: Callable[Args, Result], *args: Args.args, **kwargs: Args.kwargs) -> Future[Result]:
        with self._connection_errors():
            return self._executor.submit(work, *args, **kwargs)

    @contextmanager
    def _connection_errors(self) -> Iterator[None]:
        try:
            yield
        except self.gone as error:
            raise MachineNotReady(CONNECTION_LOST) from error

    def renew(self) -> None:
        """Do nothing, because the cluster replaces workers by itself."""


#: A pool that runs the tasks of a benchmark.
WorkerPool = Processes | Cluster


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """Provide the pool of the Dask cluster with this scheduler.

    Raises:
        MachineNotReady: if the scheduler does not answer, or has no workers.
    """
    distributed: Any = importlib.import_module("distributed")
    # The errors are reported here, in a sentence.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        # A client with an invalid address would not be closed.
        distributed.comm.resolve_address(address)
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

"""Pool that runs work in processes of this machine.

It adds what Python's executor lacks: ending processes at once, and restarting after one has died.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

from tools.environment import MachineNotReady
from ui.drafts import scratch_folder

Args = ParamSpec("Args")
Result = TypeVar("Result")

#: Message if a process died and nothing handles that.
DIED = "A process died, perhaps for lack of memory. Try again with more memory or fewer --processes."


def usable_processors() -> int:
    """Return the number of processors that this process may use. Python has a function for it from 3.13."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Processes:
    """Pool of processes of this machine."""

    #: Errors that mean that a process died. Any of the submitted tasks may be the cause.
    worker_errors = (BrokenProcessPool,)
    #: Errors that mean that nothing is left to run tasks.
    pool_errors: tuple[type[BaseException], ...] = ()

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

"""Pool that runs work on a Dask cluster, with the interface of :class:`tools.processes.Processes`."""

from __future__ import annotations

import importlib
import logging
import shlex
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from typing import Any

from tools.environment import MachineNotReady
from tools.processes import Args, Processes, Result

#: Maximum seconds until a scheduler answers.
SECONDS_TO_CONNECT = 10
#: Maximum seconds until the first worker is there.
SECONDS_FOR_WORKERS = 60

CONNECTION_LOST = "The connection to the scheduler was lost."


class Cluster:
    """Pool of the workers of a Dask cluster, which may come and go. The tasks of a lost worker run on another one."""

    pool_errors = (CancelledError, OSError)

    def __init__(self, client: Any) -> None:
        from distributed import KilledWorker

        self.worker_errors = (KilledWorker,)
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
        except self.pool_errors as error:
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

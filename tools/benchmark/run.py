"""Hand out the work and collect its results, with no more in memory than keeps all workers busy.

By hand, as executors take all work at once before Python 3.14, and Dask as it comes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice

from tools.benchmark.executors import CONNECTION_LOST, WorkerPool
from tools.benchmark.work import Done, Task, evaluate_collection, failed
from tools.environment import MachineNotReady

#: Waiting tasks per running one, so that no worker is idle.
WAITING = 1

DIED = "The process that evaluated it died twice, perhaps for lack of memory."


def run_all(tasks: Iterable[Task], pool: WorkerPool, take: Callable[[Task, Done], None]) -> None:
    """Run all tasks, and hand the result of each to ``take`` in the order in which they end.

    If a process dies, it is not known whose fault it was: all that was under way is tried once more, one after the
    other, and what makes a process die even alone is recorded as failed. If this raises, what is under way ends with
    the pool. Cancelling it here made the thread of the pool print a traceback if a task was not yet in its queue.

    Raises:
        MachineNotReady: those who do the work cannot, or are gone.
    """
    tasks = iter(tasks)
    suspects: list[Task] = []
    under_way: dict[Future[Done], Task] = {}
    while True:
        if not suspects:
            room = pool.width * (1 + WAITING) - len(under_way)  # below 0 if workers have gone
            for task in islice(tasks, max(room, 0)):
                under_way[_submitted(task, pool)] = task
        elif not under_way:
            _try_alone(suspects, pool, take)
            continue
        if not under_way:
            return
        for future in wait(under_way, return_when=FIRST_COMPLETED).done:
            task = under_way.pop(future)
            done = _outcome(future, pool)
            if done is None:
                suspects.append(task)
            else:
                take(task, done)


def _try_alone(suspects: list[Task], pool: WorkerPool, take: Callable[[Task, Done], None]) -> None:
    pool.renew()
    while suspects:
        task = suspects.pop()
        done = _outcome(_submitted(task, pool), pool)
        if done is None:
            pool.renew()
        take(task, failed(task, DIED) if done is None else done)


def _submitted(task: Task, pool: WorkerPool) -> Future[Done]:
    """Submit a task. If a process has died in the meantime, the future holds the error."""
    try:
        return pool.submit(evaluate_collection, task)
    except pool.lost as error:
        future: Future[Done] = Future()
        future.set_exception(error)
        return future


def _outcome(future: Future[Done], pool: WorkerPool) -> Done | None:
    """Return the result of a task, or None if its process died."""
    try:
        return future.result()
    except pool.lost:
        return None
    except pool.gone as error:
        raise MachineNotReady(CONNECTION_LOST) from error

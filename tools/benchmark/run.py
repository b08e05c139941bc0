"""Submission of tasks to a pool, with only as many in memory as keep all workers busy.

Before Python 3.14 executors take all tasks at once, and so does Dask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice

from tools.benchmark.cluster import CONNECTION_LOST, WorkerPool
from tools.benchmark.work import Task, TaskResult, evaluate_collection, failure_result
from tools.environment import MachineNotReady

#: Number of waiting tasks for each running one, so that no worker is idle.
WAITING = 1

#: Reason for the failure of a task whose process died even when it ran alone.
DIED = "The process that evaluated it died twice, perhaps for lack of memory."


def run_all(tasks: Iterable[Task], pool: WorkerPool, on_result: Callable[[Task, TaskResult], None]) -> None:
    """Run all tasks, and call ``on_result`` with the result of each in the order in which they end.

    If a process dies, any of the submitted tasks may be the cause. So all of them are tried once more, one after the
    other, and a task that makes a process die even alone is recorded as failed.

    If this raises an error, the submitted tasks end with the pool. They are not cancelled here, because the pool's
    thread would print a traceback for a task that is not yet in its queue.

    Raises:
        MachineNotReady: if a machine cannot run the tasks, or the connection to the cluster is lost.
    """
    remaining_tasks = iter(tasks)
    suspects: list[Task] = []
    submitted: dict[Future[TaskResult], Task] = {}
    while True:
        if not suspects:
            # This is below 0 if workers have left the cluster.
            free_places = pool.width * (1 + WAITING) - len(submitted)
            for task in islice(remaining_tasks, max(free_places, 0)):
                submitted[_submit(task, pool)] = task
        elif not submitted:
            _run_one_by_one(suspects, pool, on_result)
            continue
        if not submitted:
            return
        for future in wait(submitted, return_when=FIRST_COMPLETED).done:
            task = submitted.pop(future)
            result = _result_of(future, pool)
            if result is None:
                suspects.append(task)
            else:
                on_result(task, result)


def _run_one_by_one(suspects: list[Task], pool: WorkerPool, on_result: Callable[[Task, TaskResult], None]) -> None:
    """Run each task alone, so that it is known which one makes its process die."""
    pool.renew()
    while suspects:
        task = suspects.pop()
        result = _result_of(_submit(task, pool), pool)
        if result is None:
            pool.renew()
        on_result(task, failure_result(task, DIED) if result is None else result)


def _submit(task: Task, pool: WorkerPool) -> Future[TaskResult]:
    """Submit a task. If a process has died in the meantime, the future holds the error."""
    try:
        return pool.submit(evaluate_collection, task)
    except pool.worker_errors as error:
        future: Future[TaskResult] = Future()
        future.set_exception(error)
        return future


def _result_of(future: Future[TaskResult], pool: WorkerPool) -> TaskResult | None:
    """Return the result of a task, or None if its process died."""
    try:
        return future.result()
    except pool.worker_errors:
        return None
    except pool.pool_errors as error:
        raise MachineNotReady(CONNECTION_LOST) from error

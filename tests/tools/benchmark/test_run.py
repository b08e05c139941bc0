from __future__ import annotations

from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from evaluator.options import Options
from tools.benchmark.collections import Collection
from tools.benchmark.run import DIED, run_all
from tools.benchmark.work import Task, failure_result
from tools.environment import MachineNotReady


class FakePool:
    """Pool that works at once. Names in ``deadly`` break it, and with it "slow", which was running."""

    worker_errors = (BrokenProcessPool,)
    pool_errors = (CancelledError,)

    def __init__(self, *deadly: str, only_once: bool = False, error: BaseException | None = None) -> None:
        self.width = 3
        self.deadly = deadly
        self.only_once = only_once
        self.error = error
        self.broken = False
        self.slow = None

    def submit(self, work, task):
        if self.broken:
            raise BrokenProcessPool
        future = Future()
        name = task.collection.name
        if self.error is not None:
            future.set_exception(self.error)
        elif name in self.deadly:
            self.broken = True
            future.set_exception(BrokenProcessPool())
            if self.slow is not None and not self.slow.done():
                self.slow.set_exception(BrokenProcessPool())
        elif name == "slow" and self.slow is None:
            self.slow = future
        else:
            future.set_result(failure_result(task, f"seen {name}"))
        return future

    def renew(self):
        self.broken = False
        if self.only_once:
            self.deadly = ()


def tasks(*names: str) -> list[Task]:
    return [Task(Collection(Path("/"), name, 1), Options()) for name in names]


def errors_by_name(pool: FakePool, *names: str) -> dict[str, str]:
    """Return the errors of the results, by collection."""
    result = {}

    def take(task, lines):
        assert task.collection.name not in result  # nothing is counted twice
        result[task.collection.name] = lines[0]["error"]

    run_all(tasks(*names), pool, take)
    return result


@pytest.mark.parametrize("count", [50, 0])
def test_all_tasks_are_done(count):
    names = [str(number) for number in range(count)]
    assert errors_by_name(FakePool(), *names) == {name: f"seen {name}" for name in names}


def test_collection_that_kills_its_process_is_found():
    names = ("a", "slow", "b", "c", "d", "e", "x", "y", "z")
    result = errors_by_name(FakePool("b", "y"), *names)
    assert result == {name: DIED if name in {"b", "y"} else f"seen {name}" for name in names}


def test_single_death_of_a_process_loses_nothing():
    names = ("slow", "a", "b", "c")
    assert errors_by_name(FakePool("b", only_once=True), *names) == {name: f"seen {name}" for name in names}


def test_each_worker_has_at_most_one_waiting_task():
    pool = FakePool()
    requested_count = finished_count = max_pending = 0

    def requested_tasks():
        nonlocal requested_count, max_pending
        for task in tasks(*map(str, range(40))):
            requested_count += 1
            max_pending = max(max_pending, requested_count - finished_count)
            yield task

    def take(task, lines):
        nonlocal finished_count
        finished_count += 1

    run_all(requested_tasks(), pool, take)
    # Each worker also has a task that it works on.
    assert (requested_count, finished_count, max_pending) == (40, 40, 2 * pool.width)


@pytest.mark.parametrize("error", [CancelledError(), MachineNotReady("The connection to the scheduler was lost.")])
def test_run_ends_if_all_workers_are_gone(error):
    with pytest.raises(MachineNotReady, match="lost"):
        errors_by_name(FakePool(error=error), "a", "b")

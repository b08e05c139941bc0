from __future__ import annotations

from functools import partial
from typing import Any, Callable, List, Optional

import pytest
from one_thread import Anki

from evaluator.errors import CollectionClosed
from evaluator.progress import Cancelled, Progress
from ui.window.jobs import Job, Jobs


class Recorder:
    """Recorder of what happens to jobs of two steps.

    Attributes:
        events: what happened, in order.
        meanwhile: what the next job calls between its steps, or None.
    """

    def __init__(self) -> None:
        self.anki = Anki()
        self.jobs = Jobs(self.anki, None)  # type: ignore[arg-type]
        self.events = []
        self.meanwhile = None

    def add(self, name: str, priority: int = 0, *, error: Optional[BaseException] = None) -> None:
        """Add a job that fails with the error, if there is one. It is slow if its name begins with "slow"."""
        task = partial(self._work, name, error)
        self.add_task(name, lambda _, progress: task(progress), slow=name.startswith("slow"), priority=priority)

    def add_task(self, name: str, task: Callable[[Job, Progress], Any], **options: Any) -> None:
        """Add a job with this task."""
        record = self.events.append
        job = Job(
            name,
            task,
            finish=lambda result: record(f"{result} reported"),
            fail=lambda error: record(f"{name} failed: {error}"),
            cancel=lambda: record(f"{name} cancelled"),
            **options,
        )
        self.jobs.add(job)

    def _work(self, name: str, error: Optional[BaseException], progress: Progress) -> str:
        self.events.append(f"{name} begun")
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            meanwhile()
        progress(0.5)
        if error is not None:
            raise error
        self.events.append(f"{name} ended")
        return name


@pytest.fixture
def recorder(qapp):
    return Recorder()


def events_of(*names: str) -> List[str]:
    """Return the events of jobs that run one after the other without interruption."""
    return [f"{name} {event}" for name in names for event in ("begun", "ended", "reported")]


def test_slow_job_runs_quick_jobs_between_its_steps(recorder):
    def add_two():
        recorder.add("first", 1)
        recorder.add("last", 2)

    recorder.meanwhile = add_two
    recorder.add("slow")
    assert recorder.events == ["slow begun", *events_of("last", "first"), "slow ended", "slow reported"]
    assert not recorder.jobs._jobs


@pytest.mark.parametrize(("started", "other"), [("quick", "other"), ("slow", "slow too"), ("quick", "slow")])
def test_started_jobs_are_finished_first(recorder, started, other):
    recorder.meanwhile = partial(recorder.add, other, 9)
    recorder.add(started)
    assert recorder.events == events_of(started, other)


@pytest.mark.parametrize("error", [ValueError("boom"), SystemExit("boom")])
def test_failed_quick_job_does_not_end_slow_job(recorder, error):
    recorder.meanwhile = partial(recorder.add, "quick", error=error)
    recorder.add("slow")
    assert recorder.events == ["slow begun", "quick begun", "quick failed: boom", "slow ended", "slow reported"]


@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("by_user", [True, False])
def test_stopped_job_ends_without_result(recorder, nested, by_user):
    def stop():
        (recorder.jobs.cancel if by_user else recorder.jobs.stop)()
        recorder.add("later")
        assert recorder.events[-1] != "later begun"

    def add_and_stop():
        recorder.meanwhile = stop
        recorder.add("quick")

    recorder.meanwhile = add_and_stop if nested else stop
    recorder.add("slow")
    started = ["slow", "quick"][: 1 + nested]
    cancelled = [f"{name} cancelled" for name in started if by_user]
    assert recorder.events == [*(f"{name} begun" for name in started), *cancelled, *events_of("later")]
    assert not recorder.jobs._jobs


def test_progress_covers_all_jobs_with_time_left(recorder, monkeypatch):
    messages = []
    recorder.jobs.progress.connect(lambda *step: messages.append(step))

    def task(job, progress):
        recorder.add("quick")
        progress(0.6)
        recorder.jobs._since = 0.0
        job.measured_since = 100.0
        job.fraction_before = 0.2
        monkeypatch.setattr("ui.window.jobs.time.monotonic", lambda: 140.0)
        recorder.jobs._report_progress()

    recorder.add_task("slow", task, slow=True)
    assert messages == [("slow, about 40\N{NO-BREAK SPACE}s left", 0.8)]


def test_cancelling_is_no_failure(recorder):
    errors = []

    def task(_job, progress):
        recorder.jobs.stop()
        try:
            progress(0.1)
        except Cancelled as error:
            errors.append(error)
            raise

    recorder.jobs.add(Job("cancelled", task, errors.append, errors.append))
    assert [type(error) for error in errors] == [Cancelled]


def test_errors_at_the_end_are_reported(recorder):
    recorder.meanwhile = partial(recorder.add, "other")
    errors = []

    def finish(_result):
        raise ValueError("boom")

    recorder.jobs.add(Job("first", lambda _, progress: recorder._work("first", None, progress), finish, errors.append))
    assert [str(error) for error in errors] == ["boom"]
    assert recorder.events == ["first begun", "first ended", *events_of("other")]


def test_job_stopped_in_pause_runs_no_further_step(recorder, monkeypatch):
    recorder.meanwhile = recorder.jobs._may_go_on.clear
    monkeypatch.setattr(recorder.jobs._may_go_on, "wait", lambda _seconds: recorder.jobs.stop())
    recorder.add("quick")
    assert recorder.events == ["quick begun"]
    assert not recorder.jobs._jobs


def test_jobs_pause_while_something_is_drawn(recorder):
    pauses = []

    def is_paused():
        return not recorder.jobs._may_go_on.is_set()

    recorder.jobs.draw(is_paused, pauses.append)
    assert pauses == [True]
    assert not is_paused()
    recorder.jobs.close()
    recorder.jobs.draw(is_paused, pauses.append)
    assert pauses == [True]


def test_task_calls_main_thread(recorder):
    def stop(job, _):
        recorder.jobs.stop()
        recorder.jobs.on_main(job, pytest.fail)

    recorder.add_task("on main", lambda job, _: recorder.jobs.on_main(job, lambda: recorder.anki.on_main))
    recorder.add_task("wrong", lambda job, _: recorder.jobs.on_main(job, lambda: {}["nothing"]))
    recorder.add_task("stopped", stop)
    assert recorder.events == ["True reported", "wrong failed: 'nothing'"]


def test_only_last_step_is_on_main_thread(recorder):
    on_main = []

    def record(*_):
        on_main.append(recorder.anki.on_main)

    recorder.meanwhile = lambda: recorder.jobs.add(Job("quick", record, record, pytest.fail))
    recorder.add("slow")
    assert on_main == [False, True]


def test_collection_is_read_on_its_own_thread(recorder, monkeypatch):
    monkeypatch.setattr("ui.window.jobs._TURN_SECONDS", 0)
    on_collection = []
    steps = []
    progress = Progress(lambda *step: steps.append(step))

    def read_steps(_col):
        for step in (1, 2):
            on_collection.append(recorder.anki.on_collection)
            yield step, 2
        return "collection"

    recorder.add_task("read", lambda job, _: recorder.jobs.read_collection(job, read_steps, progress))
    assert recorder.events == ["collection reported"]
    assert on_collection == [True, True]
    assert steps == [(0.5, "reading", "", 1, 2), (1.0, "reading", "", 2, 2)]


def test_different_collection_stops_reading(recorder, monkeypatch):
    monkeypatch.setattr("ui.window.jobs._TURN_SECONDS", 0)

    def read_steps(_col):
        recorder.anki.col = object()  # type: ignore[assignment]
        yield 1, 2
        pytest.fail("the collection of another profile is read")

    recorder.add_task("read", lambda job, _: recorder.jobs.read_collection(job, read_steps, Progress()))
    assert recorder.events == [f"read failed: {CollectionClosed()}"]


def test_dropped_job_ends_without_result(recorder):
    def drop_both():
        recorder.add("waiting")
        recorder.add("later")
        for job in recorder.jobs._jobs[:2]:
            recorder.jobs.drop(job)

    recorder.meanwhile = drop_both
    recorder.add("quick")
    assert recorder.events == ["quick begun", *events_of("later")]
    assert not recorder.jobs._jobs

from __future__ import annotations

from functools import partial
from typing import Any, Callable, List, Optional

import pytest
from one_thread import Anki

from evaluator.errors import CollectionClosed
from evaluator.progress import Cancelled, Progress
from ui.window.jobs import Job, Jobs


class Desk:
    """Note what is begun and ended. Each job takes two steps, between which its ``meanwhile`` happens."""

    def __init__(self) -> None:
        self.anki = Anki()
        self.jobs = Jobs(self.anki, None)  # type: ignore[arg-type]
        self.noted: List[str] = []
        self.meanwhile: Optional[Callable[[], None]] = None

    def ask(self, name: str, turn: int = 0, *, error: Optional[BaseException] = None) -> None:
        """Return a job, which is slow if its name says so."""
        task = partial(self._work, name, error)
        self._add(name, lambda _, progress: task(progress), slow=name.startswith("slow"), turn=turn)

    def do(self, task: Callable[[Job], Any]) -> None:
        self._add("it", lambda job, _: task(job))

    def _add(self, name: str, task: Callable[[Job, Progress], Any], **how: Any) -> None:
        note = self.noted.append
        finish, fail = (lambda result: note(f"{result} reported")), (lambda raised: note(f"{name} failed: {raised}"))
        self.jobs.add(Job(name, task, finish, fail, lambda: note(f"{name} cancelled"), **how))

    def _work(self, name: str, error: Optional[BaseException], progress: Progress) -> str:
        self.noted.append(f"{name} begun")
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            meanwhile()
        progress(0.5)
        if error is not None:
            raise error
        self.noted.append(f"{name} ended")
        return name


@pytest.fixture
def desk(qapp: object) -> Desk:
    return Desk()


def all_of(*names: str) -> List[str]:
    """Return what is noted where these are done one after the other."""
    return [f"{name} {what}" for name in names for what in ("begun", "ended", "reported")]


def test_slow_job_runs_quick_jobs_between_its_steps(desk: Desk) -> None:
    desk.meanwhile = lambda: (desk.ask("first", 1), desk.ask("last", 2), None)[-1]
    desk.ask("slow")
    assert desk.noted == ["slow begun", *all_of("last", "first"), "slow ended", "slow reported"]
    assert desk.jobs.is_idle


@pytest.mark.parametrize(("started", "other"), [("quick", "other"), ("slow", "slow too"), ("quick", "slow")])
def test_started_jobs_are_finished_first(desk: Desk, started: str, other: str) -> None:
    desk.meanwhile = partial(desk.ask, other, 9)
    desk.ask(started)
    assert desk.noted == all_of(started, other)


@pytest.mark.parametrize("error", [ValueError("boom"), SystemExit("boom")])
def test_failed_quick_job_does_not_end_slow_job(desk: Desk, error: BaseException) -> None:
    desk.meanwhile = partial(desk.ask, "quick", error=error)
    desk.ask("slow")
    assert desk.noted == ["slow begun", "quick begun", "quick failed: boom", "slow ended", "slow reported"]


@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("aloud", [True, False])
def test_stopped_job_ends_without_result(desk: Desk, nested: bool, aloud: bool) -> None:
    def stop() -> None:
        (desk.jobs.cancel if aloud else desk.jobs.stop)()
        desk.ask("since")
        assert desk.noted[-1] != "since begun"

    def ask_and_stop() -> None:
        desk.meanwhile = stop
        desk.ask("quick")

    desk.meanwhile = ask_and_stop if nested else stop
    desk.ask("slow")
    started = ["slow", "quick"][: 1 + nested]
    cancelled = [f"{name} cancelled" for name in started if aloud]
    assert desk.noted == [*(f"{name} begun" for name in started), *cancelled, *all_of("since")]
    assert desk.jobs.is_idle


def test_progress_covers_all_jobs_with_time_left(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    messages: List[Any] = []
    desk.jobs.progress.connect(lambda *step: messages.append(step))

    def task(job: Job, progress: Progress) -> None:
        desk.ask("quick")
        progress(0.6)
        desk.jobs._since, job.since, job.before = 0.0, 100.0, 0.2
        monkeypatch.setattr("ui.window.jobs.time.monotonic", lambda: 140.0)
        desk.jobs._report_progress()

    desk._add("slow", task, slow=True)
    assert messages == [("slow, about 40\N{NO-BREAK SPACE}s left", 0.8)]


def test_cancelling_is_no_failure(desk: Desk) -> None:
    messages: List[Any] = []

    def task(_job: Job, progress: Progress) -> None:
        desk.jobs.stop()
        try:
            progress(0.1)
        except Cancelled as error:
            messages.append(error)
            raise

    desk.jobs.add(Job("cancelled", task, messages.append, messages.append))
    assert [type(item) for item in messages] == [Cancelled]


def test_errors_at_the_end_are_reported(desk: Desk) -> None:
    desk.meanwhile = partial(desk.ask, "other")
    messages: List[BaseException] = []

    def finish(_found: object) -> None:
        raise ValueError("boom")

    desk.jobs.add(Job("it", lambda _, progress: desk._work("it", None, progress), finish, messages.append))
    assert [str(error) for error in messages] == ["boom"]
    assert desk.noted == ["it begun", "it ended", *all_of("other")]


def test_job_stopped_in_pause_runs_no_further_step(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.meanwhile = desk.jobs._pause_jobs
    monkeypatch.setattr(desk.jobs._may_go_on, "wait", lambda _seconds: desk.jobs.stop())
    desk.ask("quick")
    assert desk.noted == ["quick begun"]
    assert desk.jobs.is_idle


def test_jobs_pause_while_something_is_drawn(desk: Desk) -> None:
    shown: List[Any] = []
    rests = lambda: not desk.jobs._may_go_on.is_set()  # noqa: E731 - short
    desk.jobs.draw(rests, shown.append)
    assert shown == [True]
    assert not rests()
    desk.jobs.close()
    desk.jobs.draw(rests, shown.append)
    assert shown == [True]


def test_task_calls_main_thread(desk: Desk) -> None:
    desk.do(lambda job: desk.jobs.on_main(job, lambda: desk.anki.on_main))
    desk.do(lambda job: desk.jobs.on_main(job, lambda: {}["nothing"]))
    assert desk.noted == ["True reported", "it failed: 'nothing'"]

    def stopped(job: Job) -> None:
        desk.jobs.stop()
        desk.jobs.on_main(job, pytest.fail)

    desk.do(stopped)
    assert len(desk.noted) == 2


def test_last_step_alone_is_on_main_thread(desk: Desk) -> None:
    noted: List[bool] = []

    def ask() -> None:
        finish = lambda _: noted.append(desk.anki.on_main)  # noqa: E731 - short
        desk.jobs.add(Job("it", lambda *_: noted.append(desk.anki.on_main), finish, pytest.fail))

    desk.meanwhile = ask
    desk.ask("slow")
    assert noted == [False, True]


def test_collection_is_read_on_its_own_thread(desk: Desk) -> None:
    noted: List[bool] = []

    def reading(_col: Any) -> Any:
        for done in (1, 2):
            noted.append(desk.anki.on_collection)
            yield done, 2
        return "all of it"

    desk.do(lambda job: desk.jobs.read_collection(job, reading, Progress()))
    assert desk.noted == ["all of it reported"]
    assert noted == [True, True]


def test_different_collection_stops_reading(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.window.jobs._TURN_SECONDS", 0)

    def reading(_col: Any) -> Any:
        desk.anki.col = object()  # type: ignore[assignment]
        yield 1, 2
        pytest.fail("that of another profile was read")

    raised: List[BaseException] = []
    desk.jobs.add(
        Job("", lambda job, _: desk.jobs.read_collection(job, reading, Progress()), raised.append, raised.append)
    )
    assert [type(error) for error in raised] == [CollectionClosed]

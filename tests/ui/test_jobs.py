"""In which order the window's jobs are done: here each at once, on the only thread."""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, List, Optional

import pytest
from one_thread import Anki

from evaluator.progress import Cancelled, Progress
from ui.window.jobs import Job, Jobs
from ui.window.work import Work


class Desk:
    """Notes what is begun and ended; each job takes two steps, between which ``meanwhile`` happens, if to that job."""

    def __init__(self) -> None:
        self.jobs = Jobs(Anki(), None)
        self.noted: List[str] = []
        self.meanwhile: Optional[Callable[[], None]] = None

    def ask(self, name: str, turn: int = 0, *, error: Optional[BaseException] = None) -> None:
        """A job; slow if its name says so."""
        note = self.noted.append
        self.jobs.add(
            Job(
                title=name,
                task=partial(self._work, name, error),
                finish=lambda found: note(f"{found} told"),
                fail=lambda raised: note(f"{name} failed: {raised}"),
                slow=name.startswith("slow"),
                turn=turn,
            )
        )

    def _work(self, name: str, error: Optional[BaseException], _work: Work, progress: Progress) -> str:
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


def test_a_slow_job_works_out_quick_ones_between_its_steps(desk: Desk) -> None:
    """What was asked last first; each is told before the next begins, for that may build on it."""
    desk.meanwhile = lambda: (desk.ask("first", 1), desk.ask("last", 2), None)[-1]
    desk.ask("slow")
    quick = [f"{name} {what}" for name in ("last", "first") for what in ("begun", "ended", "told")]
    assert desk.noted == ["slow begun", *quick, "slow ended", "slow told"]
    assert desk.jobs.over


@pytest.mark.parametrize(("begun", "other"), [("quick", "other"), ("slow", "slow too"), ("quick", "slow")])
def test_else_what_has_begun_is_finished_first(desk: Desk, begun: str, other: str) -> None:
    desk.meanwhile = partial(desk.ask, other, 9)
    desk.ask(begun)
    assert desk.noted == [f"{name} {what}" for name in (begun, other) for what in ("begun", "ended", "told")]


@pytest.mark.parametrize("error", [ValueError("boom"), SystemExit("boom")])
def test_a_quick_one_that_fails_does_not_end_the_slow_one(desk: Desk, error: BaseException) -> None:
    desk.meanwhile = partial(desk.ask, "quick", error=error)
    desk.ask("slow")
    assert desk.noted == ["slow begun", "quick begun", "quick failed: boom", "slow ended", "slow told"]


@pytest.mark.parametrize("nested", [True, False])
def test_what_is_stopped_is_ended_and_never_told(desk: Desk, nested: bool) -> None:
    """Nor does it begin what was asked since."""

    def stop() -> None:
        desk.jobs.stop()
        desk.jobs.may_begin = lambda: False
        desk.ask("since")

    def ask_and_stop() -> None:
        desk.meanwhile = stop
        desk.ask("quick")

    desk.meanwhile = ask_and_stop if nested else stop
    desk.ask("slow")
    assert desk.noted == ["slow begun", "quick begun"][: 1 + nested]
    desk.jobs.stop()
    assert desk.jobs.over


def test_to_be_cancelled_is_no_failure(desk: Desk) -> None:
    """A task that is told so raises it; nobody hears of it."""
    told: List[Any] = []

    def task(work: Work, progress: Progress) -> None:
        desk.jobs.stop()
        try:
            progress(0.1)
        except Cancelled as error:
            told.append(error)
            raise

    desk.jobs.add(Job("cancelled", task, told.append, told.append))
    assert [type(one) for one in told] == [Cancelled]


def test_nothing_is_begun_while_it_may_not(desk: Desk) -> None:
    """As while the evaluation itself still runs: two computations would take twice as long."""
    desk.jobs.may_begin = lambda: False
    desk.ask("quick")
    assert desk.noted == []
    desk.jobs.may_begin = lambda: True
    desk.ask("another")
    assert "quick told" in desk.noted

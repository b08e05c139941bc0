"""Work of the window on other threads, driven here without a window."""

from __future__ import annotations

from typing import Any, List

import pytest
from one_thread import Anki

from evaluator.progress import SILENT, Cancelled
from ui.window.work import Work


def failed(error: BaseException) -> None:
    raise error


def test_what_a_task_returns_is_told() -> None:
    told: List[str] = []
    work = Work(Anki())
    work.background(lambda: "the end", told.append, failed)
    assert told == ["the end"]
    assert work.over


def test_whatever_a_task_raises_is_told() -> None:
    """A panic of Anki's backend, which is no Exception, would end Anki."""

    class Panic(BaseException):
        pass

    def panics() -> None:
        raise Panic

    told: List[BaseException] = []
    Work(Anki()).background(panics, pytest.fail, told.append)
    assert [type(error) for error in told] == [Panic]


def test_what_is_stopped_while_it_rests_computes_no_further_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where Cancel is clicked while a graph is drawn, for which the arithmetic is held. Nothing is called then."""
    work, computed = Work(Anki()), []
    work.hold(True, "a graph")
    monkeypatch.setattr(work._go_on, "wait", lambda _seconds: work.stop())

    def task() -> None:
        work.pause()
        computed.append("a step")

    work.background(task, pytest.fail, pytest.fail)
    assert computed == []
    assert work.over
    assert work.at_rest


def test_a_task_asks_the_main_thread() -> None:
    """And gets what that returns or raises there; once stopped it is ended instead."""
    work = Work(Anki())
    assert work.on_main(lambda: 5) == 5
    with pytest.raises(KeyError):
        work.on_main(lambda: {}["nothing"])
    work.stop()
    with pytest.raises(Cancelled):
        work.on_main(pytest.fail)


def test_between_two_steps_only_what_follows_is_on_the_main_thread() -> None:
    """To work out a quick question there would freeze Anki."""
    anki, noted = Anki(), []
    work = Work(anki)

    def task() -> None:
        work.at_once(lambda: noted.append(anki.on_main), lambda _: noted.append(anki.on_main), failed)

    work.background(task, lambda _: None, failed)
    assert noted == [False, True]


def test_the_collection_is_read_on_its_own_thread() -> None:
    """Else a review or a sync could come between."""
    anki, noted = Anki(), []

    def reading(_col: Any) -> Any:
        for done in (1, 2):
            noted.append(anki.on_collection)
            yield done, 2
        return "all of it"

    assert Work(anki).read_collection(reading, SILENT) == "all of it"
    assert noted == [True, True]

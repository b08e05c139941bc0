"""Calls of another's optimiser on threads of their own, with fakes that sleep, fail and count."""

from __future__ import annotations

import threading
import time
from typing import Any, Callable, Dict, Generator, List, Sequence, Tuple

import pytest
from catalogue_helpers import equipped, optimiser

from evaluator.errors import OptimiserFailed
from evaluator.evaluation import evaluate
from evaluator.fitting import elsewhere
from evaluator.fitting.data import Items
from evaluator.fitting.elsewhere import BETWEEN_YIELDS, Calls
from evaluator.options import Options
from evaluator.steps import run

FIVE = (1, 2, 3, 4, 5)
PATIENCE = 20.0


def processors(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """A machine with so many."""
    monkeypatch.setattr("os.cpu_count", lambda: count)


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    processors(monkeypatch, 2)


def finished(work: Generator[int, None, Any]) -> Tuple[Any, List[int]]:
    """What it returns, and what it yielded before."""
    yielded = []
    while True:
        try:
            yielded.append(next(work))
        except StopIteration as end:
            return end.value, yielded


class Fake:
    """Takes ``seconds`` for each fold, times its size if given; notes which ran at a time, and on what threads."""

    def __init__(self, seconds: float = 0.02, sizes: Sequence[int] = ()) -> None:
        self.seconds = seconds
        self.sizes = sizes
        self.begun: List[int] = []
        self.began_at: Dict[int, float] = {}
        self.together: List[Tuple[int, ...]] = []
        self.daemons: List[bool] = []
        self._running: List[int] = []
        self._lock = threading.Lock()

    def __call__(self, fold: int) -> Sequence[float]:
        with self._lock:
            self.begun.append(fold)
            self.began_at[fold] = time.monotonic()
            self.daemons.append(threading.current_thread().daemon)
            self._running.append(fold)
            self.together.append(tuple(sorted(self._running)))
        time.sleep(self.seconds * (self.sizes[fold] if self.sizes else 1))
        with self._lock:
            self._running.remove(fold)
        return (float(fold),)


class TestOrder:
    """Which call runs when."""

    def test_the_answers_are_in_the_order_of_the_folds(self) -> None:
        """Whatever ends first."""
        answers, _ = finished(Calls(lambda fold: time.sleep(0.01 * fold) or (float(fold),), FIVE).answers())
        assert answers == [(0.0,), (1.0,), (2.0,), (3.0,), (4.0,)]

    def test_small_calls_run_two_at_a_time(self) -> None:
        """The largest first; on threads that do not keep the process alive."""
        fake = Fake()
        finished(Calls(fake, FIVE).answers())
        assert fake.begun[:2] in ([4, 3], [3, 4])
        assert max(map(len, fake.together)) == 2
        assert all(fake.daemons)

    def test_large_calls_have_only_so_much_room(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The largest beside the second smallest, the two in between beside each other: never 1.4 times the largest."""
        monkeypatch.setattr(elsewhere, "ALWAYS_ROOM", 0)
        fake = Fake(0.05, FIVE)
        finished(Calls(fake, FIVE).answers())
        assert sorted(fake.begun) == [0, 1, 2, 3, 4]
        assert all(sum(FIVE[fold] for fold in together) <= 1.4 * 5 for together in fake.together)
        assert (1, 4) in fake.together
        assert (2, 3) in fake.together

    def test_large_calls_do_not_begin_together(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The second waits until the first has built what it needs."""
        monkeypatch.setattr(elsewhere, "ALWAYS_ROOM", 0)
        monkeypatch.setattr(elsewhere, "SECONDS_TO_BEGIN", 0.1)
        fake = Fake(0.3)
        finished(Calls(fake, (1, 2)).answers())
        assert fake.begun == [1, 0]
        assert fake.began_at[0] - fake.began_at[1] >= 0.2

    def test_one_processor(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """One call at a time, and none ahead."""
        processors(monkeypatch, 1)
        fake = Fake()
        calls = Calls(fake, FIVE)
        calls.begin_ahead()
        assert list(calls.beginning()) == []
        assert fake.begun == []
        answers, _ = finished(calls.answers())
        assert len(answers) == 5
        assert fake.begun == [4, 3, 2, 1, 0]
        assert max(map(len, fake.together)) == 1


class TestAhead:
    """One call begins before anyone waits for it."""

    def test_only_one_thread_works_until_the_answers_are_asked_for(self) -> None:
        """The other processor is in use."""
        fake = Fake()
        calls = Calls(fake, FIVE)
        calls.begin_ahead()
        time.sleep(0.05)
        assert fake.begun[0] == 4
        assert max(map(len, fake.together)) == 1
        assert len(finished(calls.answers())[0]) == 5
        assert finished(calls.answers())[0] == [(float(fold),) for fold in range(5)]
        assert len(fake.begun) == 5

    def test_its_beginning_can_be_waited_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It takes much memory only then."""
        monkeypatch.setattr(elsewhere, "ALWAYS_ROOM", 0)
        monkeypatch.setattr(elsewhere, "SECONDS_TO_BEGIN", 0.3)
        fake = Fake(1.0)
        calls = Calls(fake, (1,))
        calls.begin_ahead()
        started = time.monotonic()
        assert list(calls.beginning())
        assert fake.begun == [0]
        assert 0.25 <= time.monotonic() - started < 0.9
        assert list(calls.beginning()) == []
        calls.stop()

    def test_in_an_evaluation(self) -> None:
        """The optimiser works while others are fitted, and its numbers are the same."""
        begun: List[int] = []
        real = optimiser()

        def noted(items: Items) -> Sequence[float]:
            begun.append(len(items.start))
            found: Sequence[float] = real(items)
            return found

        options = Options(algorithms=("AVG", "FSRS-5", "FSRS-rs"), folds=2)
        work = evaluate(equipped(), options, optimiser=noted)
        for progress in work:
            if progress.algorithm == "FSRS-rs":
                break
        assert begun
        together = run(work).report.result("FSRS-rs")
        alone = run(evaluate(equipped(), Options(algorithms=("FSRS-rs",), folds=2), optimiser=real))
        assert together.parameters_per_fold == alone.report.result("FSRS-rs").parameters_per_fold

    def test_it_is_waited_for_last(self) -> None:
        """Whatever comes later in the catalogue is fitted before; the columns of the predictions stay in its order."""
        options = Options(algorithms=("HLR", "FSRS-rs", "AVG"), folds=2)
        finished = []
        for progress in evaluate(equipped(), options, optimiser=optimiser()):
            if progress.evaluation is not None:
                finished.append(progress.algorithm)
                columns = list(progress.evaluation.predictions.predicted)
        assert finished == ["AVG", "HLR", "FSRS-rs"]
        assert columns == ["AVG", "FSRS-rs", "HLR"]


class TestProgress:
    """Nobody waits long."""

    def test_it_yields_while_a_call_takes_long(self) -> None:
        """At least every fifth of a second, with how many are done."""
        work = Calls(Fake(0.5), (1, 1, 1)).answers()
        yielded, gaps, before = [], [], time.monotonic()
        for done in work:
            gaps.append(time.monotonic() - before)
            before = time.monotonic()
            yielded.append(done)
        assert yielded == sorted(yielded)
        assert set(yielded) <= {0, 1, 2}
        assert len(yielded) >= 0.9 / BETWEEN_YIELDS / 2
        assert sorted(gaps)[len(gaps) // 2] <= 0.2

    def test_short_calls_are_not_waited_for_longer_than_they_take(self) -> None:
        """The end of the last one is told at once."""
        started = time.monotonic()
        finished(Calls(lambda _: (), FIVE).answers())
        assert time.monotonic() - started < BETWEEN_YIELDS

    def test_no_thread_is_waited_for_when_nobody_asks_on(self) -> None:
        """The call that runs may go on for long; no other begins."""
        go_on, begun = threading.Event(), []

        def call(fold: int) -> Sequence[float]:
            begun.append(fold)
            go_on.wait(PATIENCE)
            return ()

        work = Calls(call, FIVE).answers()
        before = set(threading.enumerate())
        next(work)
        next(work)
        threads = set(threading.enumerate()) - before
        started = time.monotonic()
        work.close()
        assert time.monotonic() - started < 0.5
        assert any(thread.is_alive() for thread in threads)
        go_on.set()
        for thread in threads:
            thread.join(PATIENCE)
        assert sorted(begun) == [3, 4]


def failing(fold: int) -> Callable[[int], Sequence[float]]:
    """A call that fails on that fold."""

    def call(asked: int) -> Sequence[float]:
        if asked == fold:
            raise OptimiserFailed(detail=f"fold {asked}")
        return (1.0,)

    return call


class TestErrors:
    """What a call raises is raised where the answers are waited for."""

    @pytest.mark.parametrize("fold", range(5))
    def test_any_fold(self, fold: int) -> None:
        """Also the last one to be called."""
        with pytest.raises(OptimiserFailed) as caught:
            finished(Calls(failing(fold), FIVE).answers())
        assert caught.value.facts == {"detail": f"fold {fold}"}

    def test_the_only_one(self) -> None:
        """There is no other to wait for."""
        with pytest.raises(OptimiserFailed):
            finished(Calls(failing(0), (1,)).answers())

    def test_one_that_failed_ahead(self) -> None:
        """Nothing is raised before its turn; no other call begins."""
        begun = []

        def call(fold: int) -> Sequence[float]:
            begun.append(fold)
            raise OptimiserFailed(detail="")

        calls = Calls(call, FIVE)
        calls.begin_ahead()
        time.sleep(0.05)
        assert list(calls.beginning()) == []
        with pytest.raises(OptimiserFailed):
            finished(calls.answers())
        assert begun == [4]

    def test_what_is_no_exception(self) -> None:
        """A thread would swallow it."""

        def call(_: int) -> Sequence[float]:
            raise SystemExit

        with pytest.raises(SystemExit):
            finished(Calls(call, FIVE).answers())

    def test_the_others_are_not_waited_for(self) -> None:
        """One fails while another takes long."""
        go_on = threading.Event()

        def call(fold: int) -> Sequence[float]:
            if fold == 3:
                raise OptimiserFailed(detail="")
            go_on.wait(PATIENCE)
            return ()

        started = time.monotonic()
        with pytest.raises(OptimiserFailed):
            finished(Calls(call, FIVE).answers())
        assert time.monotonic() - started < PATIENCE / 2
        go_on.set()

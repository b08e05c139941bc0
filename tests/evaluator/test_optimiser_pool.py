"""Calls of another's optimiser on threads of their own, with fakes that wait, fail and count."""

from __future__ import annotations

import gc
import threading
import weakref
from types import SimpleNamespace
from typing import Callable, Dict, List, Mapping, Optional, Sequence

import pytest
from catalogue_helpers import equipped, optimiser
from waiting import PATIENCE, wait_until

from evaluator.errors import OptimiserFailed
from evaluator.evaluation import evaluate
from evaluator.fitting import anki_optimiser
from evaluator.fitting.anki_optimiser import BETWEEN_LOOKS, Items, OptimiserPool
from evaluator.options import Options
from evaluator.progress import SILENT, Cancelled, Progress
from evaluator.tally import Evaluation

FIVE = (1, 2, 3, 4, 5)


def processors(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: count)


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    processors(monkeypatch, 2)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of large calls: one begins to be quiet a tenth of a second later for each unit of its size."""
    clock = Clock()
    monkeypatch.setattr(anki_optimiser, "time", clock)
    monkeypatch.setattr(anki_optimiser, "LEAST_SIZE", 0)
    monkeypatch.setattr(anki_optimiser, "SECONDS_TO_BEGIN", 0.1)
    return clock


def together() -> Callable[[], object]:
    """What two calls wait for: until both of them run."""
    return threading.Barrier(2, timeout=PATIENCE).wait


class Fake:
    """Each call lasts until ``until`` of its fold returns, if there is one. Notes which began, and which have ended."""

    def __init__(self, until: Optional[Mapping[int, Callable[[], object]]] = None) -> None:
        self.until = until or {}
        self.begun: List[int] = []
        self.ended: List[int] = []
        self.most_at_a_time = 0
        self.daemons: List[bool] = []
        self._lock = threading.Lock()

    def __call__(self, fold: int) -> Sequence[float]:
        with self._lock:
            self.begun.append(fold)
            self.daemons.append(threading.current_thread().daemon)
            self.most_at_a_time = max(self.most_at_a_time, len(self.begun) - len(self.ended))
        if fold in self.until:
            self.until[fold]()
        with self._lock:
            self.ended.append(fold)
        return (float(fold),)


class Hold:
    """Keeps calls from ending until they are let go."""

    def __init__(self) -> None:
        self._end = threading.Event()

    def __call__(self) -> None:
        assert self._end.wait(PATIENCE)

    def let_go(self) -> None:
        self._end.set()


class TestOrder:
    def test_the_answers_are_in_the_order_of_the_folds(self) -> None:
        fake = Fake()
        fake.until = {4: lambda: wait_until(lambda: {0, 1, 2, 3} == set(fake.ended))}
        answers = OptimiserPool(fake, FIVE).answers(SILENT)
        assert fake.ended[-1] == 4
        assert answers == [(0.0,), (1.0,), (2.0,), (3.0,), (4.0,)]

    def test_small_calls_run_two_at_a_time(self) -> None:
        """The largest first; on threads that do not keep the process alive."""
        both = together()
        fake = Fake({4: both, 3: both})
        calls = OptimiserPool(fake, FIVE)
        calls.answers(SILENT)
        assert fake.begun[:2] in ([4, 3], [3, 4])
        assert fake.most_at_a_time == calls._threads == 2
        assert all(fake.daemons)

    def test_large_calls_have_only_so_much_room(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The largest beside the second smallest, the two in between beside each other: never 1.4 times the largest."""
        monkeypatch.setattr(anki_optimiser, "LEAST_SIZE", 0)
        sums = []

        def noting(wait: Callable[[], object] = lambda: None) -> Callable[[], object]:
            return lambda: (wait(), sums.append(calls._running))

        one, other = together(), together()
        fake = Fake({0: noting(), 1: noting(one), 2: noting(other), 3: noting(other), 4: noting(one)})
        calls = OptimiserPool(fake, FIVE)
        calls.answers(SILENT)
        assert sorted(fake.begun) == [0, 1, 2, 3, 4]
        assert max(sums) <= 1.4 * 5

    def test_large_calls_do_not_begin_together(self, clock: Clock) -> None:
        began_at: Dict[int, float] = {}
        both = together()

        def call(fold: int) -> Sequence[float]:
            began_at[fold] = clock.now
            both()
            return ()

        told = []

        def tell(*step: object) -> None:
            told.append(step)
            if len(told) >= 3 and 1 in began_at:
                clock.now = 0.4

        OptimiserPool(call, (1, 3)).answers(Progress(tell))
        assert began_at == {1: 0.0, 0: 0.4}

    @pytest.mark.parametrize(("has", "may_use"), [(1, None), (2, 1)])
    def test_one_processor(self, has: int, may_use: Optional[int], monkeypatch: pytest.MonkeyPatch) -> None:
        processors(monkeypatch, has)
        fake = Fake()
        calls = OptimiserPool(fake, FIVE, may_use)
        calls.begin_ahead()
        assert not calls.let_begin(SILENT)
        assert fake.begun == []
        answers = calls.answers(SILENT)
        assert len(answers) == 5
        assert fake.begun == [4, 3, 2, 1, 0]
        assert fake.most_at_a_time == calls._threads == 1


class TestAhead:
    def test_only_one_thread_works_until_the_answers_are_asked_for(self) -> None:
        both = together()
        fake = Fake({4: both, 3: both})
        calls = OptimiserPool(fake, FIVE)
        calls.begin_ahead()
        wait_until(lambda: fake.begun)
        assert fake.begun == [4]
        assert calls._threads == 1
        assert len(calls.answers(SILENT)) == 5
        assert calls.answers(SILENT) == [(float(fold),) for fold in range(5)]
        assert len(fake.begun) == 5

    def test_its_beginning_can_be_waited_for(self, clock: Clock) -> None:
        hold = Hold()
        fake = Fake({0: hold})
        calls = OptimiserPool(fake, (3,))
        calls.begin_ahead()
        told = []

        def tell(*step: object) -> None:
            told.append(step)
            if len(told) >= 3 and fake.begun:
                clock.now = 0.4

        assert calls.let_begin(Progress(tell))
        assert clock.now == 0.4
        assert not calls.let_begin(SILENT)
        assert (fake.begun, fake.ended) == ([0], [])
        hold.let_go()
        calls.stop()

    def test_only_small_ones_run_beside_what_needs_much_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(anki_optimiser, "LEAST_SIZE", 0)
        monkeypatch.setattr(anki_optimiser, "SECONDS_TO_BEGIN", 0)
        hold = Hold()
        fake = Fake({4: hold})
        calls = OptimiserPool(fake, FIVE)
        calls.begin_ahead()
        wait_until(lambda: fake.begun)
        calls.let_begin(SILENT, much_memory=True)
        hold.let_go()
        wait_until(lambda: len(fake.ended) == 3)
        assert fake.begun == [4, 1, 0]
        assert len(calls.answers(SILENT)) == len(fake.begun) == 5

    def test_in_an_evaluation(self) -> None:
        """The optimiser works while others are fitted, and its numbers are the same."""
        begun: List[int] = []
        real = optimiser()

        def noted(items: Items) -> Sequence[float]:
            begun.append(len(items.start))
            found: Sequence[float] = real(items)
            return found

        options = Options(algorithms=("AVG", "FSRS-5", "FSRS-rs"), folds=2)
        ahead = []

        def tell(_fraction: float, _stage: str, algorithm: str, *_: int) -> None:
            if algorithm == "FSRS-rs":
                ahead.append(bool(begun))

        work = evaluate(equipped(), options, optimiser=noted, progress=Progress(tell))
        assert ahead[0]
        together = work.report.result("FSRS-rs")
        alone = evaluate(equipped(), Options(algorithms=("FSRS-rs",), folds=2), optimiser=real)
        assert together.parameters_per_fold == alone.report.result("FSRS-rs").parameters_per_fold

    def test_it_is_waited_for_last(self) -> None:
        """Whatever comes later in the catalogue is fitted before; the columns of the predictions stay in its order."""
        options = Options(algorithms=("HLR", "FSRS-rs", "AVG"), folds=2)
        finished: List[Evaluation] = []
        evaluate(equipped(), options, optimiser=optimiser(), finished=finished.append)
        predicted = [list(evaluation.predictions.predicted) for evaluation in finished]
        assert predicted == [["AVG"], ["AVG", "HLR"], ["AVG", "FSRS-rs", "HLR"]]

    def test_what_it_was_given_is_let_go_of(self) -> None:
        """With the evaluation, and not only when Python looks for cycles, which in Anki is seldom."""
        gc.disable()
        try:
            options = Options(algorithms=("AVG", "FSRS-rs"), folds=2)
            evidence = evaluate(equipped(), options, optimiser=optimiser()).evidence
            data = weakref.ref(evidence.data)
            del evidence
            for thread in threading.enumerate():
                if thread.name == "optimiser":
                    thread.join(PATIENCE)
            assert data() is None
        finally:
            gc.enable()


class TestProgress:
    def test_it_tells_while_a_call_takes_long(self) -> None:
        assert BETWEEN_LOOKS <= 0.2
        hold = Hold()
        fake = Fake({0: hold, 1: hold, 2: hold})
        told: List[int] = []

        def tell(_fraction: float, _stage: str, _algorithm: str, done: int, total: int) -> None:
            told.append(done)
            assert total == 3
            if len(told) == 5:
                assert fake.ended == []
                hold.let_go()

        OptimiserPool(fake, (1, 1, 1)).answers(Progress(tell))
        assert told[:5] == [0] * 5
        assert told == sorted(told)
        assert set(told) <= {0, 1, 2}

    def test_short_calls_are_not_waited_for_longer_than_they_take(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The end of the last one is told, and not found at the next look."""
        woken, looks = [], []

        class Noting(threading.Condition):
            def wait(self, timeout: Optional[float] = None) -> bool:
                woken.append(super().wait(timeout))
                return woken[-1]

        monkeypatch.setattr(anki_optimiser, "threading", SimpleNamespace(Condition=Noting, Thread=threading.Thread))
        monkeypatch.setattr(anki_optimiser, "BETWEEN_LOOKS", PATIENCE)
        hold = Hold()

        def tell(*step: object) -> None:
            looks.append(step)
            threading.Timer(0.05, hold.let_go).start()  # while it is waited for

        assert OptimiserPool(Fake({0: hold}), (1,)).answers(Progress(tell)) == [(0.0,)]
        assert len(looks) == 1
        assert all(woken)

    def test_no_thread_is_waited_for_when_nobody_asks_on(self) -> None:
        hold = Hold()
        fake = Fake(dict.fromkeys(range(5), hold))
        before = set(threading.enumerate())
        threads = set()

        def cancel(*_: object) -> None:
            wait_until(lambda: len(fake.begun) == 2)
            threads.update(set(threading.enumerate()) - before)
            raise Cancelled

        with pytest.raises(Cancelled):
            OptimiserPool(fake, FIVE).answers(Progress(cancel))
        assert len(threads) == 2
        assert fake.ended == []
        hold.let_go()
        for thread in threads:
            thread.join(PATIENCE)
        assert sorted(fake.begun) == sorted(fake.ended) == [3, 4]


def failing(fold: int) -> Callable[[int], Sequence[float]]:
    def call(asked: int) -> Sequence[float]:
        if asked == fold:
            raise OptimiserFailed(detail=f"fold {asked}")
        return (1.0,)

    return call


class TestErrors:
    """What a call raises is raised where the answers are waited for."""

    @pytest.mark.parametrize("fold", range(5))
    def test_any_fold(self, fold: int) -> None:
        with pytest.raises(OptimiserFailed) as caught:
            OptimiserPool(failing(fold), FIVE).answers(SILENT)
        assert caught.value.facts == {"detail": f"fold {fold}"}

    def test_the_only_one(self) -> None:
        with pytest.raises(OptimiserFailed):
            OptimiserPool(failing(0), (1,)).answers(SILENT)

    def test_one_that_failed_ahead(self) -> None:
        begun = []

        def call(fold: int) -> Sequence[float]:
            begun.append(fold)
            raise OptimiserFailed(detail="")

        before = set(threading.enumerate())
        calls = OptimiserPool(call, FIVE)
        calls.begin_ahead()
        for thread in set(threading.enumerate()) - before:
            thread.join(PATIENCE)
        assert not calls.let_begin(SILENT)
        with pytest.raises(OptimiserFailed):
            calls.answers(SILENT)
        assert begun == [4]

    def test_what_is_no_exception(self) -> None:
        def call(_: int) -> Sequence[float]:
            raise SystemExit

        with pytest.raises(SystemExit):
            OptimiserPool(call, FIVE).answers(SILENT)

    def test_the_others_are_not_waited_for(self) -> None:
        hold = Hold()
        fake = Fake({4: hold})

        def call(fold: int) -> Sequence[float]:
            if fold == 3:
                wait_until(lambda: 4 in fake.begun)
                raise OptimiserFailed(detail="")
            return fake(fold)

        with pytest.raises(OptimiserFailed):
            OptimiserPool(call, FIVE).answers(SILENT)
        assert fake.ended == []
        hold.let_go()

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Dict, List
from unittest.mock import Mock

import fake
import pytest
from aqt.qt import QObject
from one_thread import Anki

from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.scope import SAME_DAY_TABLE
from tools.simulate import Learner, simulate
from ui import engine
from ui.anki.settings import Choices, Settings
from ui.window.jobs import Job
from ui.window.model import Model
from ui.window.result_store import FAILED, STOPPED, SectionRequest

#: The order in which the made-up evaluation finishes them.
FIRST, SECOND = fake.NAMES[:2]


class Manager:
    """Anki's manager of add-ons, with one configuration."""

    def __init__(self) -> None:
        self.config: Dict[str, Any] = {}

    def getConfig(self, _module: str) -> Dict[str, Any]:  # noqa: N802 - Anki's name
        return self.config

    def writeConfig(self, _module: str, config: Dict[str, Any]) -> None:  # noqa: N802 - Anki's name
        self.config = config


class Person:
    """Evaluates a made-up collection, and notes all that the model says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        self.settings = Manager()
        self.anki: Any = Anki()
        self.anki.addonManager = self.settings
        self._parent = QObject()
        self.model = Model(self.anki, self._parent)
        self.emitted: List[str] = []
        for name in ("started", "grown", "finished", "cancelled", "failed"):
            getattr(self.model, name).connect(lambda *_, name=name: self.emitted.append(name))
        monkeypatch.setattr("ui.window.model._load_libraries", lambda: None)
        monkeypatch.setattr("ui.window.jobs._MAX_PAUSE", 0)  # there is no event loop that would end a rest
        monkeypatch.setattr(engine, "read_steps", self._read)
        monkeypatch.setattr(engine, "fsrs_start", lambda _snapshot: None)
        self.meets()

    def _read(self, _col: object, _scope: object, _parts: object) -> Any:
        yield 1, 2
        return SimpleNamespace(revlog=(), decks=(), presets=(), recorded=())

    def meets(self, **how: Any) -> None:
        """Choose how the next evaluation goes, see :class:`fake.FakeEvaluate`."""
        self._patch.setattr(engine, "evaluate", fake.FakeEvaluate(**how))

    @property
    def rows(self) -> List[str]:
        """The algorithms that are known."""
        report = self.model.findings.report
        return [] if report is None else sorted(row.algorithm for row in report.results)


@pytest.fixture
def person(qapp: object, monkeypatch: pytest.MonkeyPatch) -> Person:
    return Person(monkeypatch)


def test_rows_come_one_by_one(person: Person) -> None:
    person.model.evaluate()
    assert person.emitted == ["started", *["grown"] * len(fake.NAMES), "finished"]
    assert person.rows == sorted(fake.NAMES)
    assert not person.model.running
    assert person.model.catalog is not None


@pytest.mark.parametrize("after", [0, 2])
def test_finished_rows_are_kept_after_cancelling(person: Person, after: int) -> None:
    cancel = person.model.jobs.cancel
    if after:
        person.model.grown.connect(lambda report: cancel() if len(report.results) == after else None)
    else:
        person.model.chosen.connect(lambda: cancel() if person.model.catalog is not None else None)
    person.model.evaluate()
    assert person.emitted == ["started", *["grown"] * after, *["finished"] * bool(after), "cancelled"]
    assert person.rows == sorted((FIRST, SECOND)[:after])
    assert not person.model.running


@pytest.mark.parametrize("after", [0, 2])
def test_finished_rows_are_kept_after_a_failure(person: Person, after: int) -> None:
    person.meets(raises=RuntimeError("boom"), raises_after=after)
    person.model.evaluate()
    assert person.emitted == ["started", *["grown"] * after, *["finished"] * bool(after), "failed"]
    assert person.rows == sorted((FIRST, SECOND)[:after])
    assert "RuntimeError" in person.model.error_report(RuntimeError())


def test_stopped_run_leaves_no_rows(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def evaluate(*_: object, finished: Any, **_more: object) -> None:
        person.meets(raises=RuntimeError("boom"))
        person.model.evaluate()
        finished(fake.evaluation([FIRST]))

    monkeypatch.setattr(engine, "evaluate", evaluate)
    person.model.evaluate()
    assert person.emitted == ["started", "started", "failed"]
    assert person.rows == []


def test_run_fails_without_collection(person: Person) -> None:
    person.anki.col = None
    person.model.evaluate()
    assert person.emitted == ["started", "failed"]


def test_choice_takes_effect_and_is_remembered(person: Person) -> None:
    person.settings.config = {"algorithms": ["all"], "baseline": "AVG"}
    person.model.evaluate()
    person.emitted.clear()
    person.model.choose_algorithms(["SM-2"])
    settings = person.model.settings()
    assert (settings.algorithms, settings.baseline) == (("SM-2",), "AVG")
    assert person.emitted[0] == "started"
    assert person.settings.config == {"algorithms": ["SM-2"], "baseline": "AVG"}


def test_choosing_table_keeps_other_choices(person: Person) -> None:
    person.settings.config = {"folds": 4, "reviews": {"since": "2024-05-01", "outlier_filter": False}}
    person.model.choose_table(SAME_DAY_TABLE)
    chosen = Choices(dt.date(2024, 5, 1), SAME_DAY_TABLE, outlier_filter=False)
    assert person.model.settings() == Settings(folds=4, reviews=chosen)
    assert person.emitted[-1] == "finished"


def test_closed_window_emits_nothing(person: Person) -> None:
    person.model.grown.connect(lambda _: person.model.close())
    person.model.evaluate()
    assert person.emitted == ["started", "grown"]
    assert person.model.findings.report is None
    assert not person.model.findings.complete
    assert person.model.jobs.is_idle


def test_json_names_failed_section(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    model, messages = person.model, []
    monkeypatch.setitem(engine.SECTIONS, "hard", replace(engine.SECTIONS["hard"], compute=Mock(side_effect=TypeError)))
    log = simulate(Learner(days=120)).snapshot
    model.findings.take(evaluate(log, Options(("AVG", "SM-2"), folds=2)), complete=True)
    model.findings.failed.connect(lambda _title, error: messages.append(type(error)))
    model.saved.connect(messages.append)
    model.save("report.json", ["hard"], lambda evaluation, _: evaluation.report.section("hard").code)
    assert messages == [TypeError, "mistake"]
    assert model.findings.state(SectionRequest("hard")) == FAILED


def test_stopped_section_is_computed_for_file(person: Person) -> None:
    model, requested = person.model, SectionRequest("comparisons")
    model.findings.take(
        evaluate(simulate(Learner(days=120)).snapshot, Options(("AVG", "SM-2"), folds=2)), complete=True
    )

    def ask_and_cancel(*_: object) -> None:
        model.findings.request_results([requested])
        model.jobs.cancel()

    model.jobs.add(Job("", ask_and_cancel, pytest.fail, pytest.fail))
    assert model.findings.state(requested) == STOPPED
    saved: List[Any] = []
    model.saved.connect(saved.append)
    model.save("report.json", ["comparisons"], lambda evaluation, _: evaluation.report.section("comparisons"))
    assert saved == [model.findings.evaluation.report.section("comparisons")] != [None]

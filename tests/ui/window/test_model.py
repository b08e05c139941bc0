from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, List
from unittest.mock import Mock

import fake
import pytest
from aqt.qt import QObject
from made_findings import finding
from one_thread import Anki

from evaluator.scope import SAME_DAY_TABLE, ScopeChoice
from ui import engine
from ui.anki.settings import Choices, Settings
from ui.window.jobs import Job
from ui.window.model import Model, progress_text
from ui.window.result_store import FAILED, STOPPED, SectionRequest

#: The algorithms that the made-up evaluation finishes first.
FIRST, SECOND = fake.NAMES[:2]


class User:
    """A user of a model that evaluates a made-up collection.

    Attributes:
        config: the add-on's configuration.
        emitted: names of the emitted signals.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        self.config = {}
        self.anki = Anki()
        self.anki.addonManager = SimpleNamespace(getConfig=lambda _module: self.config, writeConfig=self._write_config)
        self._parent = QObject()
        self.model = Model(self.anki, self._parent)
        self.emitted = []
        for name in ("started", "grown", "finished", "cancelled", "failed"):
            getattr(self.model, name).connect(lambda *_, name=name: self.emitted.append(name))
        monkeypatch.setattr("ui.window.theme.warm_up", lambda: None)
        # Without an event loop, nothing ends a pause.
        monkeypatch.setattr("ui.window.jobs._MAX_PAUSE", 0)
        monkeypatch.setattr(engine, "read_steps", self._read)
        monkeypatch.setattr(engine, "fsrs_start", lambda _snapshot: None)
        self.set_outcome()

    def _write_config(self, _module: str, config: Any) -> None:
        self.config = config

    def _read(self, _col: object, _scope: object, _parts: object) -> Any:
        yield 1, 2
        return SimpleNamespace(revlog=(), decks=(), presets=(), recorded=())

    def set_outcome(self, **outcome: Any) -> None:
        """Choose the outcome of the next evaluation, see :class:`fake.FakeEvaluate`."""
        self._patch.setattr(engine, "evaluate", fake.FakeEvaluate(**outcome))

    @property
    def rows(self) -> List[str]:
        """Names of the algorithms with a result."""
        report = self.model.results.report
        return [] if report is None else sorted(row.algorithm for row in report.results)


@pytest.fixture
def user(qapp, monkeypatch):
    return User(monkeypatch)


def test_each_finished_row_is_emitted(user):
    numbers = []
    user.model.grown.connect(lambda *_: numbers.extend(re.findall(r"(\d) of", user.model.jobs._jobs[0].title)[:1]))
    user.model.evaluate()
    assert user.emitted == ["started", *["grown"] * len(fake.NAMES), "finished"]
    assert numbers == [*"1234567"]
    assert user.rows == sorted(fake.NAMES)
    assert not user.model.running
    assert user.model.catalog is not None


@pytest.mark.parametrize("after", [0, 2])
def test_finished_rows_are_kept_after_cancelling(user, after):
    cancel = user.model.jobs.cancel
    if after:
        user.model.grown.connect(lambda report: cancel() if len(report.results) == after else None)
    else:
        user.model.chosen.connect(lambda: cancel() if user.model.catalog is not None else None)
    user.model.evaluate()
    assert user.emitted == ["started", *["grown"] * after, *["finished"] * bool(after), "cancelled"]
    assert user.rows == sorted((FIRST, SECOND)[:after])
    assert not user.model.running


@pytest.mark.parametrize("after", [0, 2])
def test_finished_rows_are_kept_after_a_failure(user, after):
    user.model.evaluate()
    user.emitted.clear()
    user.set_outcome(raises=RuntimeError("boom"), raises_after=after)
    user.model.evaluate()
    assert user.emitted == ["started", *["grown"] * after, *["finished"] * bool(after), "failed"]
    assert user.rows == sorted((FIRST, SECOND)[:after])
    stage = "algorithm SM-2 5/5" if after else "preparing  0/0"
    facts = f"  reviews of: collection\n  at: {stage}\n  rows of the review log: 0\n  decks: 0\n  presets: 0\n"
    assert facts in user.model.error_report(RuntimeError())


def test_stopped_run_leaves_no_rows(user, monkeypatch):
    def evaluate(*_, on_update, **_more):
        user.set_outcome(raises=RuntimeError("boom"))
        user.model.evaluate()
        on_update(fake.evaluation([FIRST]))

    monkeypatch.setattr(engine, "evaluate", evaluate)
    user.model.evaluate()
    assert user.emitted == ["started", "started", "failed"]
    assert user.rows == []


@pytest.mark.parametrize(
    ("chosen", "name", "stored"), [(["SM-2"], "SM-2", "SM-2"), (["FSRS-7", "FSRS-6"], "fsrs-6-7", "all")]
)
def test_choice_takes_effect_and_is_remembered_unless_it_compares_versions(chosen, name, stored, user):
    user.config = {"algorithms": ["all"], "baseline": "AVG"}
    user.model.evaluate()
    user.emitted.clear()
    user.model.choose_algorithms(chosen, "")
    settings = user.model.settings()
    assert ([*settings.algorithms], settings.baseline) == ([name], "AVG")
    assert user.emitted[0] == "started"
    assert user.config == {"algorithms": [stored], "baseline": "AVG"}


def test_choosing_table_keeps_other_choices(user):
    user.config = {"folds": 4, "reviews": {"since": "2024-05-01", "outlier_filter": False}}
    chosen = Choices(dt.date(2024, 5, 1), SAME_DAY_TABLE, outlier_filter=False)
    user.model.choose_reviews(chosen)
    assert user.model.settings() == Settings(folds=4, reviews=chosen)
    assert user.emitted[-1] == "finished"


@pytest.mark.parametrize("end", ["close", "stop"])
def test_closed_or_stopped_window_emits_nothing(end, user):
    user.model.grown.connect(lambda _: getattr(user.model, end)())
    user.model.evaluate()
    assert user.emitted == ["started", "grown"]
    assert not user.model.running
    assert (user.model.results.report is None) == (end == "close")
    assert not user.model.results.complete
    assert not user.model.jobs._jobs


def test_json_names_failed_section(user, monkeypatch):
    model = user.model
    messages = []
    monkeypatch.setitem(
        engine.SECTIONS, "parameters", replace(engine.SECTIONS["parameters"], compute=Mock(side_effect=TypeError))
    )
    model.results.take(fake.small_evaluation(), complete=True)
    model.results.failed.connect(lambda _title, error: messages.append(type(error)))
    model.saved.connect(messages.append)
    model.save("report.json", ["parameters"], lambda evaluation, _: evaluation.report.section("parameters").code)
    assert messages == [TypeError, "mistake"]
    assert model.results.state(SectionRequest("parameters")) == FAILED


def test_stopped_section_is_computed_for_file(user):
    model = user.model
    requested = SectionRequest("parameters")
    model.results.take(fake.small_evaluation(), complete=True)

    def request_and_cancel(*_):
        model.results.request_results([requested])
        model.jobs.cancel()

    model.jobs.add(Job("", request_and_cancel, pytest.fail, pytest.fail))
    assert model.results.state(requested) == STOPPED
    saved = []
    model.saved.connect(saved.append)
    model.save("report.json", ["parameters"], lambda evaluation, _: evaluation.report.section("parameters"))
    assert saved == [model.results.evaluation.report.section("parameters")] != [None]


def test_preset_with_the_name_of_another_is_evaluated_by_its_own_name(user):
    presets = [SimpleNamespace(preset_id=number, name=name) for number, name in ((7, "Law"), (8, "Law"), (9, "Music"))]
    findings = [finding("right", kind, name=name, preset_id=8) for kind, name in (("preset", "Law (8)"), ("deck", "X"))]
    evaluation = Mock()
    evaluation.report.findings = findings
    evaluation.evidence.data.presets = presets
    for index, expected in enumerate((ScopeChoice("preset", "Law"), ScopeChoice("deck", "X"))):
        user.model.results.evaluation = evaluation
        user.model.evaluate_alone(index)
        assert user.model.scope == expected


@pytest.mark.parametrize(
    ("stage", "expected"),
    [
        ("reading", "Reading reviews: 2 of 5"),
        ("preparing", "Preparing the reviews"),
        ("algorithm", "3 of 6: FSRS-6 (optimized)"),
    ],
)
def test_progress_says_which_algorithm_runs(stage, expected):
    assert progress_text(stage, "FSRS-6 optimized", 2, 5, number=3, n_algorithms=6) == expected

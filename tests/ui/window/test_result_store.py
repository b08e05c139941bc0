from __future__ import annotations

from dataclasses import replace
from typing import Any, List
from unittest.mock import Mock

import pytest
from aqt.qt import QObject
from one_thread import Anki

from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.sections import add_sections
from evaluator.workload import estimate
from tools.simulate import Learner, simulate
from ui import engine
from ui.window.jobs import Job, Jobs
from ui.window.result_store import FAILED, READY, STOPPED, UNASKED, ResultStore, SectionRequest

WORKLOAD = SectionRequest("workload")


def test_newer_review_is_left_out(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimate, "MAX_CARDS", 40)  # so that it is quick
    parent = QObject()
    now = simulate(Learner(days=120)).snapshot
    read = now.until(int(now.revlog.review_id[-100]))
    evaluation = evaluate(read, Options(("AVG", "SM-2"), folds=2))
    findings = ResultStore(Jobs(Anki(), parent), lambda *_: now, parent)  # type: ignore[arg-type]
    findings.take(evaluation, complete=True)
    findings.request_results([WORKLOAD])
    expected = add_sections(evaluation, ["workload"], read).report.section("workload")
    assert findings.report is not None
    assert findings.report.section("workload") == expected
    assert findings.state(WORKLOAD) == READY


def test_cancelled_request_can_be_repeated(qapp: object) -> None:
    parent = QObject()
    evaluation = evaluate(simulate(Learner(days=40)).snapshot, Options(("AVG", "SM-2"), folds=2))
    jobs, states = Jobs(Anki(), parent), []  # type: ignore[arg-type]

    def read(job: Job, *_: object) -> Any:
        states.append(findings.state(WORKLOAD))
        jobs.cancel()
        return jobs.on_main(job, lambda: None)

    findings = ResultStore(jobs, read, parent)
    findings.take(evaluation, complete=True)
    requests: List[str] = [findings.state(WORKLOAD)]
    for again in (False, False, True):
        findings.request_results([WORKLOAD], again=again)
        requests.append(findings.state(WORKLOAD))
    assert requests == [UNASKED, STOPPED, STOPPED, STOPPED]
    assert len(states) == 2
    assert jobs.is_idle


def test_failed_section_is_computed_again_only_on_request(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    parent, compute, hard = QObject(), Mock(side_effect=TypeError), SectionRequest("hard")
    monkeypatch.setitem(engine.SECTIONS, "hard", replace(engine.SECTIONS["hard"], compute=compute))
    findings = ResultStore(Jobs(Anki(), parent), pytest.fail, parent)  # type: ignore[arg-type]
    findings.take(evaluate(simulate(Learner(days=40)).snapshot, Options(("AVG", "SM-2"), folds=2)), complete=True)
    for again, calls in ((False, 1), (False, 1), (True, 2)):
        findings.request_results([hard], again=again)
        assert (findings.state(hard), compute.call_count) == (FAILED, calls)


def test_latest_request_comes_first(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = QObject()
    evaluation = evaluate(simulate(Learner(days=40)).snapshot, Options(("AVG", "SM-2"), folds=2))
    jobs = Jobs(Anki(), parent)  # type: ignore[arg-type]
    findings = ResultStore(jobs, pytest.fail, parent)
    findings.take(evaluation, complete=True)
    started: List[str] = []

    def add(evaluation: Any, sections: List[str], *rest: Any, **how: Any) -> Any:
        started.extend(sections)
        return add_sections(evaluation, sections, *rest, **how)

    def ask(*_: object) -> None:
        for sections in (["parameters", "hard"], ["comparisons", "population"], ["hard"]):
            findings.request_results([SectionRequest(section) for section in sections])

    monkeypatch.setattr(engine, "add_sections", add)
    jobs.add(Job("", ask, lambda _: None, pytest.fail))
    assert started == ["hard", "comparisons", "population", "parameters"]


def test_two_algorithms_are_compared_once_all_have_finished(qapp: object) -> None:
    parent = QObject()
    evaluation = evaluate(simulate(Learner(days=40)).snapshot, Options(("AVG", "SM-2"), folds=2))
    findings = ResultStore(Jobs(Anki(), parent), pytest.fail, parent)  # type: ignore[arg-type]
    findings.take(evaluation, complete=False)
    assert findings.compare(("SM-2", "AVG")) is None
    findings.take(evaluation, complete=True)
    comparison = findings.compare(("SM-2", "AVG"))
    assert comparison is not None
    assert (comparison.algorithm, comparison.baseline) == ("SM-2", "AVG")
    losses = [evaluation.report.result(name).log_loss or 0.0 for name in ("SM-2", "AVG")]
    assert comparison.difference.value == pytest.approx(losses[0] - losses[1], abs=1e-12)

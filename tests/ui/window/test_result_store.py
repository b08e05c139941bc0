from __future__ import annotations

from dataclasses import replace
from unittest.mock import Mock

import fake
import pytest
from aqt.qt import QObject
from one_thread import Anki

from evaluator.evaluation import evaluate, show_subject
from evaluator.options import Options
from evaluator.sections import add_sections
from evaluator.workload import estimate
from tools.simulate import Learner, simulate
from ui import engine
from ui.window.jobs import Job, Jobs
from ui.window.result_store import FAILED, READY, STOPPED, UNASKED, ResultStore, SectionRequest

WORKLOAD = SectionRequest("workload")


@pytest.fixture
def parent(qapp):
    return QObject()


@pytest.fixture
def jobs(parent):
    return Jobs(Anki(), parent)  # type: ignore[arg-type]


@pytest.fixture
def store(jobs, parent):
    """A store with the small evaluation that must not read the collection."""
    store = ResultStore(jobs, pytest.fail, parent)
    store.take(fake.small_evaluation(), complete=True)
    return store


def test_newer_review_is_left_out(jobs, parent, monkeypatch):
    # With few cards, the simulation is fast.
    monkeypatch.setattr(estimate, "MAX_CARDS", 40)
    newer = simulate(Learner(days=120)).snapshot
    evaluated = newer.until(int(newer.revlog.review_id[-100]))
    evaluation = evaluate(evaluated, Options(("AVG", "SM-2"), folds=2))
    store = ResultStore(jobs, lambda *_: newer, parent)
    store.take(evaluation, complete=True)
    store.request_results([WORKLOAD])
    expected = add_sections(evaluation, ["workload"], evaluated).report.section("workload")
    assert store.report.section("workload") == expected
    assert store.state(WORKLOAD) == READY


def test_cancelled_request_can_be_repeated(jobs, parent):
    reads = []

    def read(job, *_):
        reads.append(None)
        jobs.cancel()
        return jobs.on_main(job, lambda: None)

    store = ResultStore(jobs, read, parent)
    store.take(fake.small_evaluation(), complete=True)
    states = [store.state(WORKLOAD)]
    for again in (False, False, True):
        store.request_results([WORKLOAD], again=again)
        states.append(store.state(WORKLOAD))
    assert states == [UNASKED, STOPPED, STOPPED, STOPPED]
    assert len(reads) == 2
    assert not jobs._jobs


def test_failed_section_is_computed_again_only_on_request(store, monkeypatch):
    compute = Mock(side_effect=TypeError)
    request = SectionRequest("parameters")
    monkeypatch.setitem(engine.SECTIONS, "parameters", replace(engine.SECTIONS["parameters"], compute=compute))
    for again, calls in ((False, 1), (False, 1), (True, 2)):
        store.request_results([request], again=again)
        assert (store.state(request), compute.call_count) == (FAILED, calls)


def test_latest_request_comes_first(store, jobs, monkeypatch):
    started = []

    def record_and_add(evaluation, sections, *arguments, **options):
        started.extend(sections)
        return add_sections(evaluation, sections, *arguments, **options)

    def request_sections(*_):
        for sections in (["parameters", "graphs"], ["population"], ["graphs"]):
            store.request_results([SectionRequest(section) for section in sections])

    monkeypatch.setattr(engine, "add_sections", record_and_add)
    jobs.add(Job("", request_sections, lambda _: None, pytest.fail))
    assert started == ["graphs", "population", "parameters"]


def test_two_algorithms_are_compared_once_all_have_finished(store):
    evaluation = fake.small_evaluation()
    store.take(evaluation, complete=False)
    assert store.compare(("SM-2", "AVG")) is None
    store.take(evaluation, complete=True)
    comparison = store.compare(("SM-2", "AVG"))
    assert (comparison.algorithm, comparison.baseline) == ("SM-2", "AVG")
    losses = [evaluation.report.result(name).log_loss or 0.0 for name in ("SM-2", "AVG")]
    assert comparison.difference.value == pytest.approx(losses[0] - losses[1], abs=1e-12)


@pytest.fixture(scope="module")
def evaluation():
    """An evaluation with findings on the whole and on two presets."""
    snapshot = replace(simulate(Learner(seed=3, days=120)).snapshot, fsrs=True)
    names = ("AVG", "SM-2", "FSRS-6 default", "Your parameters", "Anki-SM-2 calibrated")
    evaluation = evaluate(snapshot, Options(names, folds=2))
    assert [finding.kind for finding in evaluation.report.findings] == ["whole", "preset", "preset"]
    return evaluation


def test_other_subject_has_its_own_graphs_and_the_sections_of_the_whole(store, evaluation):
    store.take(evaluation, complete=True)
    graphs = SectionRequest("graphs", "SM-2")
    parameters = SectionRequest("parameters")
    store.request_results([graphs, parameters])
    whole = store.report
    for subject in (2, 0):
        store.show_subject(subject)
        assert (store.report.subject, store.state(graphs), store.state(parameters)) == (subject, UNASKED, READY)
        assert store.report.scope.reviews == evaluation.report.findings[subject].reviews
        assert store.report.section("parameters") == whole.section("parameters")
        store.request_results([graphs])
        assert (store.report.section("graphs") == whole.section("graphs")) == (subject == 0)


def test_newest_subject_replaces_the_one_before(store, evaluation, monkeypatch):
    store.take(evaluation, complete=True)
    calculated = []
    shown = []

    def show_and_choose(evaluation, subject):
        calculated.append(subject)
        if subject == 1:
            store.show_subject(2)
        return show_subject(evaluation, subject)

    monkeypatch.setattr(engine, "show_subject", show_and_choose)
    store.shown.connect(lambda: shown.append(store.report and store.report.subject))
    store.show_subject(1)
    assert (calculated, shown) == ([1, 2], [2])


def test_failed_subject_leaves_the_one_before(store, evaluation, monkeypatch):
    store.take(evaluation, complete=True)
    monkeypatch.setattr(engine, "show_subject", Mock(side_effect=TypeError("boom")))
    failed = Mock()
    shown = Mock()
    store.failed.connect(failed)
    store.shown.connect(shown)
    store.show_subject(1)
    assert (store.evaluation, shown.call_count) == (evaluation, 1)
    title, error = failed.call_args.args
    assert (title.startswith("Calculating: "), str(error)) == (True, "boom")

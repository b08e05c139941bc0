from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable, List

import pytest
from aqt.qt import QApplication, QObject
from one_thread import Anki

from evaluator.evaluation import evaluate
from evaluator.options import Options
from tools.simulate import Learner, simulate
from ui.views import PAGES, load
from ui.window.jobs import Jobs
from ui.window.result_store import READY, STOPPED, UNASKED, ResultStore, SectionRequest
from ui.window.section_page import SECTION_STOPPED, SectionPage
from ui.window.text_table import TextTable
from ui.window.widgets import FoldButton


@pytest.fixture
def experts(qtbot: Any) -> SectionPage:
    """The page *For experts* of a short log, opened and shown."""
    parent = QObject()
    snapshot = simulate(Learner(days=120)).snapshot
    findings = ResultStore(Jobs(Anki(), parent), lambda *_: snapshot, parent)  # type: ignore[arg-type]
    findings.take(evaluate(snapshot, Options(("AVG", "FSRS-6"), folds=2)), complete=True)
    page = SectionPage(PAGES[-1], findings, lambda task, then: then(task()))
    page.kept = parent  # type: ignore[attr-defined]
    qtbot.addWidget(page)
    page.open()
    page.show()
    return page


@pytest.mark.parametrize(("width", "columns"), [(1900, 2), (900, 1)])
def test_a_wide_window_has_two_columns(experts: SectionPage, width: int, columns: int) -> None:
    experts.resize(width, 800)
    QApplication.processEvents()
    lefts = [block.x() for block in experts.blocks]
    assert len(set(lefts)) == columns
    assert lefts == sorted(lefts)


def test_weights_are_folded_and_nothing_is_cut(experts: SectionPage) -> None:
    experts.resize(1900, 800)
    (block,) = (block for block in experts.blocks if block.section == "parameters")
    weights = next(table for table in block.findChildren(TextTable) if len(table.table.rows) == 21)
    assert not weights.isVisible()
    block.findChildren(FoldButton)[0].click()
    assert weights.isVisible()
    experts.grab()
    for table in experts.findChildren(TextTable):
        for column in range(table.columnCount()):
            assert table.columnWidth(column) >= table.sizeHintForColumn(column)
        assert table.width() >= sum(map(table.columnWidth, range(table.columnCount())))


class TestWorkload:
    """The page *Workload*, with a log of which its simulation is quickly done."""

    request = SectionRequest("workload")

    def opened(self, reviews: int, qtbot: Any, read: Callable[[Jobs], object] = lambda _jobs: None) -> SectionPage:
        """Return the page, opened with a report of so many scored reviews."""
        parent = QObject()
        snapshot, jobs = simulate(Learner(days=40)).snapshot, Jobs(Anki(), parent)  # type: ignore[arg-type]

        def read_again(job: Any, *_: Any) -> Any:
            read(jobs)
            return jobs.on_main(job, lambda: snapshot)

        findings = ResultStore(jobs, read_again, parent)
        evaluation = evaluate(snapshot, Options(("AVG", "FSRS-6"), folds=2))
        report = replace(evaluation.report, scope=replace(evaluation.report.scope, reviews=reviews))
        findings.take(replace(evaluation, report=report), complete=True)
        page = SectionPage(PAGES[0], findings, lambda task, then: then(task()))
        page.kept = parent  # type: ignore[attr-defined]
        qtbot.addWidget(page)
        page.open()
        page.show()
        return page

    def test_up_to_30000_reviews_it_starts_when_opened(self, qtbot: Any) -> None:
        page = self.opened(30_000, qtbot)
        (block,) = page.blocks
        assert page._findings.state(self.request) == READY
        assert block.content.isVisible()
        assert not block.button.isVisible()

    def test_with_more_reviews_it_waits_for_its_button(self, qtbot: Any) -> None:
        page = self.opened(30_001, qtbot)
        (block,) = page.blocks
        assert page._findings.state(self.request) == UNASKED
        assert block.button.isVisible()
        assert "Simulates a year of your reviews" in block.words.text()
        block.button.click()
        assert page._findings.state(self.request) == READY
        assert not block.button.isVisible()

    def test_cancelled_it_does_not_start_again_by_itself(self, qtbot: Any) -> None:
        reads: List[int] = []

        def cancel(jobs: Jobs) -> None:
            reads.append(1)
            jobs.cancel()

        page = self.opened(30_000, qtbot, cancel)
        (block,) = page.blocks
        page.close_up()
        page.open()
        assert page._findings.state(self.request) == STOPPED
        assert block.words.text() == SECTION_STOPPED
        assert block.button.isVisible()
        assert len(reads) == 1

    def test_other_slow_sections_wait_for_a_click(self) -> None:
        assert [load(name).max_unasked for page in PAGES for name in page.views if name != "workload"] == [0] * 6

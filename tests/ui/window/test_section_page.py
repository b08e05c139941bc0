from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from aqt.qt import QLabel, QObject, QStyle, QStyleOptionToolButton, Qt
from one_thread import Anki

from evaluator.evaluation import evaluate
from evaluator.options import Options
from tools.simulate import Learner, simulate
from ui import engine
from ui.text import strings
from ui.views import PAGES, Page, load
from ui.views.labels import row_label
from ui.views.view import Block
from ui.window.graph_panel import GraphView
from ui.window.jobs import Jobs
from ui.window.result_store import READY, UNASKED, ResultStore, SectionRequest
from ui.window.section_page import SectionPage
from ui.window.text_table import TextTable
from ui.window.widgets import FoldButton


def open_page(page: Page, days: int, qtbot: Any, **scope: int) -> SectionPage:
    """Open and show a page with the results of a short log. ``scope`` changes the scope of its report."""
    parent = QObject()
    snapshot = simulate(Learner(days=days)).snapshot
    results = ResultStore(Jobs(Anki(), parent), lambda *_: snapshot, parent)  # type: ignore[arg-type]
    evaluation = evaluate(snapshot, Options(("AVG", "FSRS-6"), folds=2))
    report = replace(evaluation.report, scope=replace(evaluation.report.scope, **scope))  # type: ignore[arg-type]
    results.take(replace(evaluation, report=report), complete=True)
    section_page = SectionPage(page, results, lambda: GraphView(lambda task, then: then(task()), lambda _: None))
    # Without a reference, Python would delete the parent and with it the results.
    section_page.results_parent = parent  # type: ignore[attr-defined]
    qtbot.addWidget(section_page)
    section_page.open()
    section_page.show()
    return section_page


@pytest.fixture
def experts(qtbot):
    """The page *For experts*."""
    return open_page(PAGES[-1], 120, qtbot)


def test_weights_are_folded_and_nothing_is_cut(experts):
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


def test_details_are_folded(experts):
    block = experts.blocks[0]._build_block(
        Block("", "A heading", "A caption.", notes=("A note.",), details=("A", "caveat."))
    )
    labels = block.findChildren(QLabel)
    assert [label.text() for label in labels] == ["A heading", "A caption.", "A note.", "A caveat."]
    details = labels[-1]
    assert not details.isVisibleTo(block)
    button = block.findChildren(FoldButton)[0]
    button.click()
    assert details.isVisibleTo(block)
    option = QStyleOptionToolButton()
    button.initStyleOption(option)
    assert not option.state & QStyle.StateFlag.State_On, "it looks as before, except for the arrow"


def test_page_has_a_frame_only_for_users_of_the_keyboard(experts):
    frames = []
    for reason in (Qt.FocusReason.OtherFocusReason, Qt.FocusReason.TabFocusReason, Qt.FocusReason.MouseFocusReason):
        experts.clearFocus()
        experts.activateWindow()
        experts.setFocus(reason)
        image = experts.grab().toImage()
        frames.append(image.pixelColor(0, 50) != image.pixelColor(1, 50))
    assert frames == [False, True, False]


def test_rows_are_compared_with_the_baseline_without_a_section(experts):
    block = next(block for block in experts.blocks if not block.section)
    (table,) = block.findChildren(TextTable)
    assert table.isVisible()
    assert [row[0] for row in table.table.rows] == [row_label("FSRS-6")]


WORKLOAD = SectionRequest("workload")


def test_workload_of_many_reviews_waits_for_button(qtbot, monkeypatch):
    def cancel(*_, progress, **_more):
        page._results._jobs.cancel()
        progress(0.5)

    for reviews, starts in ((30_000, True), (30_001, False)):
        page = open_page(PAGES[0], 40, qtbot, reviews=reviews)
        (block,) = page.blocks
        if not starts:
            assert page._results.state(WORKLOAD) == UNASKED
            assert "Simulates a year of your reviews" in block.message.text()
            assert (block.button.text(), block.button.isVisible()) == (strings.CALCULATE, True)
            with monkeypatch.context() as stopped:
                stopped.setattr(engine, "add_sections", cancel)
                block.button.click()
            assert (block.message.text(), block.button.isVisible()) == ("Stopped before this was calculated.", True)
            block.button.click()
        assert page._results.state(WORKLOAD) == READY
        assert block.findChildren(GraphView)[0].isVisible()
        assert not block.button.isVisible()
        page._results.take(page._results.evaluation, complete=False)
        assert block.message.isVisible()
        assert block.message.text() == "The evaluation is still running. This appears once it is done."


def test_only_workload_depends_on_number_of_reviews():
    assert {name for page in PAGES for name in page.views if load(name).max_unasked} == {"workload"}

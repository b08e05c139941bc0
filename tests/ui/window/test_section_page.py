from __future__ import annotations

from typing import Any

import pytest
from aqt.qt import QApplication, QObject
from one_thread import Anki

from evaluator.evaluation import evaluate
from evaluator.options import Options
from tools.simulate import Learner, simulate
from ui.views import PAGES
from ui.window.jobs import Jobs
from ui.window.result_store import ResultStore
from ui.window.section_page import SectionPage
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

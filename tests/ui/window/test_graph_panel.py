from __future__ import annotations

from unittest.mock import Mock

import fake
import made_graphs as made
import pytest
from aqt.qt import QApplication, QObject, Qt
from chart_texts import graph
from one_thread import Anki

from ui.window.bottom_bar import GRAPH
from ui.window.graph_panel import GraphPanel, GraphView, picture
from ui.window.jobs import Jobs
from ui.window.result_store import ResultStore
from ui.window.results_widget import ResultsWidget

BLOCK = graph(made.pair_report(), "interval", ["FSRS-6"])


@pytest.fixture
def saved():
    """Blocks whose graphs the user asked to save."""
    return []


@pytest.fixture
def view(saved, qtbot):
    """A view with a drawn graph."""
    view = GraphView(lambda task, then: then(task()), saved.append)
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show_graph(BLOCK)
    view.redraw()
    return view


def test_numbers_of_a_group_appear_over_its_whole_column(view):
    tips = [view.tip_at(300, y)[0] for y in (60, 200, 330)]
    assert tips[0].startswith("8–14: said 90%, remembered")
    assert tips == [tips[0]] * 3
    for x in range(100, 500):
        text, column = view.tip_at(x, 200)
        assert text
        assert column.left() - 1 <= x <= column.right() + 1
    assert view.tip_at(1, 1)[0] == ""
    view.show_message("A message.")
    assert view.tip_at(300, 200)[0] == ""


def test_chosen_graph_is_the_one_to_copy_even_if_its_numbers_are_shown(qtbot, monkeypatch):
    monkeypatch.setattr("ui.window.widgets.tooltip", lambda *_, **__: None)
    parent = QObject()
    store = ResultStore(Jobs(Anki(), parent), pytest.fail, parent)  # type: ignore[arg-type]
    store.take(fake.small_evaluation(), complete=True)
    draw = Mock()
    panel = GraphPanel(store, lambda: GraphView(draw, lambda _: None))
    qtbot.addWidget(panel)
    panel.show_algorithms(["AVG"], reason="")
    qtbot.waitUntil(panel.as_numbers.isEnabled)
    panel.as_numbers.click()
    panel.choose("month")
    clipboard = QApplication.clipboard()
    ResultsWidget.copy(Mock(comparison=Mock(panel=panel)), GRAPH)
    task, then = draw.call_args.args
    then(task())
    expected = picture(graph(store.report, "month", ["AVG"]))
    assert clipboard.image().convertToFormat(expected.format()) == expected
    panel.show_algorithms([], reason="The reason.")
    assert (panel.view.text(), panel._stack.currentWidget()) == ("The reason.", panel.view)


def test_right_click_copies_and_saves_the_graph(view, saved, monkeypatch):
    monkeypatch.setattr("ui.window.widgets.tooltip", lambda *_, **__: None)
    clipboard = QApplication.clipboard()
    copy, save = view.actions()
    assert (copy.text(), save.text()) == ("Copy this graph", "Save image as…")
    copy.trigger()
    assert (clipboard.image().width(), clipboard.text()) == (1020, "")
    view.copy_picture("The result.", "Copied.")
    assert (clipboard.image().width(), clipboard.text()) == (1020, "The result.")
    save.trigger()
    assert saved == [BLOCK]
    view.show_message("A message.")
    assert view.contextMenuPolicy() == Qt.ContextMenuPolicy.DefaultContextMenu

from __future__ import annotations

from unittest.mock import Mock

import pytest
from anki.collection import OpChanges
from aqt.qt import QWidget
from one_thread import Anki

from evaluator.scope import WHOLE_DAY_TABLE
from ui.engine import catalog
from ui.exports import EXPORTS
from ui.views import HELP_PAGES, PAGES
from ui.window.bottom_bar import COPIES, BottomBar
from ui.window.chooser import Chooser
from ui.window.libraries_dialog import LibrariesDialog
from ui.window.window import DOCS, EvaluatorWindow


@pytest.fixture
def main_window(qtbot):
    """A widget with what windows need of Anki's main window."""
    main_window = QWidget()
    qtbot.addWidget(main_window)
    main_window.pm = Mock(base="", profile=None)
    main_window.taskman = Anki()
    main_window.garbage_collect_on_dialog_finish = Mock()
    return main_window


def test_export_needs_results(qapp):
    bar = BottomBar()
    assert not bar.export.isEnabled()
    for change, enabled in (
        (lambda: bar.show_started("Loading"), False),
        (lambda: bar.show_ended("", has_results=False), False),
        (lambda: bar.show_ended("90 rows", has_results=True), True),
        (lambda: bar.show_progress("Saving", 0.5), True),
        (lambda: bar.show_started("Loading"), False),
        (bar.show_rows, False),
    ):
        change()
        assert bar.export.isEnabled() == enabled


def test_each_button_has_its_place_and_each_item_of_the_menu_its_signal(qapp):
    bar = BottomBar()
    chosen = []
    bar.exported.connect(chosen.append)
    bar.copied.connect(chosen.append)
    buttons = bar.export, bar.cancel, bar.changed, bar.again, bar.close_button
    assert [bar.layout().indexOf(button) for button in buttons] == [*range(1, 6)]
    assert all(bar.isAncestorOf(item) for item in (bar.stage, bar.progress, bar.rows, bar.row_accounting_button))
    actions = bar.export.menu().actions()
    assert [action.text() for action in actions] == [*(item.label for item in EXPORTS.values()), "", *COPIES.values()]
    for action in actions:
        action.trigger()
    assert chosen == [*EXPORTS, *COPIES]


@pytest.mark.parametrize(("size", "expected"), [((1200, 900), (800, 640)), ((700, 500), (640, 440))])
def test_chooser_fits_into_the_window(size, expected, main_window):
    main_window.resize(*size)
    chooser = Chooser(main_window, catalog(WHOLE_DAY_TABLE), [], "")
    assert (chooser.width(), chooser.height()) == expected


@pytest.mark.parametrize(
    ("chosen", "versions", "parameters", "selected"),
    [
        (["AVG", "SM-2", "FSRS-6"], False, "Old = {w}\nNew = {w}", [None, "Old", "New", "Your parameters"]),
        (["SM-2", "AVG"], False, "Old = {w}", [None, "Old", "Your parameters"]),
        (["SM-2", "AVG"], False, "", ["AVG", "SM-2"]),
        (["FSRS-7", "FSRS-6"], True, "Old = {w}", ["FSRS-6", "FSRS-7"]),
    ],
)
def test_rows_to_compare_are_selected(chosen, versions, parameters, selected):
    window = Mock(model=Mock(window_algorithms=("fsrs-6-7",) if versions else ()))
    parameters = parameters.format(w=", ".join(["1.1"] * 21))
    EvaluatorWindow._run(window, chosen, parameters)
    window.model.choose_algorithms.assert_called_once_with(chosen, parameters)
    window.table.choose.assert_called_once_with(selected)


@pytest.mark.parametrize("are_ready", [False, True])
def test_installation_shows_its_progress_unless_libraries_are_ready(are_ready, main_window, monkeypatch):
    install = Mock()
    monkeypatch.setattr("ui.anki.libraries.needs.are_ready", lambda _: are_ready)
    monkeypatch.setattr("ui.anki.libraries.install.install", install)
    dialog = LibrariesDialog(main_window, "About", Mock)
    assert dialog.windowTitle() == "Libraries for SRS Evaluator"
    assert not dialog.details.autoDefault()
    dialog._show_progress("Unpacking", 0.25)
    assert dialog.status.text() == "Unpacking"
    assert dialog.bar.value() / dialog.bar.maximum() == 0.25
    dialog.begin()
    assert install.called != are_ready


def test_window_does_not_wait_for_the_collection(main_window, qtbot):
    run = main_window.taskman.run_in_background = Mock()
    assert EvaluatorWindow(main_window, "About", None).windowTitle() == "SRS Evaluator"
    qtbot.waitUntil(lambda: run.called)
    assert run.call_args.kwargs == {"uses_collection": False}


def test_only_changes_of_due_cards_are_noticed():
    noticed_fields = []
    for name in OpChanges.DESCRIPTOR.fields_by_name:
        window = Mock()
        EvaluatorWindow._on_operation(window, OpChanges(**{name: True}), None)
        noticed_fields += [name] * window._on_change.call_count
    assert noticed_fields == ["study_queues"]


def test_each_tab_has_a_page_of_the_documentation():
    assert len(HELP_PAGES) == 1 + len(PAGES)
    assert all((DOCS / f"{name}.md").is_file() for name in ("anki", *HELP_PAGES))
